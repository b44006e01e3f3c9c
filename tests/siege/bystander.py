"""A bystander who requests the list of tables, pings a table, and measures the response times.

Runs as a process of its own, so that the work of the attackers does not count: `python -m tests.siege.bystander PORT
CODE TOKEN`. It prints its times when its input ends.
"""

import asyncio
import json
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from websockets.asyncio.client import connect

from .field import BYSTANDER, Field

EVERY = 0.05
GIVES_UP = 30.0
READY = b"ready\n"
Took = dict[str, list[tuple[float, float]]]  # of each kind: when, and how long


class Times(NamedTuple):
    """How long requests took, in seconds; those that came to nothing count as the longest."""

    times: list[float]
    failed: int

    def at(self, share: int) -> float:
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, len(ordered) * share // 100)] if ordered else GIVES_UP


async def get(port: int) -> None:
    reader, writer = await asyncio.open_connection(BYSTANDER, port)
    try:
        writer.write(f"GET /api/v1/tables HTTP/1.1\r\nHost: {BYSTANDER}\r\nConnection: close\r\n\r\n".encode())
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 200"), answer[:80]
    finally:
        writer.close()


async def look_on(port: int, code: str, token: str, stop: asyncio.Event) -> Took:
    """Ask again and again until it is enough."""
    took: Took = {"get": [], "ping": [], "failed": []}
    where = f"ws://{BYSTANDER}:{port}/api/v1/tables/{code}/socket"
    async with connect(where, additional_headers={"authorization": f"Bearer {token}"}, proxy=None) as socket:
        await socket.send(json.dumps({"type": "hello", "token": token}))
        print(READY.decode(), end="", flush=True)
        while not stop.is_set():
            began = time.monotonic()
            try:
                async with asyncio.timeout(GIVES_UP):
                    await get(port)
                took["get"].append((began, time.monotonic() - began))
            except (OSError, TimeoutError, AssertionError):
                took["failed"].append((began, time.monotonic() - began))
            if len(took["get"]) % 5 == 0:
                await _ping(socket, took)
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await stop.wait()
    return took


async def _ping(socket: object, took: Took) -> None:
    began = time.monotonic()
    await socket.send('{"type": "ping", "id": "b"}')  # type: ignore[attr-defined]
    while json.loads(await socket.recv())["type"] != "pong":  # type: ignore[attr-defined]
        pass
    took["ping"].append((began, time.monotonic() - began))


class Bystander:
    """The process, seen from outside."""

    def __init__(self) -> None:
        self.took: Took = {}

    def times(self, kind: str, since: float = 0.0, until: float = float("inf")) -> Times:
        """Return the response times of requests that began between two moments."""
        within = [each for each in (kind, "failed") for at, _ in self.took[each] if since <= at < until]
        took = [long for each in (kind, "failed") for at, long in self.took[each] if since <= at < until]
        return Times(took, within.count("failed"))


@asynccontextmanager
async def a_bystander(field: Field, code: str, token: str) -> AsyncIterator[Bystander]:
    """Run a bystander during the block; afterwards it has the response times."""
    command = [sys.executable, "-m", "tests.siege.bystander", str(field.port), code, token]
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
    seen = Bystander()
    try:
        assert process.stdout
        assert await process.stdout.readline() == READY
        yield seen
        out, _ = await process.communicate(b"")
        seen.took = json.loads(out)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def main() -> None:
    port, code, token = sys.argv[1:]
    stop = asyncio.Event()
    looking = asyncio.create_task(look_on(int(port), code, token, stop))
    await asyncio.to_thread(sys.stdin.read)
    stop.set()
    print(json.dumps(await looking))


if __name__ == "__main__":
    asyncio.run(main())
