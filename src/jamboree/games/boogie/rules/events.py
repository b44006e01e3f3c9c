"""Events, in the past tense, with everything needed to explain them."""

import msgspec

from jamboree.core.seats import BySeat, Seat, SeatSet

from ..box.jumps import Jump
from .actions import Term


class Event(msgspec.Struct, frozen=True, tag=True):
    pass


class Turned(msgspec.Struct, frozen=True):
    """A card that the jury turned, with the seat that laid it."""

    seat: Seat
    card: str


class Honesty(msgspec.Struct, frozen=True):
    """The number of a player's promises kept, broken and void."""

    kept: int
    broken: int
    void: int


class DeckReshuffled(Event, frozen=True, tag=True):
    """The deck was dealt out, and the discard pile became the new one."""

    count: int


class CardsDealt(Event, frozen=True, tag=True):
    """The other players see only the number of cards."""

    seat: Seat
    count: int
    cards: list[str] | None


class PlaneBoarded(Event, frozen=True, tag=True):
    jumprun: int
    jumpmaster: Seat


class SaidReady(Event, frozen=True, tag=True):
    seat: Seat


class ReadyWithdrawn(Event, frozen=True, tag=True):
    seat: Seat
    left: int


class PromiseBegun(Event, frozen=True, tag=True):
    """Witnessed by the player alone; `left` is the number of promises left in this jumprun."""

    seat: Seat
    to: Seat | None
    left: int


class ExchangeAsked(Event, frozen=True, tag=True):
    """Witnessed by the player alone, until the promise is made."""

    seat: Seat
    to: Seat
    term: Term


class PromiseMade(Event, frozen=True, tag=True):
    """A promise to all is public; one to a single seat is witnessed by those two alone."""

    seat: Seat
    to: Seat | None
    term: Term
    asked: Term | None


class JumpCalled(Event, frozen=True, tag=True):
    """The jump begins: time was up, or all players were ready."""

    by_clock: bool


class CardLaid(Event, frozen=True, tag=True):
    """The card is final, and face down for the others; it withdraws the player's "done"."""

    seat: Seat
    jump: Jump
    character: bool
    card: str | None
    done_withdrawn: bool


class OddsWeighed(Event, frozen=True, tag=True):
    """The odds of the player's own cards on a jump by themselves; witnessed by that player alone."""

    seat: Seat
    jump: Jump
    dice: int
    difficulty: int
    percent: int


class SaidDone(Event, frozen=True, tag=True):
    seat: Seat


class PullCalled(Event, frozen=True, tag=True):
    by_clock: bool


class CardLate(Event, frozen=True, tag=True):
    """A card after PULL: this player is out of the whole jumprun."""

    seat: Seat
    jump: Jump
    character: bool
    card: str | None


class LateCardTurned(Event, frozen=True, tag=True):
    """A late jumpcard is discarded without effect; a late character returns unseen."""

    seat: Seat
    card: str | None


class CardsTurned(Event, frozen=True, tag=True):
    jump: Jump
    characters: list[Turned]
    jumpcards: list[Turned]


class CharactersRemoved(Event, frozen=True, tag=True):
    """A disqualified player's character cards came off: laid twice, or the player was late."""

    jump: Jump
    seat: Seat
    late: bool


class FiguresRefused(Event, frozen=True, tag=True):
    """Figures that are not allowed in a solo: discarded, without effect."""

    jump: Jump
    cards: list[Turned]


class JumpersCounted(Event, frozen=True, tag=True):
    jump: Jump
    sure: SeatSet
    maybe: SeatSet
    verdict: str  # exact, halved, too many, nobody
    jumpers: SeatSet


class DifficultySet(Event, frozen=True, tag=True):
    jump: Jump
    dice: int
    difficulty: int
    potential: int
    percent: int


class DiceRolled(Event, frozen=True, tag=True):
    jump: Jump
    eyes: list[int]
    total: int


class JumpScored(Event, frozen=True, tag=True):
    jump: Jump
    result: str  # success, failure, no figures
    jumpers: SeatSet
    points: int  # for each of them


class PromiseJudged(Event, frozen=True, tag=True):
    seat: Seat
    to: Seat | None
    term: Term
    asked: Term | None
    verdict: str  # kept, broken, void


class JumprunScored(Event, frozen=True, tag=True):
    jumprun: int
    points: BySeat[int]
    totals: BySeat[int]


class JumpmasterMoved(Event, frozen=True, tag=True):
    jumpmaster: Seat


class GameEnded(Event, frozen=True, tag=True):
    winners: SeatSet
    scores: BySeat[int]
    honesty: BySeat[Honesty]


AnyEvent = (
    DeckReshuffled
    | CardsDealt
    | PlaneBoarded
    | SaidReady
    | ReadyWithdrawn
    | PromiseBegun
    | ExchangeAsked
    | PromiseMade
    | JumpCalled
    | CardLaid
    | OddsWeighed
    | SaidDone
    | PullCalled
    | CardLate
    | LateCardTurned
    | CardsTurned
    | CharactersRemoved
    | FiguresRefused
    | JumpersCounted
    | DifficultySet
    | DiceRolled
    | JumpScored
    | PromiseJudged
    | JumprunScored
    | JumpmasterMoved
    | GameEnded
)

REVEALING = (CardsTurned, LateCardTurned)
"""Events that show what was face down until then."""
