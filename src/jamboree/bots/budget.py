"""How much a bot may think about one decision."""

import msgspec


class Budget(msgspec.Struct, frozen=True):
    """Playouts make a choice that can be repeated; seconds one that comes in time. With both, whichever ends first."""

    playouts: int | None = None
    seconds: float | None = None

    def within(self, seconds: float) -> "Budget":
        """Allow no more than so many seconds."""
        return Budget(self.playouts, seconds if self.seconds is None else min(seconds, self.seconds))
