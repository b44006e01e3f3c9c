"""Backups: one valid file, synced before success is reported."""

import os
import sqlite3
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.store import StoreError
from jamboree.server.store.backup import back_up, restore
from jamboree.server.store.store import Store, open_store

from ..bench.local import a_registry, gathered

JOURNAL_MODE = slice(18, 20)  # of a database file's head: 1 1 means that it needs no file beside it


def codes(path: Path) -> set[str]:
    """Read the codes of tables without creating files beside the database."""
    with sqlite3.connect(f"file:{path}?immutable=1", uri=True) as connection:
        found = {code for (code,) in connection.execute("SELECT id FROM tables")}
    connection.close()
    return found


async def filled(store: Store, tables: int = 20) -> set[str]:
    async with a_registry(store) as registry:
        return {(await gathered(registry))[0] for _ in range(tables)}


async def test_a_backup_is_one_file_whether_or_not_the_database_is_in_use(store: Store, tmp_path: Path) -> None:
    database, one, two = tmp_path / "tables.db", tmp_path / "one.db", tmp_path / "two.db"
    written = await filled(store)
    back_up(database, one)
    store.close()
    back_up(database, two)
    assert set(tmp_path.iterdir()) == {database, one, two}
    for copy in (one, two):
        assert copy.read_bytes()[JOURNAL_MODE] == b"\1\1"
        assert codes(copy) == written
        assert copy.stat().st_mode & 0o077 == 0, "it holds the seeds of games that are being played"


async def test_a_backup_is_synced_before_it_is_reported_complete(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(store, 1)
    synced: list[tuple[str, bool]] = []

    def sync(opened: int) -> None:
        path = Path(f"/proc/self/fd/{opened}").readlink()
        synced.append((path.name, (tmp_path / "copy.db").exists()))

    monkeypatch.setattr(os, "fsync", sync)
    back_up(tmp_path / "tables.db", tmp_path / "copy.db")
    assert synced == [(".copy.db.part", False), (tmp_path.name, True)], "first what it holds, then its name"


async def test_a_backup_is_restored_with_its_write_ahead_log(store: Store, tmp_path: Path) -> None:
    """Any SQLite that opens a copy may leave it in two files."""
    written = await filled(store)
    copy, target = tmp_path / "copy.db", tmp_path / "back.db"
    for suffix in ("", "-wal"):
        Path(f"{copy}{suffix}").write_bytes(Path(f"{tmp_path / 'tables.db'}{suffix}").read_bytes())
    assert Path(f"{copy}-wal").stat().st_size
    restore(copy, target, force=False)
    assert codes(target) == written
    assert not [path for path in tmp_path.iterdir() if path.name.startswith((".back", "back.db-"))]


async def test_a_damaged_backup_changes_nothing(store: Store, tmp_path: Path) -> None:
    database, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    written = await filled(store)
    back_up(database, copy)
    store.close()
    content = bytearray(copy.read_bytes())
    content[4096 + 200 : -200] = b"x" * (len(content) - 4096 - 400)
    copy.write_bytes(content)
    with pytest.raises(StoreError):
        restore(copy, database, force=True)
    assert codes(database) == written
    assert set(tmp_path.iterdir()) == {database, copy}
    open_store(str(database)).close()


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"x" * 5_000])
def test_a_file_that_is_not_a_backup_is_not_restored(tmp_path: Path, content: bytes) -> None:
    wrong = tmp_path / "copy.db"
    wrong.write_bytes(content)
    answer = CliRunner().invoke(app, ["restore", str(wrong), "--db", str(tmp_path / "tables.db")])
    assert answer.exit_code == 2
    assert list(tmp_path.iterdir()) == [wrong]


def test_an_unwritable_target_is_reported(tmp_path: Path) -> None:
    open_store(str(tmp_path / "tables.db")).close()
    answer = CliRunner().invoke(app, ["backup", str(tmp_path / "no" / "copy.db"), "--db", str(tmp_path / "tables.db")])
    assert answer.exit_code == 2
    assert "copy.db can't be written: no such file or directory." in answer.output
