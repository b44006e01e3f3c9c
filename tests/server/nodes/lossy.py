"""A connection between two servers that can lose everything silently, like a pulled network cable."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from ctypes import addressof, create_string_buffer

from ..bench.fake_time import until
from ..bench.online import HOST
from .bench import Served, execute

ATTACH_FILTER = 26  # SO_ATTACH_FILTER, which the socket module does not name
TAKE_NOTHING = create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))  # "return 0": no byte of any packet is let in


class Way:
    """Leads to a port of this machine until it is cut."""

    def __init__(self, port: int) -> None:
        self.to = port
        self._near: list[socket.socket] = []
        self._far: list[socket.socket] = []
        self._carrying: set[asyncio.Task[None]] = set()

    @property
    def carried(self) -> int:
        """How many connections were led on so far."""
        return len(self._far)

    def cut(self) -> None:
        """Lose every packet from now on: of connections there are, and of those that are tried."""
        program = struct.pack("HL", 1, addressof(TAKE_NOTHING))
        for each in self._near:
            with suppress(OSError):
                each.setsockopt(socket.SOL_SOCKET, ATTACH_FILTER, program)
        for task in self._carrying:
            task.cancel()

    async def run(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        self._near.append(listener)
        while True:
            near, _ = await loop.sock_accept(listener)
            far = socket.create_connection((HOST, self.to))
            self._near.append(near)
            self._far.append(far)
            for one, other in ((near, far), (far, near)):
                one.setblocking(False)
                self._carrying.add(asyncio.create_task(_carry(one, other)))

    def close(self) -> None:
        for task in self._carrying:
            task.cancel()
        for each in (*self._near, *self._far):
            each.close()


async def _carry(one: socket.socket, other: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    with suppress(OSError):
        while data := await loop.sock_recv(one, 65536):
            await loop.sock_sendall(other, data)
        other.shutdown(socket.SHUT_WR)


@asynccontextmanager
async def a_way(to: int) -> AsyncIterator[tuple[Way, int]]:
    """Lead to a port from another one, until that is cut."""
    way = Way(to)
    with socket.create_server((HOST, 0)) as listener:
        listener.setblocking(False)
        running = asyncio.create_task(way.run(listener))
        try:
            yield way, listener.getsockname()[1]
        finally:
            running.cancel()
            way.close()


@asynccontextmanager
async def a_way_to(shared: str, served: Served, other: Served) -> AsyncIterator[Way]:
    """Have another server reach one by a way that can be cut."""
    lease = served.member.node.lease
    async with a_way(int(lease.address.rpartition(":")[2])) as (way, port):
        address = f"{HOST}:{port}"
        await execute(shared, "UPDATE nodes SET address = %s WHERE run = %s", address, lease.run)
        await until(lambda: [peer.address for peer in other.member.node.peers.values()] == [address])
        yield way
