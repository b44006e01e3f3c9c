"""Copies of an SQLite database."""

import os
from pathlib import Path

from .contract import StoreError
from .sqlite import Sqlite


def back_up(source: Path, target: Path) -> None:
    """Copy a database that may be in use; the copy takes its place when it is whole."""
    if not source.is_file():
        raise StoreError(f"There is no database at {source}.")
    if target.exists():
        raise StoreError(f"{target} exists already.")
    draft = target.with_name(f".{target.name}.part")
    draft.unlink(missing_ok=True)
    _copy(source, draft)
    draft.replace(target)


def put_back(copy: Path, target: Path, force: bool) -> None:
    """Replace a database by a copy, if the copy is sound and nobody uses the database."""
    if not copy.is_file():
        raise StoreError(f"There is no copy at {copy}.")
    _check(copy)
    if target.exists():
        if not force:
            raise StoreError(f"{target} holds tables already; --force replaces them.")
        _check_unused(target)
    draft = target.with_name(f".{target.name}.part")
    draft.unlink(missing_ok=True)
    _copy(copy, draft)
    for suffix in ("-wal", "-shm"):
        Path(f"{target}{suffix}").unlink(missing_ok=True)
    draft.replace(target)


def _copy(source: Path, target: Path) -> None:
    reader = Sqlite(source, readonly=True)
    reader.copy_to(target)
    reader.close()
    _check(target)
    with target.open("rb") as file:
        os.fsync(file.fileno())


def _check(path: Path) -> None:
    connection = Sqlite(path, readonly=True)
    try:
        sound = connection.rows("PRAGMA integrity_check") == [("ok",)]
        ours = connection.rows("SELECT name FROM sqlite_master WHERE name = 'migrations'")
    finally:
        connection.close()
    if not sound or not ours:
        raise StoreError(f"{path} is no sound copy of Jamboree's tables.")


def _check_unused(path: Path) -> None:
    """Leaving WAL needs the database for itself, so it fails while a server has it open."""
    connection = Sqlite(path)
    try:
        connection.script("PRAGMA busy_timeout = 200")
        used = connection.rows("PRAGMA journal_mode = DELETE") != [("delete",)]
    except StoreError:
        used = True
    finally:
        connection.close()
    if used:
        raise StoreError(f"A server uses {path}; stop it first.")
