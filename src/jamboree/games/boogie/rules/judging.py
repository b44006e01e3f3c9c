"""The jury's reading of one jump: a pure function of its cards and the seats that were late."""

from typing import NamedTuple

from ..box.components import FIGURES, MAYBE, SOLO_FIGURES, SURE, VALUES
from ..box.jumps import Jump

Seats = int  # a mask


class Jumpers(NamedTuple):
    seats: Seats
    halved: bool = False


def jumpers(required: int, sure: Seats, maybe: Seats) -> Jumpers | None:
    """Who takes part in this jump; None if it fails."""
    if sure.bit_count() > required:  # too many sure jumpers
        return None
    if sure.bit_count() == required:  # the others are ignored
        return Jumpers(sure)
    both = sure | maybe  # too few: the maybes count too
    if both.bit_count() > required:
        return None
    return Jumpers(both, halved=both.bit_count() < required)


class Reading(NamedTuple):
    """A jump with its cards turned. Cards are written as `seat << 4 | card`."""

    twice: Seats  # laid more than one character card here
    late: Seats  # laid one here, and another card too late
    sure: Seats
    maybe: Seats
    refused: tuple[int, ...]  # figures not allowed in a solo
    dice: int
    potential: int
    difficulty: int
    jumpers: Jumpers | None

    @property
    def takes_place(self) -> bool:
        return self.jumpers is not None and self.jumpers.seats != 0

    @property
    def verdict(self) -> str:
        if self.jumpers is None:
            return "too many"
        if not self.jumpers.seats:
            return "nobody"
        return "halved" if self.jumpers.halved else "exact"


def read_jump(jump: Jump, cards: tuple[int, ...], late: Seats) -> Reading:
    """Remove the cards that were not allowed, and add up the rest."""
    here = twice = sure = maybe = dice = potential = effects = 0
    refused: tuple[int, ...] = ()
    for code in cards:
        card = code & 15
        if card >= SURE:
            bit = 1 << (code >> 4)
            twice |= here & bit  # two or more character cards of one player: all of them come off
            here |= bit
            sure |= bit if card == SURE else 0
            maybe |= bit if card == MAYBE else 0
        elif card >= FIGURES:
            effects += VALUES[card]
        elif card >= SOLO_FIGURES and jump.solo is not None:  # discarded, no effect
            refused += (code,)
        else:
            dice += 1
            potential += VALUES[card]
    standing = ~(twice | late)
    sure, maybe = sure & standing, maybe & standing
    who = jumpers(jump.number, sure, maybe)
    return Reading(twice, here & late, sure, maybe, refused, dice, potential, potential + effects, who)


def result(reading: Reading, total: int) -> str:
    """Compare the roll with the difficulty; as high is enough."""
    if not reading.dice:
        return "no figures"
    return "success" if total >= reading.difficulty else "failure"


def points_each(reading: Reading, total: int) -> int:
    """The points of every jumper: the potential, if the jump succeeds; half of it if too few jump."""
    if reading.jumpers is None or result(reading, total) != "success":
        return 0
    return reading.potential // 2 if reading.jumpers.halved else reading.potential
