"""Events, in the past tense, with everything needed to explain them. Cells are named as on the floor."""

import msgspec

from jamboree.core.seats import BySeat, Seat, SeatSet

from ..box.crate import Song
from ..box.dancers import Dancer


class Prospect(msgspec.Struct, frozen=True):
    """A player's fans in lines now, and the superfans they make if nothing changes before combos."""

    cells: list[str]
    superfans: int
    runs: list[list[str]]  # the lines one by one, each from end to end


class Opening(msgspec.Struct, frozen=True):
    """A dancer that a token can be placed on, and the superfans that the player's lines would then make."""

    cell: str
    superfans: int


class Newcomer(msgspec.Struct, frozen=True):
    cell: str
    dancer: Dancer


class Event(msgspec.Struct, frozen=True, tag=True):
    pass


class SetlistSealed(Event, frozen=True, tag=True):
    """The other players learn only that it happened, and nothing if it replaced an earlier choice."""

    seat: Seat
    discarded: list[Song] | None
    again: bool


class SetlistsPicked(Event, frozen=True, tag=True):
    """All players' discards were removed from their hands."""


class RoundBegan(Event, frozen=True, tag=True):
    round: int
    extra: bool


class SongsReshuffled(Event, frozen=True, tag=True):
    """Played and discarded songs became a new deck."""

    count: int


class SongDealt(Event, frozen=True, tag=True):
    seat: Seat
    song: Song | None  # None for the other players


class BallMoved(Event, frozen=True, tag=True):
    cell: str  # front-left of where it lay
    dancer: Dancer | None  # whose arrow it followed; None: a gap, so it stayed
    to: str


class BallPlaced(Event, frozen=True, tag=True):
    cell: str


class HypeShuffled(Event, frozen=True, tag=True):
    """The Hype deck was put together and shuffled."""

    count: int


class HypeDrawn(Event, frozen=True, tag=True):
    seat: Seat
    cards: list[str] | None  # None for all but the Hypemaster


class HypeRevealed(Event, frozen=True, tag=True):
    card: str
    seat: Seat | None  # the Hypemaster who picked it
    under: str | None  # what that player put under the deck; None for the others


class SongCued(Event, frozen=True, tag=True):
    """The other players learn only that it happened, and nothing if it replaced an earlier choice."""

    seat: Seat
    song: Song | None
    again: bool


class SongsDropped(Event, frozen=True, tag=True):
    songs: BySeat[Song]


class SongsPassed(Event, frozen=True, tag=True):
    """Every song was passed to the left."""

    songs: BySeat[Song]


class OrderFound(Event, frozen=True, tag=True):
    order: list[Seat]


class FloorShifted(Event, frozen=True, tag=True):
    how: str


class SongStarted(Event, frozen=True, tag=True):
    seat: Seat
    song: Song


class TokenRecovered(Event, frozen=True, tag=True):
    """A fan was discarded to recover its token."""

    seat: Seat
    cell: str
    dancer: Dancer


class DancersSwapped(Event, frozen=True, tag=True):
    seat: Seat
    cell: str
    other: str
    lines: BySeat[Prospect]
    hop: str | None  # where the Beachball would go next
    openings: list[Opening]


class DancerLeft(Event, frozen=True, tag=True):
    """A dancer went to the bathroom."""

    seat: Seat
    cell: str
    dancer: Dancer


class PileReshuffled(Event, frozen=True, tag=True):
    """The discarded dancers became the draw pile."""

    count: int


class FloorFilled(Event, frozen=True, tag=True):
    newcomers: list[Newcomer]
    gaps: list[str]
    lines: BySeat[Prospect]
    hop: str | None


class TokenPlaced(Event, frozen=True, tag=True):
    seat: Seat
    owner: Seat  # of the token
    cell: str
    dancer: Dancer
    lines: BySeat[Prospect]


class SongFinished(Event, frozen=True, tag=True):
    seat: Seat


class StepDeclined(Event, frozen=True, tag=True):
    """An option was declined."""

    seat: Seat
    step: str


class BallCaught(Event, frozen=True, tag=True):
    """Most fans around the Beachball: the top dancer of the draw pile became a superfan."""

    seat: Seat
    fans: list[str]
    dancer: Dancer


class BonusScored(Event, frozen=True, tag=True):
    """A fan in the area of the Crowd Bonus became a superfan."""

    seat: Seat
    cell: str
    dancer: Dancer


class ComboScored(Event, frozen=True, tag=True):
    seat: Seat
    cells: list[str]  # of all lines
    kept: str | None  # the fan that stays
    superfans: list[Dancer]


class QuestsRevealed(Event, frozen=True, tag=True):
    quests: BySeat[str]
    scores: BySeat[int]


class TieFound(Event, frozen=True, tag=True):
    """Several players lead, so an extra round follows."""

    leaders: SeatSet
    scores: BySeat[int]


class GameEnded(Event, frozen=True, tag=True):
    winners: SeatSet
    scores: BySeat[int]


AnyEvent = (
    SetlistSealed
    | SetlistsPicked
    | RoundBegan
    | SongsReshuffled
    | SongDealt
    | BallMoved
    | BallPlaced
    | HypeShuffled
    | HypeDrawn
    | HypeRevealed
    | SongCued
    | SongsDropped
    | SongsPassed
    | OrderFound
    | FloorShifted
    | SongStarted
    | TokenRecovered
    | DancersSwapped
    | DancerLeft
    | PileReshuffled
    | FloorFilled
    | TokenPlaced
    | SongFinished
    | StepDeclined
    | BallCaught
    | BonusScored
    | ComboScored
    | QuestsRevealed
    | TieFound
    | GameEnded
)

REVEALING = (SongsDropped, QuestsRevealed)
"""Events that show what was face down until then."""
