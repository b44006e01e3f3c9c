"""What is measured of a game of Boogie Beasts."""

from collections import Counter
from typing import Any, NamedTuple

from jamboree.core.kit.reporting import FinishedGame

from ..rules.events import JumpersCounted, JumpScored, PromiseJudged


class Facts(NamedTuple):
    """What happened in a game: events counted, final scores."""

    counts: Counter[tuple[Any, ...]]
    scores: list[int]
    actions: int


def measure(played: FinishedGame) -> Facts:
    """Count jumps, their results and points, and promises."""
    counts = Counter[tuple[Any, ...]]()
    for event in played.events:
        match event:
            case JumpersCounted():
                counts["jump", event.jump.number, event.verdict] += 1
            case JumpScored():
                counts["result", event.jump.number, event.result] += 1
                counts["points", event.jump.number, ""] += event.points
            case PromiseJudged():
                counts["promise", event.term.pledge, event.verdict] += 1
    return Facts(counts, played.scores, len(played.steps))
