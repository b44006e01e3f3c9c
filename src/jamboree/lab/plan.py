"""How much a report plays, and by what it plays it."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from .simulate import Record, Series

SIDE_SHARE = 4  # one game in so many for each side question
SEED_STEP = 1_000_000  # seeds of one report do not reach those of the next

Play = Callable[[Series, Sequence[Any]], list[Record]]


class Plan(msgspec.Struct, frozen=True):
    """How much is played."""

    games: int
    seed: int

    @property
    def side_games(self) -> int:
        return max(self.games // SIDE_SHARE, 1)

    @property
    def seeds(self) -> range:
        return range(self.seed * SEED_STEP, self.seed * SEED_STEP + self.games)

    @property
    def side_seeds(self) -> range:
        return self.seeds[: self.side_games]
