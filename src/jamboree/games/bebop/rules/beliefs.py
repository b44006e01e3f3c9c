"""What the others know of a hidden hand: dice seen in the queue, until a secret reroll blurs them.

Which die was rerolled or booked is not shown, so a hand can be known in several ways; each is a belief with a
weight. Weights suppose that the owner chose blindly among the own dice, and leave out how likely the unknown dice
are: that depends on what a viewer sees, and `imagine` brings it in.
"""

from collections.abc import Iterable

from ..box.components import FACES
from ..box.dice import BLURRED, colour_of, face_of
from .state import Belief, State

UNKNOWN: tuple[Belief, ...] = (((), 1.0),)
_STEP = BLURRED + 1


def known_die(colour: int, face: int) -> int:
    return colour * _STEP + face


def known_colour(known: int) -> int:
    return known // _STEP


def known_face(known: int) -> int:
    return known % _STEP


def remember(state: State, seat: int, die: int) -> None:
    """Note that a die everybody saw went into a hand."""
    seen = known_die(colour_of(die), face_of(die))
    state.beliefs[seat] = merged((tuple(sorted((*known, seen))), weight) for known, weight in state.beliefs[seat])


def forget_faces(state: State, seat: int) -> None:
    """Note that some die of a hand was rerolled, nobody else knows which."""
    dice = len(state.hands[seat])
    state.beliefs[seat] = merged(
        after for known, weight in state.beliefs[seat] for after in _after_reroll(known, weight, dice)
    )


def _after_reroll(known: tuple[int, ...], weight: float, dice: int) -> Iterable[Belief]:
    for place, die in enumerate(known):
        blurred = known_die(known_colour(die), BLURRED)
        yield tuple(sorted((*known[:place], blurred, *known[place + 1 :]))), weight / dice
    if dice > len(known):
        yield known, weight * (dice - len(known)) / dice


def reveal(state: State, seat: int, die: int) -> None:
    """Note that a die left a hand before everybody's eyes; the hand still holds it."""
    dice = len(state.hands[seat])
    state.beliefs[seat] = merged(
        after for known, weight in state.beliefs[seat] for after in _after_reveal(known, weight, dice, die)
    )


def _after_reveal(known: tuple[int, ...], weight: float, dice: int, die: int) -> Iterable[Belief]:
    likely = {
        known_die(colour_of(die), face_of(die)): 1.0,
        known_die(colour_of(die), BLURRED): 1 / len(FACES),
    }
    for place, seen in enumerate(known):
        if seen in likely:  # it was one of those they knew
            yield known[:place] + known[place + 1 :], weight * likely[seen] / dice
    if dice > len(known):  # it was one they did not know
        yield known, weight * (dice - len(known)) / dice / len(FACES)


def merged(beliefs: Iterable[Belief]) -> tuple[Belief, ...]:
    """Add up equal beliefs and let the weights sum to one."""
    weights: dict[tuple[int, ...], float] = {}
    for known, weight in beliefs:
        weights[known] = weights.get(known, 0.0) + weight
    total = sum(weights.values())
    return tuple((known, weights[known] / total) for known in sorted(weights))
