"""The attacks. Each runs until it is cancelled; a new one is a function here and an entry in ATTACKS."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from .bodies import WORST
from .crowds import browsers, school, spectators
from .field import BYSTANDER, Field, Swarm, connected, somewhere
from .flood import flood

HEAD = f"GET / HTTP/1.1\r\nHost: {BYSTANDER}\r\n".encode()
LARGE_FILE = "/api/v1/schema/openapi.json"


class Attack(NamedTuple):
    name: str
    size: int  # connections, or people
    run: Callable[[Field, int], Awaitable[None]]
    within: float  # ms: the bystander's p95
    memory: float = 250.0  # MiB that the server may have


async def silent(field: Field, size: int) -> None:
    await Swarm(field, size, b"").keep_up()


async def incomplete_head(field: Field, size: int) -> None:
    await Swarm(field, size, HEAD).keep_up()


async def slow_head(field: Field, size: int) -> None:
    await Swarm(field, size, HEAD).keep_up(b"X-A: b\r\n")


async def slow_body(field: Field, size: int) -> None:
    head = f"POST /api/v1/tables HTTP/1.1\r\nHost: {BYSTANDER}\r\nContent-Type: application/json\r\n"
    await Swarm(field, size, f"{head}Content-Length: 60000\r\n\r\n".encode()).keep_up(b" ")


async def almost_complete_bodies(field: Field, size: int) -> None:
    head = f"POST /api/v1/tables HTTP/1.1\r\nHost: {BYSTANDER}\r\nContent-Type: application/json\r\n"
    await Swarm(field, size, f"{head}Content-Length: 60000\r\n\r\n".encode() + b" " * 59_000).keep_up(b" ")


async def idle(field: Field, size: int) -> None:
    """Ask every eight seconds, which keeps a connection alive."""
    await Swarm(field, size, HEAD + b"\r\n").keep_up(HEAD + b"\r\n", every=8.0)


async def slow_readers(field: Field, size: int) -> None:
    ask = f"GET {LARGE_FILE} HTTP/1.1\r\nHost: {BYSTANDER}\r\n\r\n".encode()
    await Swarm(field, size, ask * 2, reads=False).keep_up()


async def endless_fragments(field: Field, size: int) -> None:
    code, _ = field.table()
    piece = b"\x00\xfe\xff\xff" + bytes(4) + b"x" * 0xFFFF
    await Swarm(field, size, handshake(code)).keep_up(b"\x01\x81" + bytes(4) + b"x" + piece * 4, every=0.05)


async def empty_fragments(field: Field, size: int) -> None:
    code, _ = field.table()
    await Swarm(field, size, handshake(code)).keep_up((b"\x00\x80" + bytes(4)) * 20_000, every=0.05)


async def pings_without_reading(field: Field, size: int) -> None:
    code, _ = field.table()
    pings = (b"\x89\xfd" + bytes(4) + b"p" * 125) * 100
    await Swarm(field, size, handshake(code), reads=False).keep_up(pings, every=0.05)


async def expensive_bodies(field: Field, size: int) -> None:
    async def check(number: int) -> None:
        while True:
            for game, body in WORST:
                head = f"POST /api/v1/games/{game}/check HTTP/1.1\r\nHost: {BYSTANDER}\r\nConnection: close\r\n"
                kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                with contextlib.suppress(OSError):
                    async with connected(field, somewhere(number)) as (reader, writer):
                        writer.write((head + kind).encode() + body)
                        await reader.read()

    await asyncio.gather(*[check(number) for number in range(size)])


def handshake(code: str) -> bytes:
    """Ask for a socket to a table, and say hello without a token."""
    head = f"GET /api/v1/tables/{code}/socket HTTP/1.1\r\nHost: {BYSTANDER}\r\nUpgrade: websocket\r\n"
    keys = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    return (head + keys).encode()


ATTACKS = [
    Attack("silent connections", 5000, silent, 100),
    Attack("incomplete heads", 5000, incomplete_head, 100),
    Attack("heads byte by byte", 5000, slow_head, 100),
    Attack("bodies byte by byte", 5000, slow_body, 100),
    Attack("almost complete bodies", 5000, almost_complete_bodies, 100),
    Attack("idle connections", 5000, idle, 100),
    Attack("slow readers", 2000, slow_readers, 1500),
    Attack("endless fragments", 200, endless_fragments, 500),
    Attack("empty fragments", 200, empty_fragments, 500),
    Attack("pings without reading", 200, pings_without_reading, 1000),
    Attack("a flood from one address", 200, flood, 1000),
    Attack("browsers that arrive together", 60, browsers, 250),
    Attack("a school behind one address", 100, school, 250),
    Attack("spectators of one table", 3000, spectators, 250, memory=400),
    Attack("the most expensive bodies to check", 4, expensive_bodies, 250),
]
