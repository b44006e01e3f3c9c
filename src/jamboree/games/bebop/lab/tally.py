"""What games on a Bebop board tell about the board: measured game by game, then taken together."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev

import msgspec

from jamboree.core.kit.measuring import share_of_win
from jamboree.core.kit.reporting import Record, mean

from .measure import Facts

PERFORMED_GOAL = (0.60, 0.95)
FIRST_GOAL = 0.04  # how far the first player's share of wins may be from a fair one


class Tally(msgspec.Struct, frozen=True):
    """All games of one board and number of players; shares are between 0 and 1."""

    players: int
    games: int
    dead_ends: int
    performed: float
    least: tuple[str, float]  # the stage that performed least, and its share
    stuck: float
    score: tuple[float, float, float]  # of everybody, the winner, the last
    sources: tuple[float, float, float]
    first: float  # the first player's share of wins, a shared win being divided
    error: float  # the standard error of that
    vips: float
    passes: float

    @property
    def gap(self) -> float:
        return self.first - 1 / self.players

    def misses(self) -> list[str]:
        """Name the goals that are missed."""
        missed = {
            "dead ends": self.dead_ends > 0,
            "stages": not PERFORMED_GOAL[0] <= self.performed <= PERFORMED_GOAL[1],
            "first seat": abs(self.gap) > FIRST_GOAL,
        }
        return [goal for goal, is_missed in missed.items() if is_missed]


def tally(records: Sequence[Record], players: int) -> Tally:
    ended = [record for record in records if record.failure is None]
    facts: list[Facts] = [record.facts for record in ended]
    first = [share_of_win(record.winners, fact.first) for record, fact in zip(ended, facts, strict=True)]
    stages = _by_stage(facts)
    return Tally(
        players=players,
        games=len(records),
        dead_ends=len(records) - len(ended),
        performed=mean(stages.values()),
        least=min(stages.items(), key=lambda item: item[1], default=("-", 0.0)),
        stuck=mean(fact.stuck / players for fact in facts),
        score=_scores([record.scores for record in ended]),
        sources=_sources(facts),
        first=mean(first),
        error=stdev(first) / sqrt(len(first)) if len(first) > 1 else 0.0,
        vips=mean(fact.vips / players for fact in facts),
        passes=mean(fact.passes / players for fact in facts),
    )


def _by_stage(facts: list[Facts]) -> dict[str, float]:
    letters = facts[0].performed if facts else {}
    return {letter: mean(fact.performed[letter] for fact in facts) for letter in letters}


def _scores(games: list[list[int]]) -> tuple[float, float, float]:
    return mean(map(fmean, games)), mean(map(max, games)), mean(map(min, games))


def _sources(facts: list[Facts]) -> tuple[float, float, float]:
    families, stages, majorities = (sum(fact.sources[source] for fact in facts) for source in range(3))
    total = max(families + stages + majorities, 1)
    return families / total, stages / total, majorities / total
