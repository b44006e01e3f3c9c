"""Memory of tables and sockets: `python -m tests.server.under_load.memory [TABLES]`.

Tables of Bebop for four are opened and started without connections. Their memory is measured when they have just been
opened, when they rest after an idle minute, and when they are unloaded. Then four clients connect to each table, which
is loaded again, and stay idle until the tables rest. The clients are a process of their own. The figures are memory in
use in the server's process, not memory that it got from the system, which hardly shrinks. Some hundred other tables and
the clients of one of them first fill shared and bounded memory, such as the page cache of the database.
"""

import asyncio
import ctypes
import gc
import json
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from jamboree.games import all_games
from jamboree.server.http.app import build_app
from jamboree.server.live.registry import Registry
from jamboree.server.live.table import REST_AFTER
from jamboree.server.serve import free_port, listening
from jamboree.server.store.store import open_store

from ..bench.online import HOST
from .load import clients_of, reply_of, say
from .plan import DONE, Plan
from .restart import SEATS, opened

TABLES, FIRST = 250, 500


class Weights(NamedTuple):
    """Bytes of a table in three situations, and of a socket."""

    fresh: float
    resting: float
    put_away: float
    socket: float


async def weigh(tables: int, folder: Path) -> Weights:
    store = open_store(str(folder / "tables.db"))
    async with Registry(store, all_games()) as registry:
        app, port = build_app(registry), free_port(HOST, 0)
        async with listening(app, HOST, port):
            async with guests(port, [await opened(registry, 0)], folder):
                pass
            for number in range(FIRST):
                await opened(registry, number)
            await resting(registry)
            empty = in_use()
            places = [await opened(registry, number) for number in range(tables)]
            fresh = in_use()
            await resting(registry)
            rested = in_use()
            for code, _ in places:
                await registry.unload(code)
            away = in_use()
            async with guests(port, places, folder):
                await resting(registry)
                busy, sockets = in_use(), app.state.metrics.sockets
    store.close()
    assert sockets == tables * SEATS
    fresh_table, resting_table, away_table = ((weight - empty) / tables for weight in (fresh, rested, away))
    return Weights(fresh_table, resting_table, away_table, (busy - rested) / sockets)


async def resting(registry: Registry) -> None:
    await asyncio.sleep(REST_AFTER + 2 * registry.services.tempo.keep_clock)


@asynccontextmanager
async def guests(port: int, places: list[tuple[str, list[str]]], folder: Path) -> AsyncIterator[None]:
    """Connect everyone to their tables until the end of the block."""
    (folder / "places.json").write_text(json.dumps([port, Plan(len(places)), places]))
    clients = await clients_of(folder)
    await reply_of(clients)
    yield
    await say(clients, DONE)
    await clients.wait()


class Mallinfo(ctypes.Structure):
    """What C's allocator says of itself."""

    NAMES = ("arena", "free", "small", "maps", "mapped", "top", "fast", "used", "unused", "kept")
    _fields_ = [(name, ctypes.c_size_t) for name in NAMES]


def in_use() -> int:
    """Count the bytes of small objects, as Python prints them, and all memory allocated with malloc."""
    gc.collect()
    read, write = os.pipe()
    errors = os.dup(2)
    os.dup2(write, 2)
    sys._debugmallocstats()
    os.dup2(errors, 2)
    for each in (write, errors):
        os.close(each)
    with os.fdopen(read) as printed:
        small = re.search(r"bytes in allocated blocks\s*=\s*([\d,]+)", printed.read())
    assert small
    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Mallinfo
    large = mallinfo2()
    return int(small[1].replace(",", "")) + int(large.used + large.mapped)


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    with tempfile.TemporaryDirectory() as folder:
        weights = asyncio.run(weigh(tables, Path(folder)))
    each = ", ".join(f"{weight / 1024:.1f} KiB {what.replace('_', ' ')}" for what, weight in weights._asdict().items())
    print(f"{tables} tables, each: {each}")


if __name__ == "__main__":
    main()
