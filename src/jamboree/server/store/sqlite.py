"""SQLite connections, with apsw, which bundles a recent SQLite."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from .connection import Row
from .contract import StoreError
from .sqlite_files import APPLICATION_ID, DatabaseLock, damaged_error, file_ids, files, lock_of

SETTINGS = (
    "busy_timeout = 5000",
    "journal_mode = WAL",
    "synchronous = FULL",  # with less, a power cut can undo acknowledged commits
    "foreign_keys = ON",
    "secure_delete = ON",  # overwrite deleted data
)
STEPS = 10_000  # of SQLite's virtual machine between checks of the deadline
MAX_FAULTS = 3  # that are reported
CHECKPOINT_EVERY = 5.0  # seconds between checkpoints under load; an idle database is checkpointed within a second
COUNT = "UPDATE session SET commits = commits + 1, committed_at = ? RETURNING commits"


class SqliteConnection:
    """A connection to a file; write transactions take the write lock at their start."""

    def __init__(
        self, path: Path, readonly: bool = False, vfs: str | None = None, hold: DatabaseLock | None = None
    ) -> None:
        flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        self._begin = "BEGIN" if readonly else "BEGIN IMMEDIATE"
        self.path = path
        self._hold = hold  # of a server's writing connection, which counts its commits
        self._commits = 0
        self._is_checkpointed = True
        self._checkpointed_at = time.monotonic()
        with self._as_store_errors():
            self._connection = apsw.Connection(str(path), flags, vfs=vfs)
            for setting in SETTINGS if not readonly else SETTINGS[:1]:
                self.script(f"PRAGMA {setting}")
        self._files = (*files(path), lock_of(path)) if hold else files(path)
        self._identity = file_ids(self._files)

    def rows(self, statement: str, *values: object) -> list[Row]:
        try:
            return list(self._connection.execute(statement, values))
        except apsw.Error as error:
            raise self._store_error(error) from error

    def change(self, statement: str, *values: object) -> int:
        self.rows(statement, *values)
        return self._connection.changes()

    def script(self, statements: str) -> None:
        self.rows(statements)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.script(self._begin)
        try:
            yield
            if self._hold:
                [(self._commits,)] = self.rows(COUNT, int(time.time()))
            self.script("COMMIT")
            self._is_checkpointed = False
        except BaseException:
            if self._connection.in_transaction:
                self.script("ROLLBACK")
            raise

    def mark(self) -> None:
        """Set the application id."""
        if self.rows("PRAGMA application_id") != [(APPLICATION_ID,)]:
            self.script(f"PRAGMA application_id = {APPLICATION_ID}")

    def check(self) -> None:
        """Raise StoreError if the files were removed or replaced, since writes to them would be lost."""
        self._check_files()
        if self._hold and self._commits:
            self._hold.acknowledge(self._commits)

    def _check_files(self) -> None:
        before, now = self._identity, file_ids(self._files)
        if now == before:
            return
        if any(known and known != found for known, found in zip(before, now, strict=True)):
            raise StoreError(
                f"{self.path} or a file beside it was removed or replaced while it was in use. Stop the server, and put"
                f" the file or a copy back (jamboree restore COPY --db {self.path} --force)."
            )
        self._identity = now

    def ping(self) -> None:
        self._check_files()

    def checkpoint(self, idle: bool) -> None:
        """Checkpoint the write-ahead log now and then, without waiting for readers."""
        now = time.monotonic()
        if self._is_checkpointed or not (idle or now - self._checkpointed_at >= CHECKPOINT_EVERY):
            return
        [(_, frames, copied)] = self.rows("PRAGMA wal_checkpoint(PASSIVE)")
        self._is_checkpointed, self._checkpointed_at = copied == frames, now

    def end(self) -> None:
        """Mark a clean shutdown, as a server's last commit."""
        if self._hold:
            self.check()
            with self.transaction():
                self.script("UPDATE session SET is_open = 0")
            self._hold.settle()

    def scrub(self) -> bool:
        """Checkpoint and truncate the write-ahead log; False while readers need it."""
        [(busy, *_)] = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return not busy

    def tidy(self) -> None:
        """Rewrite the file without deleted data."""
        self.script("VACUUM")
        self.scrub()

    def faults(self, within: float | None, stopped: Callable[[], bool]) -> list[str] | None:
        """Check all pages for damage; None if there was not enough time."""
        end = time.monotonic() + within if within is not None else math.inf
        self._connection.set_progress_handler(lambda: time.monotonic() > end or stopped(), STEPS)
        try:
            found = list(self._connection.execute(f"PRAGMA quick_check({MAX_FAULTS})"))
        except apsw.InterruptError:
            return None
        except apsw.Error as error:
            return [str(error)]
        finally:
            self._connection.set_progress_handler(None)
        return [str(fault) for (fault,) in found if fault != "ok"]

    def copy_to(self, path: Path) -> None:
        """Write everything committed to another file, while the database is in use."""
        with self._as_store_errors():
            target = apsw.Connection(str(path))
            with target.backup("main", self._connection, "main") as backup:
                backup.step()
            target.close()

    def close(self) -> None:
        with self._as_store_errors():
            self._connection.close()

    @contextmanager
    def _as_store_errors(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise self._store_error(error) from error

    def _store_error(self, error: apsw.Error) -> StoreError:
        if isinstance(error, apsw.CorruptError | apsw.NotADBError):
            return damaged_error(self.path, error)
        return StoreError(f"The database says: {error}.")
