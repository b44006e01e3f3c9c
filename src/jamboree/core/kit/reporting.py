"""What a report on a game is made of: how much is played, series of games between bots, tables of what came out."""

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean
from typing import Any, Protocol

import msgspec

from jamboree.core.errors import Stalled

from .measuring import Played

SIDE_SHARE = 4  # one game in so many for each side question
SEED_STEP = 1_000_000  # seeds of one report do not reach those of the next

Measure = Callable[[Played], Any]
"""Reads what is wanted off a game that was played; a function of a module."""


class Plan(msgspec.Struct, frozen=True):
    """How much is played."""

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
    """Games that differ by nothing but chance."""

    game: str
    options: Any
    bots: tuple[str, ...]  # by seat, as the game's roster names them
    measure: Measure | None = None


class Record(msgspec.Struct, frozen=True):
    """How one game went; a failure says why it has no end, and leaves the rest empty."""

    seed: Any  # whatever a generator can be seeded with
    winners: list[int] = []
    scores: list[int] = []
    decisions: int = 0
    facts: Any = None
    failure: str | None = None


Play = Callable[[Series, Sequence[Any]], list[Record]]


class Report(Protocol):
    """The module `lab.report` of a game's package."""

    PLAN: Plan  # what is played if nobody says otherwise

    def total(self, plan: Plan) -> int: ...  # games to be played, for those who wait
    def report(self, plan: Plan, play: Play) -> str: ...  # in Markdown


def facts_of(records: Sequence[Record]) -> list[Any]:
    """Give what was measured of games that all came to their end; one that did not stops a report with its reason."""
    for record in records:
        if record.failure is not None:
            raise Stalled(f"The game of seed {record.seed} has no end: {record.failure}")
    return [record.facts for record in records]


def row(*columns: object) -> str:
    return f"| {' | '.join(map(str, columns))} |"


def head(*titles: str, right: bool = False) -> list[str]:
    """Begin a table; figures may stand on the right, below titles that do."""
    rule = ["---", *["---:"] * (len(titles) - 1)] if right else ["---"] * len(titles)
    return [row(*titles), row(*rule)]


def mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0
