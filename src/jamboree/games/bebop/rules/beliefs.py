"""Public beliefs about a hidden hand: dice seen in the queue, until a secret reroll blurs them.

Which die was rerolled or booked is not shown, so several hands are consistent with what was public; each is a belief
with a weight. The weights assume that the owner chose among the hand's dice at random. They leave out how likely the
unknown dice are, which depends on the viewer and is added by `imagine`.
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
    """Add a die that everybody saw going into a hand."""
    seen = known_die(colour_of(die), face_of(die))
    state.beliefs[seat] = merged((tuple(sorted((*known, seen))), weight) for known, weight in state.beliefs[seat])


def forget_faces(state: State, seat: int) -> None:
    """Account for a secret reroll: any die of the hand may have a new face."""
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
    """Account for a die that is played from a hand; call it while the hand still holds the die."""
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
        if seen in likely:  # it was a known die
            yield known[:place] + known[place + 1 :], weight * likely[seen] / dice
    if dice > len(known):  # it was an unknown die
        yield known, weight * (dice - len(known)) / dice / len(FACES)


def merged(beliefs: Iterable[Belief]) -> tuple[Belief, ...]:
    """Merge equal beliefs and normalise the weights."""
    weights: dict[tuple[int, ...], float] = {}
    for known, weight in beliefs:
        weights[known] = weights.get(known, 0.0) + weight
    total = sum(weights.values())
    return tuple((known, weights[known] / total) for known in sorted(weights))
