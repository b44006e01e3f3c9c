"""The date, for what lasts days. A wall clock can jump, so nothing is taken to be older than it surely is."""

import time
from collections.abc import Callable


def since_boot() -> float:
    """Count seconds that no setting of the clock changes; where it can be done, also those a machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


class WallClock:
    """Two opinions of the date: what the machine says, and what it said at the start with the seconds since.

    They differ when the clock was set, rightly or not. What is stamped gets the later one, and what is asked whether it
    is old enough gets the earlier one: nothing ever looks older than it is since this server runs.
    """

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = since_boot) -> None:
        self._wall, self._steady = wall, steady
        self._ahead = wall() - steady()

    def stamp(self) -> int:
        """Give the date to write on what is used now."""
        return int(max(self._wall(), self._ahead + self._steady()))

    def surely(self) -> int:
        """Give a date that has certainly come."""
        return int(min(self._wall(), self._ahead + self._steady()))
