"""How the server bears many people: `python -m tests.server.under_load.load [TABLES RATE MOVES ROUNDS]`.

The server is one process on a core of its own, as people run it; all clients are another, and connect as browsers do:
in a language, and able to unpack. Moves fall due on schedule, whatever the answers; a round that falls short by more
than 2 % is void. Printed is what the server measured, from an action's arrival to its durable acknowledgement, without
and with sockets that stall, since a machine has good and bad moments of its own; the bytes of a move for each viewer;
then a round in the middle of which garbage is searched for everywhere, and how long it takes to come back after a
restart. In the other rounds that search is made as a server does it, by its own rule.
"""

import asyncio
import gc
import json
import os
import random
import socket
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Litestar
from websockets.asyncio.client import connect

from jamboree.games import all_games
from jamboree.server.garbage import clean_up, look_lately, search, settle_down
from jamboree.server.http.app import build_app
from jamboree.server.http.sockets import OpenSocket
from jamboree.server.offload import let_the_loop_in
from jamboree.server.protocol.actions import places_in
from jamboree.server.protocol.wire import unpacked
from jamboree.server.serve import free_port, listening
from jamboree.server.store import open_store
from jamboree.server.table.registry import Registry

from ..bench.local import every_action, next_position
from ..bench.online import HOST
from .restart import come_back, opened

STALLED = 50
SETTLING = 1.0  # seconds for the last answers
SHORT = 0.98  # of the moves that fell due: with fewer, a round says nothing
FILLING = b'{"type": "pong", "id": "' + b"x" * 60_000 + b'"}'  # until the buffers on the way are full
QUIET, STALL, GO, DONE = "quiet", "stall", "go", "done"  # what the two processes say to each other


class Plan(NamedTuple):
    tables: int = 1000
    rate: int = 100  # moves a second
    moves: int = 3000  # a round
    rounds: int = 4


async def serve(plan: Plan, folder: Path) -> None:
    """Run the server, have the clients play, and print what it measured."""
    where = str(folder / "tables.db")
    store = open_store(where)
    async with Registry(store, all_games()) as registry:
        app, port = build_app(registry), free_port(HOST, 0)
        async with listening(app, HOST, port):
            places = [await opened(registry, number) for number in range(plan.tables)]
            (folder / "places.json").write_text(json.dumps([port, plan, places]))
            clients = await clients_of(folder)
            await told(clients)
            _take_core(own=True)
            settle_down()
            let_the_loop_in()
            print(f"{plan.tables} tables, {app.state.metrics.sockets} sockets, {plan.rate} moves a second", flush=True)
            cleaning = clean_up(lambda: app.state.metrics.frames)
            besides = [asyncio.create_task(each) for each in (lags(), look_lately(), cleaning)]
            await measure(app, clients, plan)
            for task in besides:
                task.cancel()
            await say(clients, DONE)
            await clients.wait()
    store.close()
    await come_back(where, places)


async def clients_of(folder: Path) -> Process:
    """Start the process that is all the clients."""
    program = (sys.executable, "-m", "tests.server.under_load.load", str(folder))
    return await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE)


async def measure(app: Litestar, clients: Process, plan: Plan) -> None:
    """Have the same played with and without sockets that stall, by turns, and compare."""
    acks, late, work = Acks(app.state.metrics), dict[str, list[float]](), dict[str, list[float]]()
    for number in range(plan.rounds):
        for kind in (QUIET, STALL) if number % 2 == 0 else (STALL, QUIET):
            heard, spent = await play_round(app, clients, kind, acks)
            about = f"with {STALLED} stalled sockets" if kind == STALL else "alone"
            print(f"{about}: {acks.summary()}, {spent * 1000:.2f} ms of work a move; {heard.line(plan)}", flush=True)
            if len(acks.times) >= SHORT * plan.moves and heard.is_on_time(plan):
                late.setdefault(kind, []).append(acks.at(99))
                work.setdefault(kind, []).append(spent)
    if QUIET in late:
        alone = statistics.median(late[QUIET]) * 1000
        print(f"p99 alone, in the middle of {len(late[QUIET])} rounds: {alone:.1f} ms (promised: 50)")
    if late.keys() >= {QUIET, STALL}:
        print(f"with stalled sockets: p99 {ratio(late):.2f} times that (promised: 1.10), work {ratio(work):.2f} times")
    searching = asyncio.create_task(search_in(plan.moves / plan.rate / 2))
    heard, _ = await play_round(app, clients, QUIET, acks)
    print(f"with a search of everything, {await searching}: {acks.summary()}; {heard.line(plan)}", flush=True)


async def play_round(app: Litestar, clients: Process, kind: str, acks: "Acks") -> tuple["Heard", float]:
    """Have one round played, and give what the clients say of it and the seconds of work a move."""
    await say(clients, kind)
    await told(clients)
    if kind == STALL:
        await fill([line for line in app.state.open_sockets if line.session.person is None])
    acks.times.clear()
    before = time.process_time()
    await say(clients, GO)
    heard = Heard(*json.loads(await told(clients)))
    return heard, (time.process_time() - before) / max(1, len(acks.times))


async def search_in(seconds: float) -> str:
    """Search for garbage after a while, and say how long that took."""
    await asyncio.sleep(seconds)
    return f"which took {search() * 1000:.0f} ms among {gc.get_freeze_count()} objects"


class Heard(NamedTuple):
    """What the clients say of a round."""

    seconds: float
    sent: int
    updates: int
    received: int  # bytes of those

    def is_on_time(self, plan: Plan) -> bool:
        return self.sent / self.seconds >= SHORT * plan.rate

    def line(self, plan: Plan) -> str:
        verdict = "" if self.is_on_time(plan) else ", VOID: it fell short"
        size = self.received / max(1, self.updates)
        return (
            f"{self.sent / self.seconds:.1f} moves a second of {plan.rate}{verdict}, {size:.0f} bytes a move and viewer"
        )


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


async def told(clients: Process) -> str:
    """Wait until the clients are done, and give what they say of it."""
    assert clients.stdout
    done, _, heard = (await clients.stdout.readline()).decode().rstrip().partition(" ")
    assert done == DONE
    return heard


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
        self.position: Any = None
        self.every: list[dict[str, Any]] = []  # actions
        self.legal: list[dict[str, Any]] = []
        self.sent = self.updates = self.received = 0

    async def listen(self) -> None:
        async for frame in self.line:
            message = json.loads(frame if isinstance(frame, str) else unpacked(frame))
            if message["type"] == "update":
                self.updates, self.received = self.updates + 1, self.received + len(frame)
            if message["type"] == "welcome":
                self.every = every_action(message["actions"])
            if message["type"] in ("welcome", "update"):
                self.position = next_position(self.position, message)
                self.legal = [self.every[place] for place in places_in(self.position["legal"]["places"])]

    async def move(self) -> None:
        action, self.legal, self.sent = random.choice(self.legal), [], self.sent + 1
        await self.line.send(json.dumps({"type": "act", "id": f"{self.sent}", "action": action}))


async def play(folder: Path) -> None:
    """Be all the clients, and do as the server says."""
    _take_core(own=False)
    port, plan, places = json.loads((folder / "places.json").read_text())
    guests: list[Guest] = []
    async with asyncio.TaskGroup() as group:
        for code, tokens in places:
            for token in tokens:
                guest = Guest(await connect(_address(port, code), compression=None, max_size=None, proxy=None))
                await guest.line.send(json.dumps({"type": "hello", "token": token, "language": "en", "packed": True}))
                group.create_task(guest.listen())
                guests.append(guest)
        await obey(guests, [code for code, _ in places], port, Plan(*plan))
        for guest in guests:
            await guest.line.close()


async def obey(guests: list[Guest], codes: list[str], port: int, plan: Plan) -> None:
    stalled: list[socket.socket] = []
    gc.disable()  # a client that looks for garbage for half a second makes all its moves of that time at once
    print(DONE, flush=True)
    while True:
        word = (await asyncio.to_thread(sys.stdin.readline)).strip()
        if word == DONE:
            return
        if word == GO:
            heard = await keep_moving(guests, plan)
            print(DONE, json.dumps(heard), flush=True)
            continue
        for each in stalled:
            each.close()
        await asyncio.sleep(1)  # in which the server lets go of them
        stalled = [await stall(port, code) for code in codes[:STALLED]] if word == STALL else []
        print(DONE, flush=True)


async def keep_moving(guests: list[Guest], plan: Plan) -> Heard:
    """Make each move when it falls due, whatever became of those before; wait for nobody."""
    begun, before, due = time.monotonic(), _counted(guests), 0.0
    for number in range(plan.moves):
        due = begun + number / plan.rate
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        able = next((guest for guest in random.sample(guests, min(80, len(guests))) if guest.legal), None)
        if able:
            await able.move()
    seconds = time.monotonic() - begun
    await asyncio.sleep(SETTLING)
    sent, updates, received = (after - earlier for after, earlier in zip(_counted(guests), before, strict=True))
    return Heard(seconds, sent, updates, received)


def _counted(guests: list[Guest]) -> tuple[int, int, int]:
    return (
        sum(guest.sent for guest in guests),
        sum(guest.updates for guest in guests),
        sum(guest.received for guest in guests),
    )


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
    plan = Plan(*map(int, sys.argv[1:]))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(serve(plan, Path(folder)))


def _take_core(own: bool) -> None:
    """Keep the server on a core of its own, all its threads, and the clients off it, where there are several."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setaffinity(int(thread.name), cores[:1] if own else cores[1:])


if __name__ == "__main__":
    main()
