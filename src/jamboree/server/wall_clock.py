"""A wall clock for ages of days that tolerates clock changes: nothing ever looks older than it is."""

import time
from collections.abc import Callable


def since_boot() -> float:
    """A monotonic clock that also counts suspended time, where the system has one."""
    try:
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    except (AttributeError, OSError):  # Emscripten has the name, but not the clock
        return time.monotonic()


class WallClock:
    """Two estimates of the time: the system's, and its value at the start plus the monotonic time since.

    They differ after the system clock was changed. Timestamps get the later one; ages are measured by the earlier.
    """

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = since_boot) -> None:
        self._wall, self._steady = wall, steady
        self._ahead = wall() - steady()

    def stamp(self) -> int:
        """The upper estimate, for timestamps."""
        return int(max(self._wall(), self._ahead + self._steady()))

    def lower_bound(self) -> int:
        """The lower estimate, for ages."""
        return int(min(self._wall(), self._ahead + self._steady()))
