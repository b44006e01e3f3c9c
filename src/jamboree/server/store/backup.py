"""Copies of an SQLite database: one file each, checked and on the disk before it takes its place."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .contract import Damaged, StoreError
from .place import BESIDE, PRIVATE, WAL, check_own, held
from .sqlite import Sqlite


def back_up(source: Path, target: Path) -> None:
    """Copy a database that may be in use."""
    if not source.is_file():
        raise StoreError(f"There is no database at {source}.")
    if target.exists():
        raise StoreError(f"{target} already exists.")
    check_own(source)
    with _written(target) as draft:
        database = Sqlite(source)
        try:
            database.copy_to(draft)
        finally:
            database.close()


def put_back(copy: Path, target: Path, force: bool) -> None:
    """Replace a database by a copy, if the copy is sound and nobody uses the database."""
    if not copy.is_file():
        raise StoreError(f"There is no copy at {copy}.")
    if target.exists() and not force:
        raise StoreError(f"{target} already holds tables; --force replaces them.")
    with held(target), _written(target) as draft:
        shutil.copyfile(copy, draft)
        if Path(f"{copy}{WAL}").is_file():  # a copy that was opened since may have its last part there
            shutil.copyfile(f"{copy}{WAL}", f"{draft}{WAL}")
        if target.exists():
            _check_unused(target)


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


def _make_whole(path: Path) -> None:
    """Check a database, and bring all of it into its one file."""
    database = Sqlite(path)
    try:
        sound = database.rows("PRAGMA integrity_check") == [("ok",)]
        ours = database.rows("SELECT name FROM sqlite_master WHERE name = 'migrations'")
        whole = database.rows("PRAGMA journal_mode = DELETE") == [("delete",)]
    finally:
        database.close()
    if not (sound and ours and whole):
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
