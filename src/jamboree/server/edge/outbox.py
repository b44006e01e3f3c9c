"""Backpressure: a bounded queue of frames for each socket, and a budget over all of them."""

import time
from collections.abc import Callable

from ..wakeup import Wakeup

MAX_PER_READER = 256 * 1024
MAX_TOTAL = 64 * 1024 * 1024
STALLED = 1.0  # seconds after which nothing more is queued for a peer that reads nothing
SHARE = 16  # one reader may use this fraction of what is left


class OutboxBudget:
    """Bytes queued over all sockets; the less is left, the less each may queue."""

    def __init__(self) -> None:
        self.total = 0

    @property
    def per_reader(self) -> int:
        return max(0, min(MAX_PER_READER, (MAX_TOTAL - self.total) // SHARE))


class Outbox:
    """Frames queued for one reader. On overflow all are dropped, and the reader gets a whole position (resync).

    The same happens to a reader that stalls, so that the table builds no frames that nobody will read.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, budget: OutboxBudget | None = None) -> None:
        self.now = now
        self.budget = budget or OutboxBudget()
        self.closed = self.overflowed = False
        self._frames: list[bytes] = []
        self._size = 0
        self._changed = Wakeup()
        self._taken_at: float | None = None  # when the frame that is being sent was taken

    @property
    def has_frames(self) -> bool:
        return bool(self._frames)

    @property
    def behind(self) -> bool:
        """Whether the reader will get a whole position, so that frames need not be queued."""
        if not self.overflowed and self._taken_at is not None and self.now() - self._taken_at > STALLED:
            self.overflow()
        return self.overflowed

    def put(self, frame: bytes) -> None:
        if self.behind:
            return
        if self._frames and self._size + len(frame) > self.budget.per_reader:
            self.overflow()
        else:
            self._frames.append(frame)
            self._grow(len(frame))
        self._changed.notify()

    def overflow(self) -> None:
        """Drop all queued frames, and queue no more until `resume`."""
        self._frames.clear()
        self._grow(-self._size)
        self.overflowed = True

    def _grow(self, size: int) -> None:
        self._size += size
        self.budget.total += size

    def resume(self) -> None:
        """Queue frames again; the next one carries a whole position."""
        self.overflowed = False

    def close(self) -> None:
        self.closed = True
        self._changed.notify()

    async def next(self) -> bytes | None:
        """Wait for a frame; None if the outbox was closed or has overflowed."""
        self._taken_at = None
        while not (self._frames or self.closed or self.overflowed):
            await self._changed.wait()
        if not self._frames:
            return None
        frame = self._frames.pop(0)
        self._grow(-len(frame))
        self._taken_at = self.now()
        return frame
