"""The thinking budget of one decision."""

import msgspec
from msgspec.structs import replace


class Budget(msgspec.Struct, frozen=True):
    """Playouts make a decision reproducible, seconds limit its duration; with both, the first limit reached ends it."""

    playouts: int | None = None
    seconds: float | None = None
    left: float | None = None  # seconds left of the phase, as the seat sees the clock; None without a clock, 0: hurry

    @property
    def is_hurried(self) -> bool:
        """Whether the others wait for this decision, so that there is no time to think."""
        return self.left is not None and self.left <= 0

    def within(self, seconds: float) -> "Budget":
        """Return the budget limited to a number of seconds."""
        return replace(self, seconds=seconds if self.seconds is None else min(seconds, self.seconds))

    def with_time_left(self, left: float | None) -> "Budget":
        """Return the budget with the time left of the phase."""
        return replace(self, left=left)
