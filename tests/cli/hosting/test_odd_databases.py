"""Operators' commands on files that are not a valid Jamboree database: one sentence, and nothing is written."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.store import Append, Listing, Record
from jamboree.server.store.store import open_store


def foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE diary (day)")
    connection.close()


def header_only(path: Path) -> None:
    """What a killed program may leave of a database that it was creating."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()


async def sound(path: Path) -> None:
    store = open_store(str(path))
    for table in ("aaaaaa", "bbbbbb"):
        listing = Listing("bebop", "playing", 1, "{}")
        await store.append(Append(table=table, epoch=1, after=0, records=(Record("x" * 9000),), listing=listing))
    store.close()


# the first two are no files
ODD: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: None, "There is no database at"),
    "a folder": (Path.mkdir, "is a folder, not a database"),
    "empty": (Path.touch, "is an empty database"),
    "only a header": (header_only, "is an empty database"),
    "a text": (lambda path: path.write_text("Dear diary,\n"), "is not a database"),
    "another program's": (foreign, "belongs to another program"),
    "cut off": (lambda path: os.truncate(path, 6000), "is damaged"),
}
COMMANDS = {
    "accept-loss": ("accept-loss",),
    "accept-loss --yes": ("accept-loss", "--yes"),
    "forget": ("forget", "Ada"),
    "forget --yes": ("forget", "Ada", "--yes"),
    "backup": ("backup", "COPY"),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("what", ODD)
async def test_host_commands_refuse_files_that_are_not_databases(tmp_path: Path, what: str, command: str) -> None:
    path = tmp_path / "tables.db"
    make, sentence = ODD[what]
    if what == "cut off":
        await sound(path)
    make(path)
    before = contents(tmp_path)
    words = [str(tmp_path / "copy.db") if word == "COPY" else word for word in COMMANDS[command]]
    answer = CliRunner().invoke(app, [*words, "--db", str(path)])
    text = " ".join(answer.output.split())
    assert (answer.exit_code, sentence in text) == (2, True), text
    assert ".part" not in text
    assert contents(tmp_path) == before


@pytest.mark.parametrize("what", list(ODD)[2:])
async def test_an_invalid_backup_is_named_and_restores_nothing(tmp_path: Path, what: str) -> None:
    copy, target = tmp_path / "copy.db", tmp_path / "tables.db"
    await sound(target)
    if what == "cut off":
        await sound(copy)
    ODD[what][0](copy)
    before = contents(tmp_path)
    answer = CliRunner().invoke(app, ["restore", str(copy), "--db", str(target), "--force"])
    text = " ".join(answer.output.split())
    assert answer.exit_code == 2
    assert "copy.db is damaged, or not a copy of Jamboree's tables" in text
    assert "tables.db was left as it was" in text
    assert contents(tmp_path) == before


async def test_a_failing_backup_names_the_damaged_database(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    await sound(path)
    content = bytearray(path.read_bytes())
    content[3 * 4096 : 5 * 4096] = os.urandom(2 * 4096)
    path.write_bytes(content)
    answer = CliRunner().invoke(app, ["backup", str(tmp_path / "copy.db"), "--db", str(path)])
    text = " ".join(answer.output.split())
    assert (answer.exit_code, "tables.db is damaged" in text, ".part" in text) == (2, True, False), text
    assert set(contents(tmp_path)) == {"tables.db"}
