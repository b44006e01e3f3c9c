"""Frames that wait for slow readers, over all sockets: the less room is left, the less may wait for each."""

import time
from collections.abc import Callable

from ..wakeup import Bell

MOST_WAITING = 256 * 1024  # for one reader
MOST_IN_ALL = 64 * 1024 * 1024
STALLED = 1.0  # seconds after which nothing more is kept for who reads nothing
SHARE = 16  # one reader may have this part of the room that is left


class Waiting:
    def __init__(self) -> None:
        self.total = 0

    @property
    def room(self) -> int:
        """How much may wait for one reader now."""
        return max(0, min(MOST_WAITING, (MOST_IN_ALL - self.total) // SHARE))


class Outbox:
    """Frames on their way to a reader. When more wait than may, all are dropped and the reader is told anew.

    So it goes with a reader who has stalled, too: then the table need not write anything that nobody will read.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, waiting: Waiting | None = None) -> None:
        self.now, self.waiting = now, waiting or Waiting()
        self.closed = self.overflown = False
        self._frames: list[bytes] = []
        self._size = 0
        self._news = Bell()
        self._taken: float | None = None  # when the frame was taken that is being read now

    @property
    def waits(self) -> bool:
        """Tell whether something waits that the reader has not taken yet."""
        return bool(self._frames)

    @property
    def behind(self) -> bool:
        """Tell whether the reader will be told everything anew, so that nothing need be put in here."""
        if not self.overflown and self._taken is not None and self.now() - self._taken > STALLED:
            self.let_go()
        return self.overflown

    def put(self, frame: bytes) -> None:
        if self.behind:
            return
        if self._frames and self._size + len(frame) > self.waiting.room:
            self.let_go()
        else:
            self._frames.append(frame)
            self._grow(len(frame))
        self._news.ring()

    def let_go(self) -> None:
        """Let go of everything that waits, and take nothing more."""
        self._frames.clear()
        self._grow(-self._size)
        self.overflown = True

    def _grow(self, much: int) -> None:
        self._size += much
        self.waiting.total += much

    def read_on(self) -> None:
        """Take frames again; the next one tells everything anew."""
        self.overflown = False

    def close(self) -> None:
        self.closed = True
        self._news.ring()

    async def next(self) -> bytes | None:
        """Wait for a frame; None says to look at what has become of the box."""
        self._taken = None
        while not (self._frames or self.closed or self.overflown):
            await self._news.wait()
        if not self._frames:
            return None
        frame = self._frames.pop(0)
        self._grow(-len(frame))
        self._taken = self.now()
        return frame
