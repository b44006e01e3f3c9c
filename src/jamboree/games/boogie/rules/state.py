"""A position of Boogie Beasts. Sets of seats and of jumps are masks; a hand is one number; a play is one number."""

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
"""How many promises were kept, broken, void."""


class PromiseRecord(msgspec.Struct, frozen=True, array_like=True):
    """A promise: who made it to whom, what, and what the other has to do for it; terms by their numbers."""

    seat: int
    to: int
    term: int
    asked: int = NO_TERM


class JumpReport(msgspec.Struct, frozen=True, array_like=True):
    """What the jury found on one jump: cards with the seats that laid them, in an order that tells nothing."""

    jump: int
    cards: tuple[int, ...]
    eyes: tuple[int, ...]


class JuryReport(msgspec.Struct, frozen=True, array_like=True):
    """The last jury: enough to tell all of it again."""

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
    spent: int  # seats that have nothing left to do once they said so
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
    drafts: list[tuple[int, int] | None]  # by seat: to whom, and what is asked for it
    promises: list[PromiseRecord]

    points: list[tuple[int, ...]]  # by jumprun: what each seat scored
    report: JuryReport
    told_all: list[PromiseCounts]  # by seat: promises to all
    told_one: list[PromiseCounts]  # by seat and by the seat it was promised to

    era_deck: int  # what the deck held when it was last made
    era_hands: list[int]  # by seat: the jumpcards in hand at that moment
    shown: list[int]  # by seat: the jumpcards the jury turned since then

    def clone(self) -> "State":
        twin = copy(self)
        twin.withdrawn, twin.hands, twin.held = self.withdrawn[:], self.hands[:], self.held[:]
        twin.standing, twin.plays = self.standing[:], self.plays[:]
        twin.deck, twin.discard = self.deck.clone(), self.discard.clone()
        twin.begun, twin.drafts, twin.promises = self.begun[:], self.drafts[:], self.promises[:]
        twin.points, twin.told_all, twin.told_one = self.points[:], self.told_all[:], self.told_one[:]
        twin.era_hands, twin.shown = self.era_hands[:], self.shown[:]
        return twin

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
    """Unpack a play: its jump, its seat, its card, and whether it came late."""
    return code >> 8, code >> 4 & 7, code & 15, bool(code >> 7 & 1)
