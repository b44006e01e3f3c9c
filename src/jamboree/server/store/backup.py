"""Copies of an SQLite database: one file each, checked and on the disk before it takes its place."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .contract import Damaged, StoreError
from .integrity import incomplete_tables
from .lost_commits import last_session, mark_clean, reading
from .sqlite import Sqlite
from .sqlite_files import BESIDE, PRIVATE, WAL, check_own, held, is_held, wal_of


class Copied(NamedTuple):
    """What is known of a database that was copied."""

    is_whole: bool  # False: commits may be missing, and a server will say so
    incomplete: dict[str, str]  # tables with missing or altered records


def back_up(source: Path, target: Path) -> Copied:
    """Copy a database that may be in use."""
    if not source.is_file():
        raise StoreError(f"There is no database at {source}.")
    if target.exists():
        raise StoreError(f"{target} already exists.")
    check_own(source)
    is_whole = is_held(source) or last_session(source).is_whole
    with _written(target) as draft:
        with reading(source) as database:  # opened to be written, it would take its log along when it is closed
            database.copy_to(draft)
        return _check(draft, is_whole)


def put_back(copy: Path, target: Path, force: bool) -> Copied:
    """Replace a database by a copy, if the copy is sound and nobody uses the database."""
    if not copy.is_file():
        raise StoreError(f"There is no copy at {copy}.")
    if target.exists() and not force:
        raise StoreError(f"{target} already holds tables; --force replaces them.")
    with held(target) as hold:
        with _written(target) as draft:
            shutil.copyfile(copy, draft)
            if wal_of(copy).is_file():  # a copy that was opened since may have its last part there
                shutil.copyfile(wal_of(copy), f"{draft}{WAL}")
            copied = _check(draft, last_session(draft).is_whole)
            if target.exists():
                _check_unused(target)
        hold.settle()
        return copied


@contextmanager
def _written(target: Path) -> Iterator[Path]:
    """Give a place beside a target; the database that is written there takes the target's place if it is sound."""
    draft = target.with_name(f".{target.name}.part")
    try:
        _remove(draft)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL, PRIVATE))
        yield draft
        _make_whole(draft)
        _sync(draft)
        _remove(target, only_beside=True)
        draft.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise StoreError(f"{target} can't be written: {(error.strerror or str(error)).lower()}.") from None
    finally:
        _remove(draft)


def _check(path: Path, is_whole: bool) -> Copied:
    """Check a copy; one that has all commits need not be closed by a server any more."""
    database = Sqlite(path)
    try:
        sound = database.rows("PRAGMA integrity_check") == [("ok",)]
        if not sound or not database.rows("SELECT name FROM sqlite_master WHERE name = 'migrations'"):
            raise StoreError("This is not a sound copy of Jamboree's tables.")
        if is_whole:
            mark_clean(database)
        is_checked = database.rows("SELECT name FROM sqlite_master WHERE name = 'table_ids'")
        return Copied(is_whole, (is_checked and incomplete_tables(database, True, lambda: False)) or {})
    finally:
        database.close()


def _make_whole(path: Path) -> None:
    """Bring all of a database into its one file."""
    database = Sqlite(path)
    try:
        whole = database.rows("PRAGMA journal_mode = DELETE") == [("delete",)]
    finally:
        database.close()
    if not whole:
        raise StoreError("This is not a sound copy of Jamboree's tables.")


def _check_unused(path: Path) -> None:
    """Leaving WAL needs the database for itself, so it fails while a server has it open."""
    try:
        connection = Sqlite(path)
        try:
            connection.script("PRAGMA busy_timeout = 200")
            used = connection.rows("PRAGMA journal_mode = DELETE") != [("delete",)]
        finally:
            connection.close()
    except Damaged:  # that is what copies are for
        used = False
    except StoreError:
        used = True
    if used:
        raise StoreError(f"A server uses {path}; stop it first.")


def _sync(path: Path) -> None:
    """Wait until a file or what a folder lists is on the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _remove(path: Path, only_beside: bool = False) -> None:
    for suffix in BESIDE if only_beside else ("", *BESIDE):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
