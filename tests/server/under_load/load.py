"""Load test: `python -m tests.server.under_load.load [TABLES RATE MOVES ROUNDS]`.

The server is one production process on a core of its own; all clients are another process, and connect like browsers,
with a language and compression. Moves are sent on schedule, whatever the answers (an open workload); a round that falls
short by more than 2 % is void. The program prints the server's times from the arrival of an action to its durable
acknowledgement, in rounds without and with stalled sockets in turn, since machines have good and bad moments; the bytes
of a move for each viewer; a round with a full garbage collection in the middle; and the time to recover after a
restart. In all other rounds the server collects garbage by its own rule.
"""

import asyncio
import gc
import json
import statistics
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Litestar

from jamboree.games import all_games
from jamboree.server.gc_tuning import collect_all, collect_when_grown, collect_young, configure
from jamboree.server.http.app import build_app
from jamboree.server.http.sockets import OpenSocket
from jamboree.server.live.registry import Registry
from jamboree.server.offload import shorten_thread_switches
from jamboree.server.serve import free_port, listening
from jamboree.server.store.store import open_store

from ..bench.online import HOST
from .plan import DONE, GO, QUIET, SHORT, STALL, STALLED, Plan, Traffic, take_core, within
from .restart import Places, measure_reload, opened

LONGEST = 2**24  # bytes of what the clients say of a round
FILLING = b'{"type": "pong", "id": "' + b"x" * 60_000 + b'"}'  # until the buffers on the way are full


class Round(NamedTuple):
    kind: str
    times: list[float]  # seconds from the arrival of moves to their durable acknowledgements
    work: float  # seconds of processor time a move
    traffic: Traffic

    def is_valid(self, plan: Plan) -> bool:
        return len(self.times) >= SHORT * plan.moves and self.traffic.is_on_time(plan)

    def line(self, plan: Plan) -> str:
        about = f"with {STALLED} stalled sockets" if self.kind == STALL else "alone"
        at = [f"p{share} {within(self.times, share) * 1000:.1f} ms" for share in (50, 95, 99)]
        took = f"{len(self.times)} moves, {', '.join(at)}, slowest {max(self.times) * 1000:.1f} ms"
        verdict = "" if self.is_valid(plan) else "; VOID: it fell short"
        return f"{about}: {took}, {self.work * 1000:.2f} ms of work a move; {self.traffic.line(plan)}{verdict}"


async def serve(plan: Plan, where: str, folder: Path) -> tuple[list[Round], Places]:
    """Run the server, let the clients play, and print the measurements."""
    store = open_store(where)
    async with Registry(store, all_games()) as registry:
        app, port = build_app(registry), free_port(HOST, 0)
        async with listening(app, HOST, port):
            places = [await opened(registry, number) for number in range(plan.tables)]
            (folder / "places.json").write_text(json.dumps([port, plan, places]))
            clients = await clients_of(folder)
            await reply_of(clients)
            take_core(own=True)
            configure()
            shorten_thread_switches()
            print(f"{plan.tables} tables, {app.state.metrics.sockets} sockets, {plan.rate} moves a second", flush=True)
            cleaning = collect_when_grown(lambda: app.state.metrics.frames)
            besides = [asyncio.create_task(each) for each in (lags(), collect_young(), cleaning)]
            rounds = await measure(app, clients, plan)
            for task in besides:
                task.cancel()
            await say(clients, DONE)
            await clients.wait()
    store.close()
    return rounds, places


async def clients_of(folder: Path) -> Process:
    """Start the process that is all the clients."""
    program = (sys.executable, "-m", "tests.server.under_load.guests", str(folder))
    return await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE, limit=LONGEST)


async def measure(app: Litestar, clients: Process, plan: Plan) -> list[Round]:
    """Have the same played with and without sockets that stall, by turns, and once while garbage is searched for."""
    times, rounds = noted_times(app.state.metrics), list[Round]()
    for number in range(plan.rounds):
        for kind in (QUIET, STALL) if number % 2 == 0 else (STALL, QUIET):
            rounds.append(await play_round(app, clients, kind, times))
            print(rounds[-1].line(plan), flush=True)
    searching = asyncio.create_task(search_in(plan.moves / plan.rate / 2))
    last = await play_round(app, clients, QUIET, times)
    print(f"with a search of everything, {await searching}: {last.line(plan)}", flush=True)
    return rounds


async def play_round(app: Litestar, clients: Process, kind: str, times: list[float]) -> Round:
    await say(clients, kind)
    await reply_of(clients)
    if kind == STALL:
        await fill([line for line in app.state.open_sockets if line.session.person is None])
    times.clear()
    before = time.process_time()
    await say(clients, GO)
    traffic = Traffic(*json.loads(await reply_of(clients)))
    return Round(kind, [*times], (time.process_time() - before) / max(1, len(times)), traffic)


async def search_in(seconds: float) -> str:
    """Search for garbage after a while, and say how long that took."""
    await asyncio.sleep(seconds)
    return f"which took {collect_all() * 1000:.0f} ms among {gc.get_freeze_count()} objects"


def sum_up(rounds: list[Round], plan: Plan) -> None:
    """Print the middle of the rounds that count: a machine has better and worse moments."""
    by_kind = {kind: [each for each in rounds if each.kind == kind and each.is_valid(plan)] for kind in (QUIET, STALL)}
    late = {kind: _middle(within(each.times, 99) for each in those) for kind, those in by_kind.items()}
    work = {kind: _middle(each.work for each in those) for kind, those in by_kind.items()}
    if late[QUIET]:
        alone = late[QUIET] * 1000
        print(f"p99 alone, in the middle of {len(by_kind[QUIET])} rounds: {alone:.1f} ms (promised: 50)")
    if late[QUIET] and late[STALL]:
        more, harder = late[STALL] / late[QUIET], work[STALL] / work[QUIET]
        print(f"with stalled sockets: p99 {more:.2f} times that (promised: 1.10), work {harder:.2f} times")


def _middle(figures: Iterable[float]) -> float:
    known = [*figures]
    return statistics.median(known) if known else 0.0


async def fill(lines: list[OpenSocket]) -> None:
    """Write to unread sockets until their buffers are full."""
    while flowing := [line for line in lines if not line.outbox.has_frames]:
        for line in flowing:
            line.session.deliver(FILLING)
        await asyncio.sleep(0.05)


async def say(clients: Process, word: str) -> None:
    assert clients.stdin
    clients.stdin.write(f"{word}\n".encode())
    await clients.stdin.drain()


async def reply_of(clients: Process) -> str:
    """Wait until the clients are done, and return their report."""
    assert clients.stdout
    done, _, traffic = (await clients.stdout.readline()).decode().rstrip().partition(" ")
    assert done == DONE
    return traffic


async def lags() -> None:
    """Keep the loop's own hiccups in view."""
    while True:
        before = time.monotonic()
        await asyncio.sleep(0.1)
        if (late := time.monotonic() - before - 0.1) > 0.25:
            print(f"the loop was late by {late:.2f} s", flush=True)


def noted_times(metrics: Any) -> list[float]:
    """Return a list to which the server's acknowledgement times are appended."""
    times, noted = list[float](), metrics.acked

    def acked(seconds: float) -> None:
        times.append(seconds)
        noted(seconds)

    metrics.acked = acked
    return times


def main() -> None:
    plan = Plan(*map(int, sys.argv[1:]))
    with tempfile.TemporaryDirectory() as folder:
        where = f"{folder}/tables.db"
        rounds, places = asyncio.run(serve(plan, where, Path(folder)))
        sum_up(rounds, plan)
        asyncio.run(measure_reload(where, places))


if __name__ == "__main__":
    main()
