"""Cost of thousands of spectators at one table: `python -m tests.server.under_load.watching [WATCHERS …]`.

The server is one process; the spectators are real sockets of another, which discard what they read. The program prints
the work of a move at the watched table, the delay of the event loop, and the time of a move at another table meanwhile.
"""

import asyncio
import base64
import json
import os
import random
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from pathlib import Path

import msgspec

from jamboree.server.gc_tuning import configure
from jamboree.server.store.store import open_store

from ..bench.local import EVERY, started
from ..bench.online import HOST, Online, online
from .pulse import Pulse
from .stage import Ear

MOVES, PAUSE = 20, 0.5
AT_ONCE = 50
HELLO = json.dumps({"type": "hello", "language": "en"}).encode()


async def measure(server: Online, watchers: int) -> None:
    """Play at a table with so many spectators, and at one without any."""
    table, other = await seated(server), await seated(server)
    crowd = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.server.under_load.watching",
        "--watch",
        str(server.port),
        table[0].session.code,
        str(watchers),
        stdin=PIPE,
        stdout=PIPE,
    )
    assert crowd.stdin and crowd.stdout
    await crowd.stdout.readline()
    configure()
    acks, elsewhere, rng, before = list[float](), list[float](), random.Random(1), time.process_time()
    async with Pulse() as pulse:
        for number in range(MOVES):
            acks.append(await move(table, rng, number))
            for turn in range(5):
                await asyncio.sleep(PAUSE / 5)
                elsewhere.append(await move(other, rng, number * 5 + turn))
    work = (time.process_time() - before) / MOVES
    held, lag, own = pulse.held * 1000, pulse.lag * 1000, statistics.median(acks) * 1000
    others, worst = statistics.median(elsewhere) * 1000, max(elsewhere) * 1000
    print(f"{watchers:5} watch: {work * 1000:.1f} ms of work a move, {held:.1f} ms in one go,", end=" ")
    print(
        f"{lag:.1f} ms waited, acks {own:.1f} ms, at another table {others:.1f} ms and {worst:.1f} ms at most",
        flush=True,
    )
    crowd.stdin.close()
    await crowd.wait()


async def seated(server: Online) -> list[Ear]:
    """Start a game with players who record nothing, since that would cost the server's process time."""
    clients = await started(server.registry, "bebop", 4)
    ears = [Ear(server.registry, client.session.code, client.token) for client in clients]
    for client, ear in zip(clients, ears, strict=True):
        await client.session.end()
        await ear.hello()
    return ears


async def move(ears: list[Ear], rng: random.Random, number: int) -> float:
    state = ears[0].session.registry.tables[ears[0].session.code].state
    (seat,) = state.pending
    action = msgspec.to_builtins(rng.choice(state.game.legal(state.position, seat)).action)
    begun = time.perf_counter()
    assert (await ears[seat].send(type="act", id=f"{number}", action=action))["type"] == "ack"
    return time.perf_counter() - begun


async def main(counts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "tables.db"))
        async with online(store, games=EVERY) as server:
            for count in counts:
                await measure(server, count)
        store.close()


async def watch(port: int, code: str, count: int) -> None:
    """Watch a table over many connections until stdin closes."""
    gate = asyncio.Semaphore(AT_ONCE)
    reading = [asyncio.create_task(look(port, code, gate)) for _ in range(count)]
    for each in await asyncio.gather(*reading):
        each.add_done_callback(lambda _: None)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    os._exit(0)


async def look(port: int, code: str, gate: asyncio.Semaphore) -> "asyncio.Task[None]":
    async with gate:
        reader, writer = await asyncio.open_connection(HOST, port)
        key = base64.b64encode(os.urandom(16)).decode()
        writer.write(
            f"GET /api/v1/tables/{code}/socket HTTP/1.1\r\nHost: {HOST}:{port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        writer.write(bytes([0x81, 0x80 | len(HELLO), 0, 0, 0, 0]) + HELLO)  # a text, masked by nothing
        await reader.read(1)
    return asyncio.create_task(forget(reader, writer))


async def forget(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while await reader.read(1 << 16):
        pass
    writer.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--watch"]:
        asyncio.run(watch(int(sys.argv[2]), sys.argv[3], int(sys.argv[4])))
    else:
        asyncio.run(main([int(each) for each in sys.argv[1:]] or [0, 300, 3_000]))
