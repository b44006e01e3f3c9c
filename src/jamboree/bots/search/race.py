"""Which actions are still in the race. All were tried in the same worlds, so that they differ by what they are."""

from math import ceil, log2, sqrt
from typing import Any

CLEARLY = 2.5  # standard errors by which an action must be behind to be dropped at once


class Race:
    """Drops what is clearly worse, and the worse half whenever another share of the budget is spent, until so many are
    left as are to be kept."""

    def __init__(self, menu: Any, keep: int = 1) -> None:
        import numpy

        self._numpy, self.menu, self.keep = numpy, numpy.array(menu, "i8"), keep
        self._values = numpy.zeros((0, len(menu)))
        self._rounds, self._round = max(1, ceil(log2(max(len(self.menu), 2)))), 1

    @property
    def is_over(self) -> bool:
        return len(self.menu) <= self.keep

    @property
    def tried(self) -> int:
        """Tell in how many worlds."""
        return len(self._values)

    @property
    def means(self) -> Any:
        return self._values.mean(axis=0)

    def best(self) -> int:
        """Give the best so far; before anything was tried, the first."""
        return int(self.menu[self.means.argmax()] if self.tried else self.menu[0])

    def leaders(self, most: int) -> Any:
        """Give the best so far, best first; before anything was tried, the first."""
        return self.menu[self._order()[:most]] if self.tried else self.menu[:most]

    def take(self, values: Any, spent: float) -> None:
        """Take in how the actions fared; `spent` is the part of the budget that is gone."""
        self._values = self._numpy.vstack([self._values, values])
        kept = self._not_clearly_worse()
        if spent * self._rounds >= self._round:
            self._round += 1
            kept &= self._better_half()
        kept[self._order()[: self.keep]] = True
        self.menu, self._values = self.menu[kept], self._values[:, kept]

    def _not_clearly_worse(self) -> Any:
        leader = self.means.argmax()
        behind = self._values[:, leader : leader + 1] - self._values
        if self.tried < 2:
            return self._numpy.ones(len(self.menu), bool)
        errors = behind.std(axis=0, ddof=1) / sqrt(self.tried)
        return behind.mean(axis=0) <= CLEARLY * errors

    def _better_half(self) -> Any:
        half = self._numpy.zeros(len(self.menu), bool)
        half[self._order()[: ceil(len(self.menu) / 2)]] = True
        return half

    def _order(self) -> Any:
        return self._numpy.argsort(-self.means, kind="stable")
