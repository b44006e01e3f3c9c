"""A histogram of durations in Prometheus' text format."""

from bisect import bisect_left
from collections.abc import Sequence

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class Histogram:
    def __init__(self, bounds: Sequence[float] = BOUNDS) -> None:
        self._bounds, self._counts = bounds, [0] * (len(bounds) + 1)
        self._seconds = 0.0

    def note(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._seconds += seconds

    def lines(self, name: str, about: str) -> list[str]:
        total, lines = 0, [f"# HELP {name} {about}", f"# TYPE {name} histogram"]
        for bound, count in zip((*self._bounds, "+Inf"), self._counts, strict=True):
            total += count
            lines.append(f'{name}_bucket{{le="{bound}"}} {total}')
        return [*lines, f"{name}_sum {self._seconds}", f"{name}_count {total}"]
