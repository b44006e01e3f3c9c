"""Records the files of a version before its release: `python -m tests.released.make 0.1`.

A database with tables in every state, and a journal of every game. Later versions must open them; they are never made
anew for a version that is out.
"""

import asyncio
import gzip
import random
import sys
import tempfile
from pathlib import Path

import msgspec

from jamboree.games import all_games
from jamboree.server.live.commands.chat import Say
from jamboree.server.live.registry import Registry
from jamboree.server.live.replay import journal_of
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import open_store
from tests.server.bench.local import a_registry, play_on, started

HERE = Path(__file__).parent
UNDER_WAY, TO_THE_END = 9, 100_000  # moves


async def leave(registry: Registry, game: str, seats: int, moves: int) -> str:
    """Leave a table after some moves."""
    clients = await started(registry, game, seats)
    await play_on(clients, random.Random(7), moves)
    for client in clients:
        await client.session.end()
    return clients[0].session.code


async def fill(registry: Registry, folder: Path) -> None:
    """Leave a finished table, one under way and one that gathers people, of every game."""
    for key, game in all_games().items():
        seats = game.info.seats[0]
        code = await leave(registry, key, seats, TO_THE_END)
        await (await registry.table(code)).ask(Say("Well played!", id="1"), "p1")
        journal = journal_of(await registry.store.history(code), code)
        (folder / f"{key}.json").write_bytes(msgspec.json.format(msgspec.json.encode(journal), indent=0) + b"\n")
        await leave(registry, key, seats, UNDER_WAY)
        await registry.open(OpenTable(game=key, seats=seats, name="Ada"))


async def make(folder: Path) -> None:
    folder.mkdir()
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "tables.db"
        store = open_store(str(path))
        async with a_registry(store, all_games(), seed=7) as registry:
            await fill(registry, folder)
        store.close()
        (folder / "tables.db.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))


if __name__ == "__main__":
    asyncio.run(make(HERE / sys.argv[1]))
