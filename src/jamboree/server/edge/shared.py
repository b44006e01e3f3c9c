"""What all connections share, and the deadlines that are looked after once a second."""

import asyncio
from contextlib import suppress
from typing import Any

from uvicorn.server import ServerState

from .connections import Visitor, Visitors
from .ledger import Ledger

UNREAD_FOR = 15.0  # seconds in which a reader must take LEAST_READ bytes, or all that is left
LEAST_READ = 16 * 1024
MOST_UNREAD = 64 * 1024 * 1024  # bytes on their way to readers, over all connections
MOST_UNFINISHED = 32 * 1024 * 1024  # bytes of requests and messages whose end has not come
AT_ONCE = 64  # connections that are let in or looked after before others get their turn
PIECE = 4 * 1024  # bytes that are read before the bounds are looked at again


class Door(ServerState):
    def __init__(self, visitors: Visitors) -> None:
        super().__init__()
        self.visitors = visitors
        self.unread, self.unfinished = Ledger(MOST_UNREAD), Ledger(MOST_UNFINISHED)
        self.stopped: dict[Any, None] = {}  # connections that are not read while much is unfinished, in their order

    async def sweep(self, now: float) -> None:
        """End the connections that took too long; others get their turn in between."""
        connections: list[Any] = list(self.connections)
        for start in range(0, len(connections), AT_ONCE):
            for connection in connections[start : start + AT_ONCE]:
                if connection.is_overdue(now):
                    connection.dismiss()
            await asyncio.sleep(0)

    def forget(self, visitor: Visitor) -> None:
        """Let go of everything that is noted about a visitor who was let in."""
        self.unread.release(visitor)
        self.stopped.pop(visitor, None)
        self.is_finished(visitor)
        self.visitors.leave(visitor)

    def is_finished(self, visitor: Visitor) -> None:
        """Note that all of a request is there, or that none of it will come; another may be read on instead."""
        self.unfinished.release(visitor)
        if self.stopped and not self.unfinished.is_crowded:
            longest = next(iter(self.stopped))
            del self.stopped[longest]
            longest.flow.resume_reading()


class Reading:
    """How a peer takes what is sent to it."""

    def __init__(self) -> None:
        self._left, self._since = 0, 0.0

    def is_stuck(self, left: int, now: float) -> bool:
        """Tell whether a peer reads too slowly, by the bytes that are left for it."""
        if left == 0 or not 0 <= self._left - left < LEAST_READ or self._left == 0:
            self._left, self._since = left, now
        return left > 0 and now - self._since > UNREAD_FOR


def untie(transport: Any) -> None:
    """Cut the circle that a transport of asyncio's makes with a method of its own: nobody has to search for it then."""
    with suppress(AttributeError):  # others make none
        transport._read_ready_cb = None
