"""Bounds over all connections: how many there are, how many bytes they make the server hold, and their deadlines.

Memory is bounded as well as connections: the address that holds the most loses its oldest connection.
"""

import asyncio
import heapq
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from uvicorn.server import ServerState

PER_ADDRESS = 1_000  # connections: a browser opens seven, and a school of a hundred shares one address
STALL_TIMEOUT = 15.0  # seconds in which a peer must read MIN_PROGRESS bytes, or all that is left
MIN_PROGRESS = 16 * 1024
MAX_UNREAD = 64 * 1024 * 1024  # bytes that peers have not read yet, over all connections
MAX_UNFINISHED = 32 * 1024 * 1024  # bytes of incomplete requests and messages, over all connections
BATCH = 64  # connections that are accepted or checked before the event loop runs other tasks
READ_SIZE = 4 * 1024  # bytes that are read before the bounds are checked again


class Connection(Protocol):
    address: str  # the rate-limit key of the peer's address

    def evict(self) -> None:
        """Abort the connection at once and remove it from the table."""


class ConnectionTable:
    """Connections by address, with eviction of the longest-waiting one.

    A connection waits until its request has arrived completely, so idle, silent and slow ones count alike. A newcomer
    can always replace a waiting connection: opening many connections does not lock others out (Slowloris).
    """

    def __init__(self, limit: int, per_address: int = PER_ADDRESS, exempt: Callable[[str], bool] | None = None) -> None:
        self.limit = limit
        self.per_address = per_address
        self.exempt = exempt or (lambda address: False)  # trusted proxies: every client comes from there
        self.count_by_address: dict[str, int] = {}
        self.total = self.refused = self.replaced = 0
        self._waiting_by_address: dict[str, dict[Connection, None]] = {}  # the longest-waiting connection first
        self._waiting: dict[Connection, None] = {}

    def admit(self, connection: Connection) -> bool:
        """Count a new connection, replacing a waiting one if a limit is reached; False if it must be refused."""
        count = self.count_by_address.get(connection.address, 0)
        if count >= self.per_address and not self.exempt(connection.address):
            candidates: dict[Connection, None] = self._waiting_by_address.get(connection.address, {})
        elif self.total >= self.limit:
            candidates = self._waiting
        else:
            self._count(connection)
            return True
        longest = next(iter(candidates), None)
        if longest is None:
            self.refused += 1
            return False
        self.replaced += 1
        longest.evict()
        self._count(connection)
        return True

    def _count(self, connection: Connection) -> None:
        self.count_by_address[connection.address] = self.count_by_address.get(connection.address, 0) + 1
        self.total += 1

    def mark_waiting(self, connection: Connection) -> None:
        """The rest of a request, or the next one, is still to come."""
        if connection not in self._waiting:
            self._waiting[connection] = None
            self._waiting_by_address.setdefault(connection.address, {})[connection] = None

    def mark_served(self, connection: Connection) -> None:
        """The request is complete, and the server is working on it."""
        if connection in self._waiting:
            del self._waiting[connection]
            same_address = self._waiting_by_address[connection.address]
            del same_address[connection]
            if not same_address:
                del self._waiting_by_address[connection.address]

    def remove(self, connection: Connection) -> None:
        self.mark_served(connection)
        remaining = self.count_by_address.get(connection.address, 0) - 1
        self.total -= 1
        if remaining > 0:
            self.count_by_address[connection.address] = remaining
        else:
            self.count_by_address.pop(connection.address, None)


class ByteBudget:
    """Bytes held per connection. Beyond the limit, the address that holds the most loses its oldest connection."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.total = self.evicted = 0
        self._held: dict[str, dict[Connection, int]] = {}  # by address; the oldest connection first
        self._by_address: dict[str, int] = {}
        self._heap: list[tuple[int, str]] = []  # the largest first, with outdated entries, which are skipped

    @property
    def is_half_used(self) -> bool:
        return 2 * self.total > self.limit

    def held(self, connection: Connection) -> int:
        return self._held.get(connection.address, {}).get(connection, 0)

    def hold(self, connection: Connection, size: int) -> None:
        """Add bytes to a connection, and evict connections while the total is above the limit."""
        same_address = self._held.setdefault(connection.address, {})
        same_address[connection] = same_address.get(connection, 0) + size
        self._change(connection.address, size)
        while self.total > self.limit:
            largest = self._oldest_of_largest()
            self.release(largest)
            self.evicted += 1
            largest.evict()

    def release(self, connection: Connection) -> None:
        """Release all bytes of a connection."""
        size = self._held.get(connection.address, {}).pop(connection, 0)
        if size:
            self._change(connection.address, -size)

    def _change(self, address: str, size: int) -> None:
        self.total += size
        self._by_address[address] = self._by_address.get(address, 0) + size
        if self._by_address[address]:
            heapq.heappush(self._heap, (-self._by_address[address], address))
        else:
            del self._by_address[address], self._held[address]
        if len(self._heap) > 4 * len(self._by_address) + 64:
            self._heap = [(-held, address) for address, held in self._by_address.items()]
            heapq.heapify(self._heap)

    def _oldest_of_largest(self) -> Connection:
        while self._by_address.get(self._heap[0][1]) != -self._heap[0][0]:
            heapq.heappop(self._heap)
        return next(iter(self._held[self._heap[0][1]]))


class EdgeState(ServerState):
    """What all connections share: uvicorn's state of a server, with our bounds."""

    def __init__(self, table: ConnectionTable) -> None:
        super().__init__()
        self.table = table
        self.unread = ByteBudget(MAX_UNREAD)
        self.unfinished = ByteBudget(MAX_UNFINISHED)
        self.paused: dict[Any, None] = {}  # connections not read while much is unfinished, the longest-paused first

    async def sweep(self, now: float) -> None:
        """Evict the connections that missed a deadline."""
        connections: list[Any] = list(self.connections)
        for start in range(0, len(connections), BATCH):
            for connection in connections[start : start + BATCH]:
                if connection.is_overdue(now):
                    connection.evict()
            await asyncio.sleep(0)

    def forget(self, connection: Connection) -> None:
        """Drop everything that is recorded about an admitted connection."""
        self.unread.release(connection)
        self.paused.pop(connection, None)
        self.request_ended(connection)
        self.table.remove(connection)

    def request_ended(self, connection: Connection) -> None:
        """A request is complete, or will never be; resume reading a paused connection if there is room."""
        self.unfinished.release(connection)
        if self.paused and not self.unfinished.is_half_used:
            longest = next(iter(self.paused))
            del self.paused[longest]
            longest.flow.resume_reading()


class ReadProgress:
    """Detects peers that read too slowly."""

    def __init__(self) -> None:
        self._unread = 0
        self._since = 0.0

    def is_stalled(self, unread: int, now: float) -> bool:
        if unread == 0 or not 0 <= self._unread - unread < MIN_PROGRESS or self._unread == 0:
            self._unread = unread
            self._since = now
        return unread > 0 and now - self._since > STALL_TIMEOUT


def break_reference_cycle(transport: Any) -> None:
    """Cut asyncio's cycle between a transport and its own bound method, so that reference counting frees both."""
    with suppress(AttributeError):  # other transports have none
        transport._read_ready_cb = None
