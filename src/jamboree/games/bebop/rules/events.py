"""Events, in the past tense, with everything needed to explain them. Hexes are named as on the board."""

import msgspec

from jamboree.core.seats import BySeat, Seat, SeatSet

from ..box.dice import Die, Token


class Event(msgspec.Struct, frozen=True, tag=True):
    pass


class SeatClaimed(Event, frozen=True, tag=True):
    seat: Seat
    tile: str
    hex: str
    face_down: bool


class SeatBooted(Event, frozen=True, tag=True):
    """An open seat went back to its owner's supply."""

    seat: Seat
    owner: Seat
    tile: str
    hex: str


class FollowUpDeclined(Event, frozen=True, tag=True):
    seat: Seat
    tile: str


class DieRerolled(Event, frozen=True, tag=True):
    """If secret, the other players learn only that it happened."""

    seat: Seat
    secret: bool
    before: Die | None
    after: Die | None


class DiceKept(Event, frozen=True, tag=True):
    seat: Seat


class SeatBooked(Event, frozen=True, tag=True):
    seat: Seat
    hex: str
    die: Die


class FamilyScored(Event, frozen=True, tag=True):
    """A die joined a family: a point for each of the matching dice."""

    seat: Seat
    die: Die
    family: list[str]
    matching: list[str]
    points: int


class BannerMoved(Event, frozen=True, tag=True):
    colour: str
    family: list[str]


class StagePerformed(Event, frozen=True, tag=True):
    seat: Seat
    stage: str


class FeatureScored(Event, frozen=True, tag=True):
    """One token of a performing stage: the listening dice, the marker's value and the points."""

    stage: str
    token: Token
    value: int
    listeners: BySeat[list[str]]
    winners: SeatSet
    points: int
    token_to: Seat | None
    marker: int


class DieTaken(Event, frozen=True, tag=True):
    seat: Seat
    place: int
    die: Die


class QueueRefilled(Event, frozen=True, tag=True):
    place: int
    die: Die


class DieDrawn(Event, frozen=True, tag=True):
    """If secret, the other players do not learn the die."""

    seat: Seat
    secret: bool
    die: Die | None


class SeatPassed(Event, frozen=True, tag=True):
    seat: Seat


class SeatFinished(Event, frozen=True, tag=True):
    """All seats of this player are placed and booked."""

    seat: Seat


class MajorityScored(Event, frozen=True, tag=True):
    """One feature of a bannered family at the end: dice by player, and the points of the leaders' tokens."""

    colour: str
    feature: str
    family: list[str]
    counts: BySeat[int]
    printed: int
    winners: SeatSet
    points: BySeat[int]


class GameEnded(Event, frozen=True, tag=True):
    winners: SeatSet
    scores: BySeat[int]


AnyEvent = (
    SeatClaimed
    | SeatBooted
    | FollowUpDeclined
    | DieRerolled
    | DiceKept
    | SeatBooked
    | FamilyScored
    | BannerMoved
    | StagePerformed
    | FeatureScored
    | DieTaken
    | QueueRefilled
    | DieDrawn
    | SeatPassed
    | SeatFinished
    | MajorityScored
    | GameEnded
)
