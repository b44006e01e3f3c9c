"""How much memory tables and sockets take: `python -m tests.server.under_load.memory [TABLES]`.

Tables of Bebop for four are opened and started, and nobody is there; then four browsers come to each, and nobody does
anything until the tables rest. The clients are a process of their own. What the server's process has grown by is
divided by the tables, and by the sockets. What all of them share is loaded before, by some tables more and the browsers
at one.
"""

import asyncio
import ctypes
import gc
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jamboree.games import all_games
from jamboree.server.http.app import build_app
from jamboree.server.serve import free_port, listening
from jamboree.server.store import open_store
from jamboree.server.table.registry import Registry
from jamboree.server.table.table import MOMENT

from ..bench.online import HOST
from .load import clients_of, say, told
from .plan import DONE, Plan
from .restart import SEATS, opened

TABLES, FIRST = 250, 20
PAGE = os.sysconf("SC_PAGESIZE")


async def weigh(tables: int, folder: Path) -> tuple[float, float]:
    """Give the bytes of a table at which nobody is, and of a socket."""
    store = open_store(str(folder / "tables.db"))
    async with Registry(store, all_games()) as registry:
        app, port = build_app(registry), free_port(HOST, 0)
        async with listening(app, HOST, port):
            async with guests(port, [await opened(registry, 0)], folder):
                pass
            for number in range(FIRST):  # which fill what those guests have left
                await opened(registry, number)
            empty = resident()
            places = [await opened(registry, number) for number in range(tables)]
            idle = resident()
            async with guests(port, places, folder):
                await asyncio.sleep(MOMENT + 2 * registry.staff.tempo.keep_clock)
                busy, sockets = resident(), app.state.metrics.sockets
    store.close()
    assert sockets == tables * SEATS
    return (idle - empty) / tables, (busy - idle) / sockets


@asynccontextmanager
async def guests(port: int, places: list[tuple[str, list[str]]], folder: Path) -> AsyncIterator[None]:
    """Have everybody come to their tables, until the end of the block."""
    (folder / "places.json").write_text(json.dumps([port, Plan(len(places)), places]))
    clients = await clients_of(folder)
    await told(clients)
    yield
    await say(clients, DONE)
    await clients.wait()


def resident() -> int:
    """Give the memory of this process that lies in the machine's, without what it could give back."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else TABLES
    with tempfile.TemporaryDirectory() as folder:
        table, socket = asyncio.run(weigh(tables, Path(folder)))
    print(f"{tables} tables: {table / 1024:.1f} KiB a table, {socket / 1024:.1f} KiB a socket")


if __name__ == "__main__":
    main()
