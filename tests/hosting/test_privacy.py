"""A person is erased, then searched for in the bytes of the database, backups and the log."""

import io
import logging
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.live.registry import Registry
from jamboree.server.logs import LineFormatter
from jamboree.server.store import ErasePerson
from jamboree.server.store.backup import back_up
from jamboree.server.store.person_erasure import find_people
from jamboree.server.store.postgres import PostgresConnection
from jamboree.server.store.store import Store, open_store
from tests.server.bench.local import a_registry
from tests.server.bench.online import Online, Player, online

NAME, LATER = "Wilhelmina", "Wilhelmientje"
TABLES = "/api/v1/tables"


def traces(folder: Path) -> list[str]:
    """Return the files that contain a person's name, compressed data included."""
    found = []
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        if any(name.encode() in part for part in (data, *unpacked(data)) for name in (NAME, LATER)):
            found.append(path.name)
    return found


def unpacked(data: bytes) -> Iterator[bytes]:
    for start in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", data):
        try:
            yield zlib.decompressobj().decompress(data[start.start() :], 1 << 20)
        except zlib.error:
            continue


@contextmanager
def logged() -> Iterator[io.StringIO]:
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(LineFormatter())
    logging.getLogger().addHandler(handler)
    try:
        yield text
    finally:
        logging.getLogger().removeHandler(handler)


async def lived_in(server: Online, rematch: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
    """Let a person join, be renamed, chat, be mentioned, finish a game and go on to a rematch."""
    ada = (await server.post(TABLES, {"game": "high-card", "seats": 2, "name": "Ada"})).body
    code = ada["table"]
    her = (await server.post(f"{TABLES}/{code}/join", {"name": NAME})).body
    await server.post(f"{TABLES}/{code}/name", {"name": LATER}, authorization=f"Bearer {her['token']}")
    await server.post(f"{TABLES}/{code}/start", authorization=f"Bearer {ada['token']}")
    async with server.socket(code) as one, server.socket(code) as two:
        players = [Player(one), Player(two)]
        for player, ticket in zip(players, (ada, her), strict=True):
            await player.hello(ticket["token"])
        await players[1].send(type="say", id="a", text=f"I am {NAME}!")
        await players[0].send(type="say", id="b", text=f"Hello {LATER.upper()}, nice to meet you")
        await players[0].send(type="say", id="c", text="What a fine day")
        for number in range(40):
            acting = next((player for player in players if player.legal()), None)
            if acting is None:
                break
            seq = (await acting.act(acting.legal()[0], str(number)))["seq"]
            for player in players:
                while player.seq < seq:
                    await player.take()
    if not rematch:  # what was said is told there too, as long as that table lives
        return her, {}
    again = (await server.post(f"{TABLES}/{code}/rematch", authorization=f"Bearer {ada['token']}")).body["table"]
    return her, {"table": again}


async def test_an_erased_person_is_found_nowhere(store: Store, tmp_path: Path) -> None:
    with logged() as log:
        async with online(store) as server:
            her, again = await lived_in(server)
            assert traces(tmp_path), "she is there to begin with"
            before = (await server.get(f"{TABLES}/{her['table']}/journal")).body
            answer = await server.post(f"{TABLES}/{her['table']}/forget-me", authorization=f"Bearer {her['token']}")
            assert answer.status == 204
            assert await the_talk(server.registry, her["table"]) == ["What a fine day"]
            shown = (await server.get(f"{TABLES}/{her['table']}")).body
            assert NAME not in str(shown) and LATER not in str(shown) and "Guest 2" in str(shown)
            assert LATER not in str((await server.get(f"{TABLES}/{again['table']}")).body), "nor at the rematch"
            assert LATER not in str((await server.get(f"{TABLES}?status=finished")).body)
            after = (await server.get(f"{TABLES}/{her['table']}/journal")).body
            assert before["header"].pop("names") == ["Ada", LATER] and after["header"].pop("names") == [
                "Ada",
                "Guest 2",
            ]
            assert before.pop("seal") != after.pop("seal")
            assert before == after, "her moves stay"
    store.close()
    assert traces(tmp_path) == []
    assert NAME not in log.getvalue() and LATER not in log.getvalue()


async def the_talk(registry: Registry, code: str) -> list[str]:
    table = await registry.table(code)
    return [line.text for line in table.state.talk.readable_by("p1", table.state.roster)]


async def test_erased_bytes_are_overwritten_in_a_running_server(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        her, _ = await lived_in(server)
        await server.post(f"{TABLES}/{her['table']}/forget-me", authorization=f"Bearer {her['token']}")
        await server.registry.sweep()  # whatever was waiting has its turn
        assert traces(tmp_path) == []


async def test_expired_data_is_overwritten_too(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        await lived_in(server, rematch=False)
    async with a_registry(store, forget_after=-10.0) as registry:
        await registry.sweep()
        await registry.sweep()
    store.close()
    rematch = open_store(str(tmp_path / "tables.db"))
    rematch.close()
    assert b"I am " + NAME.encode() not in (tmp_path / "tables.db").read_bytes()


async def test_operators_erase_a_person_in_backups_too(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        await lived_in(server)
    copies = tmp_path / "copies"
    copies.mkdir()
    (copies / "notes.txt").write_text("not a copy")
    back_up(tmp_path / "tables.db", copies / "one.db")
    store.close()
    back_up(tmp_path / "tables.db", copies / "two.db")
    command = ["forget", NAME.lower(), "--db", str(tmp_path / "tables.db"), "--backups", str(copies)]
    shown = CliRunner().invoke(app, command)
    assert (shown.exit_code, shown.output.splitlines()[-1]) == (
        0,
        "Nothing was deleted. Repeat the command with --yes to delete.",
    )
    assert traces(tmp_path) == ["one.db", "two.db", "tables.db"]
    done = CliRunner().invoke(app, [*command, "--yes"])
    assert done.exit_code == 0, done.output
    assert traces(tmp_path) == []
    assert (copies / "notes.txt").read_text() == "not a copy"
    assert "Nobody named" in CliRunner().invoke(app, command).output
    again = open_store(str(tmp_path / "tables.db"))
    again.close()


async def test_other_people_are_not_erased(store: Store, tmp_path: Path) -> None:
    async with online(store) as server:
        her, _ = await lived_in(server)
        refused = await server.post(f"{TABLES}/{her['table']}/forget-me")
        assert (refused.status, refused.body["code"]) == (401, "no-token")
        other = await server.seated()
        wrong = await server.post(f"{TABLES}/{her['table']}/forget-me", authorization=f"Bearer {other[0]['token']}")
        assert (wrong.status, wrong.body["code"]) == (403, "wrong-token")
        await server.post(f"{TABLES}/{her['table']}/forget-me", authorization=f"Bearer {her['token']}")
        assert "Ada" in str((await server.get(f"{TABLES}/{her['table']}")).body)


async def test_the_command_does_not_write_to_a_running_servers_database(store: Store, tmp_path: Path) -> None:
    refused = CliRunner().invoke(app, ["forget", NAME, "--db", str(tmp_path / "tables.db"), "--yes"])
    assert (refused.exit_code, "stop it first" in refused.output) == (2, True)


async def test_erasure_works_on_postgresql(postgres: str) -> None:
    stored = open_store(postgres)
    try:
        async with online(stored) as server:
            her, _ = await lived_in(server)
            await stored.erase_person(ErasePerson(her["table"], her["person"]))
    finally:
        stored.close()
    database = PostgresConnection(postgres, readonly=True)
    left = [person for person in find_people(database, NAME) if person.table == her["table"]]
    database.close()
    assert left == []
    done = CliRunner().invoke(app, ["forget", LATER, "--db", postgres, "--yes"])
    assert done.exit_code == 0, done.output
    assert "deleted" in done.output or "Nobody" in done.output


@pytest.mark.parametrize(("days", "left"), [("30", 2), ("0", 1)])
def test_only_expired_backups_are_deleted(tmp_path: Path, days: str, left: int) -> None:
    open_store(str(tmp_path / "tables.db")).close()
    copies = tmp_path / "copies"
    copies.mkdir()
    for name in ("tables-20200101-000000.db", "tables-of-mine.db"):
        (copies / name).write_text("")
    (copies / "tables-29990101-000000.db").touch()
    command = ["backup", "--db", str(tmp_path / "tables.db"), "--backups", str(copies), "--keep-backups", days]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert not (copies / "tables-20200101-000000.db").exists()
    assert (copies / "tables-of-mine.db").exists()
    assert len(list(copies.glob("tables-2*.db"))) == left
    assert CliRunner().invoke(app, ["backup", "--db", str(tmp_path / "tables.db")]).exit_code == 2
