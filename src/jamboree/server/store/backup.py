"""Backup and restore of an SQLite database: copies are checked and synced before they replace a file."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .contract import Damaged, StoreError
from .integrity import incomplete_tables
from .lost_commits import last_run, mark_clean, opened_readonly
from .sqlite import SqliteConnection
from .sqlite_files import PRIVATE_MODE, SIDE_FILES, WAL, check_database, damaged_error, is_locked, lock_database, wal_of


class CopyReport(NamedTuple):
    """The state of a copied database."""

    is_complete: bool  # False: commits may be missing
    incomplete: dict[str, str]  # tables with missing or altered records


def back_up(source: Path, target: Path) -> CopyReport:
    """Copy a database that may be in use."""
    if target.exists():
        raise StoreError(f"{target} already exists.")
    check_database(source)
    is_complete = is_locked(source) or last_run(source).is_complete
    with _draft(target) as draft:
        with opened_readonly(source) as database:  # a writing connection would remove the write-ahead log on close
            database.copy_to(draft)
        try:
            return _check(draft, is_complete)
        except Damaged:
            raise damaged_error(source, "a copy of it is not sound") from None


def restore(copy: Path, target: Path, force: bool) -> CopyReport:
    """Replace a database by a copy, if the copy is sound and the database not in use."""
    if not copy.is_file():
        raise StoreError(f"There is no copy at {copy}.")
    if target.exists() and not force:
        raise StoreError(f"{target} already holds tables; --force replaces them.")
    with lock_database(target) as hold:
        with _draft(target) as draft:
            shutil.copyfile(copy, draft)
            if wal_of(copy).is_file():  # a copy that was opened may have its last commits there
                shutil.copyfile(wal_of(copy), f"{draft}{WAL}")
            try:
                copied = _check(draft, last_run(draft).is_complete)
            except Damaged:
                raise StoreError(
                    f"{copy} is damaged, or not a copy of Jamboree's tables; {target} was left as it was."
                ) from None
            if target.exists():
                _check_unused(target)
        hold.settle()
        return copied


@contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """Yield a path beside the target; on success the file there is synced and replaces the target atomically."""
    draft = target.with_name(f".{target.name}.part")
    try:
        _remove(draft)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL, PRIVATE_MODE))
        yield draft
        _merge_wal(draft)
        _sync(draft)
        _remove(target, only_beside=True)
        draft.replace(target)
        _sync(target.parent)
    except OSError as error:
        raise StoreError(f"{target} can't be written: {(error.strerror or str(error)).lower()}.") from None
    finally:
        _remove(draft)


def _check(path: Path, is_complete: bool) -> CopyReport:
    """Check a copy, and mark a complete one as closed cleanly; raise Damaged if it is not sound."""
    database = SqliteConnection(path)
    try:
        sound = database.rows("PRAGMA integrity_check") == [("ok",)]
        if not sound or not database.rows("SELECT name FROM sqlite_master WHERE name = 'migrations'"):
            raise damaged_error(path, "it is not sound")
        if is_complete:
            mark_clean(database)
        is_checked = database.rows("SELECT name FROM sqlite_master WHERE name = 'table_ids'")
        return CopyReport(is_complete, (is_checked and incomplete_tables(database, True, lambda: False)) or {})
    finally:
        database.close()


def _merge_wal(path: Path) -> None:
    """Merge the write-ahead log into the database file."""
    database = SqliteConnection(path)
    try:
        whole = database.rows("PRAGMA journal_mode = DELETE") == [("delete",)]
    finally:
        database.close()
    if not whole:
        raise StoreError(f"The write-ahead log of {path} can't be merged: another program uses it.")


def _check_unused(path: Path) -> None:
    """Leaving WAL needs the database for itself, so it fails while a server has it open."""
    try:
        connection = SqliteConnection(path)
        try:
            connection.script("PRAGMA busy_timeout = 200")
            used = connection.rows("PRAGMA journal_mode = DELETE") != [("delete",)]
        finally:
            connection.close()
    except Damaged:  # restoring a copy repairs it
        used = False
    except StoreError:
        used = True
    if used:
        raise StoreError(f"A server uses {path}; stop it first.")


def _sync(path: Path) -> None:
    """fsync a file or folder."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _remove(path: Path, only_beside: bool = False) -> None:
    for suffix in SIDE_FILES if only_beside else ("", *SIDE_FILES):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
