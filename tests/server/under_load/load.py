"""How the server bears many people: `python -m tests.server.under_load.load [TABLES SECONDS ROUNDS]`.

The server is one process, as people run it; all clients are another. Printed is what the server measured: from an
action's arrival to its durable acknowledgement, in rounds without and with sockets that stall, since a machine has good
and bad moments of its own; then how long it takes to come back after a restart.
"""

import asyncio
import gc
import json
import random
import socket
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any

from litestar import Litestar
from websockets.asyncio.client import connect

from jamboree.games import all_games
from jamboree.server.commands.command import Join, Start
from jamboree.server.http.app import build_app
from jamboree.server.http.sockets import OpenSocket
from jamboree.server.serve import free_port, listening
from jamboree.server.store import open_store
from jamboree.server.table.registry import Registry

from ..bench.local import actions
from ..bench.online import HOST

SEATS, MOVES_A_SECOND, STALLED = 4, 100, 50
FILLING = b'{"type": "pong", "id": "' + b"x" * 60_000 + b'"}'  # until the buffers on the way are full
QUIET, STALL, GO, DONE = "quiet", "stall", "go", "done"  # what the two processes say to each other


async def opened(registry: Registry, number: int) -> tuple[str, list[str]]:
    code, host = await registry.open("bebop", SEATS, {}, f"Host {number}", False)
    table = await registry.table(code)
    tokens = [host.token, *[(await table.ask(Join(f"Guest {seat}"))).token for seat in range(1, SEATS)]]
    await table.ask(Start(host.person))
    return code, tokens


async def serve(tables: int, seconds: float, rounds: int, folder: Path) -> None:
    """Run the server, have the clients play, and print what it measured."""
    where = str(folder / "tables.db")
    store = open_store(where)
    async with Registry(store, all_games()) as registry:
        app, port = build_app(registry), free_port(HOST, 0)
        async with listening(app, HOST, port):
            places = [await opened(registry, number) for number in range(tables)]
            (folder / "places.json").write_text(json.dumps([port, seconds, places]))
            clients = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.server.under_load.load", str(folder), stdin=PIPE, stdout=PIPE
            )
            await told(clients)
            gc.freeze()  # as the server does once it is up
            print(f"{tables} tables, {app.state.metrics.sockets} sockets, {MOVES_A_SECOND} moves a second", flush=True)
            lag = asyncio.create_task(lags())
            await measure(app, clients, rounds)
            lag.cancel()
            await say(clients, DONE)
            await clients.wait()
    store.close()
    await come_back(where, [code for code, _ in places])


async def measure(app: Litestar, clients: Process, rounds: int) -> None:
    """Have the same played with and without sockets that stall, by turns, and compare."""
    acks, late, work = Acks(app.state.metrics), dict[str, list[float]](), dict[str, list[float]]()
    for number in range(rounds):
        for kind in (QUIET, STALL) if number % 2 == 0 else (STALL, QUIET):
            await say(clients, kind)
            await told(clients)
            if kind == STALL:
                await fill([line for line in app.state.open_sockets if line.session.person is None])
            acks.times.clear()
            before = time.process_time()
            await say(clients, GO)
            await told(clients)
            late.setdefault(kind, []).append(acks.at(99))
            work.setdefault(kind, []).append((time.process_time() - before) / len(acks.times))
            about = f"with {STALLED} stalled sockets" if kind == STALL else "alone"
            print(f"{about}: {acks.summary()}, {work[kind][-1] * 1000:.1f} ms of work a move", flush=True)
    alone = statistics.median(late[QUIET]) * 1000
    print(f"p99 alone, in the middle of {rounds} rounds: {alone:.1f} ms (promised: 50)")
    print(f"with stalled sockets: p99 {ratio(late):.2f} times that (promised: 1.10), work {ratio(work):.2f} times")


def ratio(figures: dict[str, list[float]]) -> float:
    """Compare the middle of the rounds: a machine has better and worse moments."""
    return statistics.median(figures[STALL]) / statistics.median(figures[QUIET])


async def fill(lines: list[OpenSocket]) -> None:
    """Write to sockets that nobody reads until nothing more fits in."""
    while flowing := [line for line in lines if not line.outbox.waits]:
        for line in flowing:
            line.session.deliver(FILLING)
        await asyncio.sleep(0.05)


async def say(clients: Process, word: str) -> None:
    assert clients.stdin
    clients.stdin.write(f"{word}\n".encode())
    await clients.stdin.drain()


async def told(clients: Process) -> None:
    assert clients.stdout
    assert await clients.stdout.readline() == f"{DONE}\n".encode()


async def come_back(where: str, codes: list[str]) -> None:
    begun = time.perf_counter()
    store = open_store(where)
    async with Registry(store, all_games()) as registry:
        for code in codes:
            await registry.table(code)
        print(f"{len(codes)} tables back after a restart: {time.perf_counter() - begun:.2f} s (promised: 2)")
    store.close()


async def lags() -> None:
    """Keep the loop's own hiccups in view."""
    while True:
        before = time.monotonic()
        await asyncio.sleep(0.1)
        if (late := time.monotonic() - before - 0.1) > 0.25:
            print(f"the loop was late by {late:.2f} s", flush=True)


class Acks:
    """The times of acknowledgements, taken as the server notes them."""

    def __init__(self, metrics: Any) -> None:
        self.times: list[float] = []
        noted = metrics.acked

        def acked(seconds: float) -> None:
            self.times.append(seconds)
            noted(seconds)

        metrics.acked = acked

    def at(self, share: int) -> float:
        """Give the time within which so many in a hundred were acknowledged."""
        times = sorted(self.times)
        return times[min(len(times) - 1, len(times) * share // 100)]

    def summary(self) -> str:
        at = [f"p{share} {self.at(share) * 1000:.1f} ms" for share in (50, 95, 99)]
        return f"{len(self.times)} moves, {', '.join(at)}, slowest {max(self.times) * 1000:.1f} ms"


class Guest:
    """One socket that plays random legal moves when told to."""

    def __init__(self, line: Any) -> None:
        self.line = line
        self.legal: list[dict[str, Any]] = []
        self.sent = 0

    async def listen(self) -> None:
        async for text in self.line:
            message = json.loads(text)
            if message["type"] in ("welcome", "update"):
                self.legal = actions(message["position"]["legal"])

    async def move(self) -> None:
        action, self.legal, self.sent = random.choice(self.legal), [], self.sent + 1
        await self.line.send(json.dumps({"type": "act", "id": f"{self.sent}", "action": action}))


async def play(folder: Path) -> None:
    """Be all the clients, and do as the server says."""
    port, seconds, places = json.loads((folder / "places.json").read_text())
    guests: list[Guest] = []
    async with asyncio.TaskGroup() as group:
        for code, tokens in places:
            for token in tokens:
                guest = Guest(await connect(_address(port, code), compression=None, max_size=None, proxy=None))
                await guest.line.send(json.dumps({"type": "hello", "token": token}))
                group.create_task(guest.listen())
                guests.append(guest)
        await obey(guests, [code for code, _ in places], port, seconds)
        for guest in guests:
            await guest.line.close()


async def obey(guests: list[Guest], codes: list[str], port: int, seconds: float) -> None:
    stalled: list[socket.socket] = []
    while True:
        print(DONE, flush=True)
        word = (await asyncio.to_thread(sys.stdin.readline)).strip()
        if word == DONE:
            return
        if word == GO:
            await keep_moving(guests, seconds)
            continue
        for each in stalled:
            each.close()
        await asyncio.sleep(1)  # in which the server lets go of them
        stalled = [await stall(port, code) for code in codes[:STALLED]] if word == STALL else []


async def keep_moving(guests: list[Guest], seconds: float) -> None:
    end, due = time.monotonic() + seconds, time.monotonic()
    while (now := time.monotonic()) < end:
        due = max(due + 1 / MOVES_A_SECOND, now - 0.1)
        able = [guest for guest in random.sample(guests, 40) if guest.legal]
        if able:
            await able[0].move()
        await asyncio.sleep(max(0.0, due - time.monotonic()))


async def stall(port: int, code: str) -> socket.socket:
    """Open a socket by hand to watch a table, and never read again."""
    loop, line = asyncio.get_running_loop(), socket.socket()
    line.setblocking(False)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    await loop.sock_connect(line, (HOST, port))
    head = f"GET /api/v1/tables/{code}/socket HTTP/1.1\r\nHost: {HOST}:{port}\r\nUpgrade: websocket\r\n"
    keys = "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    await loop.sock_sendall(line, (head + keys).encode())
    await loop.sock_recv(line, 1024)
    hello = json.dumps({"type": "hello"}).encode()
    await loop.sock_sendall(line, bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # masked by zeros
    return line


def _address(port: int, code: str) -> str:
    return f"ws://{HOST}:{port}/api/v1/tables/{code}/socket"


def main() -> None:
    if len(sys.argv) == 2 and Path(sys.argv[1]).is_dir():
        asyncio.run(play(Path(sys.argv[1])))
        return
    tables, seconds, rounds = (int(each) for each in sys.argv[1:4]) if len(sys.argv) == 4 else (1000, 8, 4)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(serve(tables, seconds, rounds, Path(folder)))


if __name__ == "__main__":
    main()
