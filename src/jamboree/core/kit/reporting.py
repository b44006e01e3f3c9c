"""Building blocks of game reports: plans, simulated games, their statistics, and Markdown tables."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any, NamedTuple, Protocol

import msgspec

from jamboree.core.errors import Stalled


class FinishedGame(NamedTuple):
    """A complete game as seen by `Eye.ALL`."""

    opening: Any  # the view before the first action
    steps: list[list[Any]]  # the events of each action
    end: Any  # the view after the last
    winners: list[int]
    scores: list[int]

    @property
    def events(self) -> list[Any]:
        return [event for step in self.steps for event in step]


def share_of_win(winners: list[int], seat: int) -> float:
    """Return a seat's share of the win; a shared win is divided equally."""
    return 1 / len(winners) if seat in winners else 0.0


SIDE_SHARE = 4  # side questions use a quarter of the games
SEED_STEP = 1_000_000  # keeps the seed ranges of reports disjoint

Measure = Callable[[FinishedGame], Any]
"""Extracts statistics from a finished game; must be a module-level function (it is pickled)."""


class Plan(msgspec.Struct, frozen=True):
    """The number of games and the seed of a report."""

    games: int = 2000
    seed: int = 1

    @property
    def side_games(self) -> int:
        return max(self.games // SIDE_SHARE, 1)

    @property
    def seeds(self) -> range:
        return range(self.seed * SEED_STEP, self.seed * SEED_STEP + self.games)

    @property
    def side_seeds(self) -> range:
        return self.seeds[: self.side_games]


class Series(msgspec.Struct, frozen=True):
    """Games with the same options and bots, differing only by seed."""

    game: str
    options: Any
    bots: tuple[str, ...]  # by seat, as the game's roster names them
    measure: Measure | None = None


class GameResult(msgspec.Struct, frozen=True):
    """The result of one game; `failure` is set if it did not finish, and the other fields are empty then."""

    seed: Any  # anything that `random.seed` accepts
    winners: list[int] = []
    scores: list[int] = []
    decisions: int = 0
    facts: Any = None
    failure: str | None = None


Play = Callable[[Series, Sequence[Any]], list[GameResult]]


class Report(Protocol):
    """The module `lab.report` of a game's package."""

    PLAN: Plan  # the default plan

    def total(self, plan: Plan) -> int: ...  # the number of games, for progress display
    def report(self, plan: Plan, play: Play) -> str: ...  # in Markdown


def facts_of(records: Sequence[GameResult]) -> list[Any]:
    """Return the statistics of all games; raise Stalled if one of them did not finish."""
    for record in records:
        if record.failure is not None:
            raise Stalled(f"The game with seed {record.seed} did not finish: {record.failure}")
    return [record.facts for record in records]


def row(*columns: object) -> str:
    return f"| {' | '.join(map(str, columns))} |"


def head(*titles: str, right: bool = False) -> list[str]:
    """Return the header rows of a Markdown table; `right` aligns all columns but the first to the right."""
    rule = ["---", *["---:"] * (len(titles) - 1)] if right else ["---"] * len(titles)
    return [row(*titles), row(*rule)]


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0
