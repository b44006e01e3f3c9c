"""What a search has found: sums over the worlds in which its candidates were valued."""

from math import sqrt

import msgspec

from jamboree.fast.search import DROPPED, GAINS, PLAYOUTS, PRODUCTS, SHARES, SQUARES, TOTAL, VISITS, WORLDS


class Findings(msgspec.Struct, frozen=True):
    """The arrays of a finished search, by candidate; `fast/search.py` describes their contents."""

    candidates: list[int]
    best: int  # the position of the best candidate that remains
    remains: list[int]
    progress: list[int]
    values: list[list[float]]
    by_seat: list[list[list[float]]]

    @property
    def choice(self) -> int:
        """The best candidate."""
        return self.candidates[self.best]

    @property
    def playouts(self) -> int:
        return self.progress[PLAYOUTS]

    @property
    def worlds(self) -> int:
        """How many worlds there were, those before this search included."""
        return self.progress[WORLDS]

    @property
    def leaders(self) -> list[int]:
        """The positions of the candidates that remain, best first."""
        remaining = [k for k, remains in enumerate(self.remains) if remains != DROPPED]
        return sorted(remaining, key=lambda k: -self.values[k][TOTAL])

    def visits(self, k: int) -> int:
        return int(self.values[k][VISITS])

    def mean(self, k: int) -> float:
        """Return the mean value of a candidate."""
        return self.values[k][TOTAL] / self.values[k][VISITS]

    def error(self, k: int, other: int) -> float:
        """Return the standard error of the paired difference between two candidates."""
        squares = self._product(k, k) + self._product(other, other) - 2 * self._product(k, other)
        return _standard_error(self.values[other][TOTAL] - self.values[k][TOTAL], squares, self.visits(k))

    def chances(self, k: int) -> list[float]:
        """Return every seat's chance to win with a candidate."""
        return [sums[SHARES] / self.values[k][VISITS] for sums in self.by_seat[k]]

    def gain(self, k: int, seat: int) -> float:
        """Return how many points more a seat gets than with the first candidate."""
        return self.by_seat[k][seat][GAINS] / self.values[k][VISITS]

    def gain_error(self, k: int, seat: int) -> float:
        """Return the standard error of a gain."""
        sums = self.by_seat[k][seat]
        return _standard_error(sums[GAINS], sums[SQUARES], self.visits(k))

    def _product(self, k: int, other: int) -> float:
        return self.values[k][PRODUCTS + other]


def _standard_error(total: float, squares: float, visits: int) -> float:
    """Return the standard error of a mean, from the sum and the sum of squares of some values."""
    return sqrt(max(0.0, squares / visits - (total / visits) ** 2) / (visits - 1)) if visits > 1 else 0.0
