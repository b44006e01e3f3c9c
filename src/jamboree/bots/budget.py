"""How much a bot may think about one decision."""

import msgspec
from msgspec.structs import replace


class Budget(msgspec.Struct, frozen=True):
    """Playouts make a choice that can be repeated; seconds one that comes in time. With both, whichever ends first."""

    playouts: int | None = None
    seconds: float | None = None
    left: float | None = None  # of the phase, by the clock that its seat sees; None where none runs

    def within(self, seconds: float) -> "Budget":
        """Allow no more than so many seconds."""
        return replace(self, seconds=seconds if self.seconds is None else min(seconds, self.seconds))

    def before(self, left: float | None) -> "Budget":
        """Say how much time the phase still has."""
        return replace(self, left=left)
