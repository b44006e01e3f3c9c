"""The state of a game of Boogie Beasts. Sets are bit masks; a hand is one number, and so is a play."""

from copy import copy
from typing import ClassVar

import msgspec

from jamboree.core.chance import Bag

PHASES = ("preparation", "plane", "jump", "pulled", "over")
PREPARATION, PLANE, JUMP, PULLED, OVER = range(len(PHASES))

NO_DRAFT = -1
TO_ALL = -1
NO_TERM = -1

VERDICTS = ("kept", "broken", "void")
KEPT, BROKEN, VOID = range(len(VERDICTS))

PromiseCounts = tuple[int, int, int]
"""The number of promises kept, broken and void."""


class PromiseRecord(msgspec.Struct, frozen=True, array_like=True):
    """A promise: maker, recipient, term, and the term asked in exchange; terms are numbers of the action space."""

    seat: int
    to: int
    term: int
    asked: int = NO_TERM


class JumpReport(msgspec.Struct, frozen=True, array_like=True):
    """The jury's findings on one jump: cards with the seats that laid them, in an order that reveals nothing."""

    jump: int
    cards: tuple[int, ...]
    eyes: tuple[int, ...]


class JuryReport(msgspec.Struct, frozen=True, array_like=True):
    """The last jury: everything needed to show it again."""

    late: int = 0
    late_cards: tuple[int, ...] = ()
    jumps: tuple[JumpReport, ...] = ()
    judged: tuple[tuple[PromiseRecord, int], ...] = ()


class State(msgspec.Struct):
    turn: ClassVar[int] = -1  # all act together, always
    seats: int
    plane_seconds: int  # 0: untimed
    jump_seconds: int
    promising: bool

    phase: int
    jumprun: int  # from 0
    jumpmaster: int
    ready: int  # seats that said ready, or done in the jump
    spent: int  # seats with nothing left to do once they are ready
    withdrawn: list[int]
    late: int

    hands: list[int]  # by seat: jumpcards and character cards
    held: list[int]  # by seat: the mask of kinds in the hand
    opened: int  # jumps with a character card
    standing: list[int]  # by seat: jumps on which it laid a character card
    plays: list[int]  # in the order they were laid, as `play_code` packs them
    deck: Bag
    discard: Bag

    begun: list[int]  # promises begun in this jumprun
    drafts: list[tuple[int, int] | None]  # by seat: recipient, and the term asked in exchange
    promises: list[PromiseRecord]

    points: list[tuple[int, ...]]  # by jumprun: what each seat scored
    report: JuryReport
    told_all: list[PromiseCounts]  # by seat: promises to all
    told_one: list[PromiseCounts]  # by seat and by the seat it was promised to

    era_deck: int  # content of the deck when it was last made
    era_hands: list[int]  # by seat: the jumpcards in hand at that moment
    shown: list[int]  # by seat: the jumpcards that the jury has turned since then

    def clone(self) -> "State":
        clone = copy(self)
        clone.withdrawn = self.withdrawn[:]
        clone.hands = self.hands[:]
        clone.held = self.held[:]
        clone.standing, clone.plays = self.standing[:], self.plays[:]
        clone.deck, clone.discard = self.deck.clone(), self.discard.clone()
        clone.begun = self.begun[:]
        clone.drafts = self.drafts[:]
        clone.promises = self.promises[:]
        clone.points = self.points[:]
        clone.told_all = self.told_all[:]
        clone.told_one = self.told_one[:]
        clone.era_hands, clone.shown = self.era_hands[:], self.shown[:]
        return clone

    @property
    def timed(self) -> bool:
        return self.plane_seconds > 0

    def score(self, seat: int) -> int:
        return sum(points[seat] for points in self.points)

    def scores(self) -> tuple[int, ...]:
        """Most points over four jumpruns win; a tie is shared."""
        return tuple(self.score(seat) for seat in range(self.seats))


def play_code(jump: int, seat: int, card: int, late: bool = False) -> int:
    return jump << 8 | late << 7 | seat << 4 | card


def read_play(code: int) -> tuple[int, int, int, bool]:
    """Unpack a play into jump, seat, card and whether it was late."""
    return code >> 8, code >> 4 & 7, code & 15, bool(code >> 7 & 1)
