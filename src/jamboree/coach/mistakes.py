"""The costs of the mistakes of a strategy lesson, measured as the coach compares actions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from jamboree.bots import Budget
from jamboree.core.game import AnyGame
from jamboree.core.learning import Lesson, Progress, judged
from jamboree.core.offers import Offer

from .advice import compare_actions
from .greedy import greedy_index

MOST_EACH = 8  # measured actions of a named mistake
MOST_ACTIONS = 8  # further actions, the best ones


class MeasuredStep(NamedTuple):
    """The outcome of measuring a step of a lesson."""

    right: float  # chance to win after the best of the right actions
    costs: dict[str, float]  # of the best action of each mistake, by the key of its text: the chance to win lost
    margins: dict[str, float]  # the same as a difference in value, in standard errors


def measure_step(
    game: AnyGame, view: Any, offers: Sequence[Offer[Any]], lesson: Lesson, step: int, playouts: int, seed: int
) -> MeasuredStep:
    """Compare the right actions of a step with its mistakes, from the learner's view alone."""
    keys = [judged(lesson, Progress(step), offer.action).say for offer in offers]  # empty: right
    named = {"", *(mistake.say for mistake in lesson.steps[step].wrong)}
    also = [index for key in named for index in _indices(keys, key)[:MOST_EACH]]
    greedy = greedy_index(game, view, offers, seed)
    found = compare_actions(game, view, offers, greedy, Budget(playouts=playouts), seed, also, MOST_ACTIONS)
    assert found, "this game can be searched"
    best: dict[str, Any] = {}
    for estimate in found.estimates:  # best first
        best.setdefault(keys[estimate.offer] if estimate.offer >= 0 else "wait", estimate)
    right = best.pop("")
    return MeasuredStep(
        right.chance,
        {key: right.chance - each.chance for key, each in best.items()},
        {key: (right.value - each.value) / (each.error or right.error) for key, each in best.items()},
    )


def _indices(keys: Sequence[str], key: str) -> list[int]:
    return [index for index, each in enumerate(keys) if each == key]
