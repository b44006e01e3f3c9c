"""Time until tables are back after a restart: `python -m tests.server.under_load.restart [TABLES MOVES]`.

Some moves are made at tables of Bebop for four, and the server is closed. Then it is opened three times: the tables are
requested one after the other, all at once, and by all players reconnecting at once, without network latency. For the
last two, the median and the worst time are printed. Finally the program itself is started, and every table is requested
over HTTP.
"""

import asyncio
import http.client
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from jamboree.games import all_games
from jamboree.server.gc_tuning import configure
from jamboree.server.live.commands.joining import Join
from jamboree.server.live.commands.playing import Act, Start
from jamboree.server.live.registry import Registry
from jamboree.server.live.session import Session
from jamboree.server.live.table import Table
from jamboree.server.offload import shorten_thread_switches
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import open_store

from ..bench.online import HOST
from ..test_serve import served

SEATS = 4
TABLES, MOVES = 1000, 24  # as many as a table has had at the end of `load`
Places = list[tuple[str, list[str]]]  # codes of tables, and the tokens of their people


async def opened(registry: Registry, number: int) -> tuple[str, list[str]]:
    code, host = await registry.open(OpenTable(game="bebop", seats=SEATS, name=f"Host {number}", listed=False))
    table = await registry.table(code)
    tokens = [host.token, *[(await table.ask(Join(f"Guest {seat}"))).token for seat in range(1, SEATS)]]
    await table.ask(Start(), host.person)
    return code, tokens


async def play(table: Table, moves: int) -> None:
    for number in range(moves):
        state = table.state
        seat = next(iter(state.pending))
        action = random.choice(state.game.legal(state.position, seat)).action
        await table.ask(Act(msgspec.to_builtins(action), id=f"{number}"), state.roster.person_at(seat))


class Reader:
    """A client that reads everything at once."""

    behind = False

    def put(self, frame: bytes) -> None: ...
    def close(self) -> None: ...


async def measure_reload(where: str, places: Places) -> None:
    """Print how soon tables are there again, asked for in three ways."""
    async with reopened(where) as registry:
        begun, worked = time.perf_counter(), time.process_time()
        for code, _ in places:
            await registry.table(code)
        spent, work = time.perf_counter() - begun, time.process_time() - worked
        each = work / len(places) * 1000
        print(f"{len(places)} tables back after a restart: {spent:.2f} s (promised: 1), {each:.2f} ms of work each")
    async with reopened(where) as registry:
        print(f"all asked for at once: {await timed(registry.table(code) for code, _ in places)}")
    async with reopened(where) as registry:
        everybody = (greet(registry, code, token) for code, tokens in places for token in tokens)
        print(f"all people back at once: {await timed(everybody)}")
    await asyncio.to_thread(look_at_all, where, [code for code, _ in places])


def look_at_all(where: str, codes: list[str]) -> None:
    """Print how soon a server that is started has answered for every table, one after the other."""
    begun = time.perf_counter()
    with served(where, "--port", "0") as (_, port):
        up, line = time.perf_counter() - begun, http.client.HTTPConnection(HOST, port, timeout=60)
        for code in codes:
            line.request("GET", f"/api/v1/tables/{code}")
            answer = line.getresponse()
            assert answer.status == 200 and json.loads(answer.read())["status"] == "playing"
        line.close()
        spent = time.perf_counter() - begun
    print(f"the program: up {up:.2f} s after it was started, all {len(codes)} tables served after {spent:.2f} s")


@asynccontextmanager
async def reopened(where: str) -> AsyncIterator[Registry]:
    store = open_store(where)
    async with Registry(store, all_games()) as registry:
        yield registry
    store.close()


async def greet(registry: Registry, code: str, token: str) -> None:
    hello = {"type": "hello", "token": token, "language": "en", "packed": True}
    session = Session(registry, code, Reader())  # type: ignore[arg-type]
    await session.receive(json.dumps(hello))
    assert session.table, "everybody is let in"


async def timed(asked: Iterable[Awaitable[object]]) -> str:
    """Return how long concurrent requests took."""
    begun, worked = time.perf_counter(), time.process_time()

    async def wait_for(one: Awaitable[object]) -> float:
        await one
        return time.perf_counter() - begun

    times = await asyncio.gather(*map(wait_for, asked))
    work = (time.process_time() - worked) / len(times) * 1000
    middle, last = statistics.median(times), max(times)
    return f"half of {len(times)} after {middle:.2f} s, the last after {last:.2f} s, {work:.2f} ms of work each"


async def measure(tables: int, moves: int, where: str) -> None:
    store = open_store(where)
    async with Registry(store, all_games()) as registry:
        places = [await opened(registry, number) for number in range(tables)]
        for code, _ in places:
            await play(await registry.table(code), moves)
    store.close()
    configure()
    shorten_thread_switches()
    await measure_reload(where, places)


def main() -> None:
    tables, moves = [*map(int, sys.argv[1:]), *(TABLES, MOVES)[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(tables, moves, str(Path(folder) / "tables.db")))


if __name__ == "__main__":
    main()
