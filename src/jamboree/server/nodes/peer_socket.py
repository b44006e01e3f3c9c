"""A line to another server, on which it is noticed soon when nothing gets through any more.

Lease and line are two things: a server that both of us know to be alive by the database may be out of reach.
"""

import asyncio
import socket

CONNECT_WITHIN = 1.0
SILENT, AGAIN, TIMES = 1, 1, 2  # seconds without a word before the other system is asked; seconds between; how often
LOST_AFTER = 3_000  # milliseconds after which what was sent must have arrived
NOTICES = {  # by the names of options, of which not every system has all
    "TCP_NODELAY": 1,
    "TCP_KEEPIDLE": SILENT,
    "TCP_KEEPINTVL": AGAIN,
    "TCP_KEEPCNT": TIMES,
    "TCP_USER_TIMEOUT": LOST_AFTER,
}


class Unreached(Exception):
    """Nothing was done: the server is not there, or does not have the table any more."""


async def line_to(address: str) -> socket.socket:
    """Connect to another server. Whether it is still there the system asks, so that answers may take their time."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(CONNECT_WITHIN):
            return await _connected(host, int(port))
    except OSError as error:
        raise Unreached from error


async def _connected(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    trouble = OSError(f"{host} has no address")
    for family, kind, number, _, where in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        line = socket.socket(family, kind, number)
        try:
            _make_noticing(line)
            await loop.sock_connect(line, where)
            return line
        except OSError as error:
            line.close()
            trouble = error
        except BaseException:
            line.close()
            raise
    raise trouble


def _make_noticing(line: socket.socket) -> None:
    line.setblocking(False)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in NOTICES.items():
        if hasattr(socket, option):
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
