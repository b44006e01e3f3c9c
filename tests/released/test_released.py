"""Databases and journals of every released version open in this one."""

import gzip
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from jamboree.core.journal import check, read
from jamboree.games import all_games, find
from jamboree.server.live.commands.playing import Act
from jamboree.server.live.table import Table
from jamboree.server.store.sqlite import SqliteConnection
from jamboree.server.store.store import open_store
from tests.server.bench.local import a_registry

HERE = Path(__file__).parent
VERSIONS = sorted(path.parent.name for path in HERE.glob("*/tables.db.gz"))
JOURNALS = sorted(HERE.glob("*/*.json"))
MOVES = 3
STATES = {"finished", "playing", "gathering"}


def test_every_version_has_a_stored_database_and_journals() -> None:
    assert VERSIONS[0] == "0.1"
    assert {path.stem for path in JOURNALS if path.parent.name == "0.1"} == {"bebop", "boogie", "bpm"}


def unpacked(version: str, folder: Path) -> Path:
    path = folder / "tables.db"
    path.write_bytes(gzip.decompress((HERE / version / "tables.db.gz").read_bytes()))
    return path


def codes(path: Path) -> dict[str, list[str]]:
    """List the tables of a database by their status."""
    database = SqliteConnection(path, readonly=True)
    rows = database.rows("SELECT status, id FROM tables ORDER BY game, id")
    database.close()
    return {status: [code for each, code in rows if each == status] for status in STATES}


async def move_on(table: Table) -> None:
    """Make some moves for the players to move."""
    for number in range(MOVES):
        state = table.state
        seat = next(actor for actor in state.game.to_act(state.position) if isinstance(actor, int))
        (offer, *_) = state.game.legal(state.position, seat)
        await table.ask(Act(msgspec.to_builtins(offer.action), id=f"later {number}"), state.roster.person_at(seat))


@pytest.mark.parametrize("version", VERSIONS)
async def test_stored_tables_can_be_opened_and_played(version: str, tmp_path: Path) -> None:
    path = unpacked(version, tmp_path)
    known = codes(path)
    assert Counter({status: len(each) for status, each in known.items()}) == Counter(dict.fromkeys(STATES, 3))
    store = open_store(str(path))
    try:
        async with a_registry(store, all_games()) as registry:
            for status, theirs in known.items():
                for code in theirs:
                    table = await registry.table(code)
                    assert (table.state.roster.status, table.state.outdated) == (status, None)
            for code in known["playing"]:
                table = await registry.table(code)
                before = table.state.seq
                await move_on(table)
                assert table.state.seq >= before + MOVES
            for code in known["finished"]:
                assert await store.replay(code), "its replay was kept"
                assert (await registry.table(code)).state.talk.last(1)[0].count("Well played!") == 1
    finally:
        store.close()


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_stored_journals_replay_to_the_same_end(path: Path) -> None:
    journal = read(path.read_bytes())
    assert check(journal, find(journal.header.game))
