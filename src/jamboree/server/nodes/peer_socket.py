"""TCP connections between servers, with keepalive and timeouts that detect a lost peer within seconds.

A peer with a valid lease in the database may still be unreachable over the network.
"""

import asyncio
import socket

CONNECT_TIMEOUT = 1.0
SILENT, AGAIN, TIMES = 1, 1, 2  # seconds of silence before a probe, seconds between probes, and their number
LOST_AFTER = 3_000  # milliseconds in which sent data must be acknowledged
KEEPALIVE_OPTIONS = {  # by name, since not every system has all of them
    "TCP_NODELAY": 1,
    "TCP_KEEPIDLE": SILENT,
    "TCP_KEEPINTVL": AGAIN,
    "TCP_KEEPCNT": TIMES,
    "TCP_USER_TIMEOUT": LOST_AFTER,
}


class PeerUnreachable(Exception):
    """The peer is down or no longer owns the table; the request had no effect."""


async def connect_to(address: str) -> socket.socket:
    """Connect to a peer. Keepalive detects its loss, so responses need no timeout."""
    host, _, port = address.rpartition(":")
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            return await _connected(host, int(port))
    except OSError as error:
        raise PeerUnreachable from error


async def _connected(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    failure = OSError(f"{host} has no address")
    for family, kind, number, _, where in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        connection = socket.socket(family, kind, number)
        try:
            _configure(connection)
            await loop.sock_connect(connection, where)
            return connection
        except OSError as error:
            connection.close()
            failure = error
        except BaseException:
            connection.close()
            raise
    raise failure


def _configure(connection: socket.socket) -> None:
    connection.setblocking(False)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in KEEPALIVE_OPTIONS.items():
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
