"""Sequential halving over common random numbers: all candidates are valued in the same determinizations, so that paired
differences show early which are worse.
"""

from math import ceil, log2, sqrt
from typing import Any

CLEARLY = 2.5  # standard errors by which a candidate must trail the leader to be dropped at once


class SequentialHalving:
    """The candidates of one decision. After each round of the budget the worse half is dropped, and clearly worse ones
    immediately, until `keep` are left."""

    def __init__(self, candidates: Any, keep: int = 1) -> None:
        import numpy

        self._numpy = numpy
        self.candidates = numpy.array(candidates, "i8")
        self.keep = keep
        self._values = numpy.zeros((0, len(candidates)))  # by world and candidate
        self._rounds, self._round = max(1, ceil(log2(max(len(self.candidates), 2)))), 1

    @property
    def is_over(self) -> bool:
        return len(self.candidates) <= self.keep

    @property
    def worlds(self) -> int:
        """Return the number of worlds in which the candidates were valued."""
        return len(self._values)

    @property
    def means(self) -> Any:
        return self._values.mean(axis=0)

    def best(self) -> int:
        """Return the candidate with the highest mean; the first one if there are no values yet."""
        return int(self.candidates[self.means.argmax()] if self.worlds else self.candidates[0])

    def leaders(self, most: int) -> Any:
        """Return the candidates with the highest means, best first; the first ones if there are no values yet."""
        return self.candidates[self._order()[:most]] if self.worlds else self.candidates[:most]

    def add(self, values: Any, spent: float) -> None:
        """Add values of the candidates in further worlds, then drop some; `spent` is the used share of the budget."""
        self._values = self._numpy.vstack([self._values, values])
        keep = self._not_clearly_worse()
        if spent * self._rounds >= self._round:
            self._round += 1
            keep &= self._better_half()
        keep[self._order()[: self.keep]] = True
        self.candidates, self._values = self.candidates[keep], self._values[:, keep]

    def _not_clearly_worse(self) -> Any:
        leader = self.means.argmax()
        behind = self._values[:, leader : leader + 1] - self._values
        if self.worlds < 2:
            return self._numpy.ones(len(self.candidates), bool)
        errors = behind.std(axis=0, ddof=1) / sqrt(self.worlds)
        return behind.mean(axis=0) <= CLEARLY * errors

    def _better_half(self) -> Any:
        half = self._numpy.zeros(len(self.candidates), bool)
        half[self._order()[: ceil(len(self.candidates) / 2)]] = True
        return half

    def _order(self) -> Any:
        return self._numpy.argsort(-self.means, kind="stable")
