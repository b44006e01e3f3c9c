"""SQLite, by apsw, which brings its own recent one."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from .connection import Row
from .contract import StoreError
from .sqlite_files import OWN, Hold, damaged, files, identity

SETTINGS = (
    "busy_timeout = 5000",
    "journal_mode = WAL",
    "synchronous = FULL",  # with less, a power cut can take back what was acknowledged
    "foreign_keys = ON",
    "secure_delete = ON",  # what was erased is overwritten, not only let go of
)
STEPS = 10_000  # of SQLite's own, after which a check looks at the time
MOST_FAULTS = 3  # that are named
CHECKPOINT_EVERY = 5.0  # seconds at most, while changes come; with none they are in the file within a second
COUNT = "UPDATE session SET commits = commits + 1, committed_at = ? RETURNING commits"


class Sqlite:
    """A connection to a file; a transaction of the writing one takes the write lock at its start."""

    def __init__(self, path: Path, readonly: bool = False, vfs: str | None = None, hold: Hold | None = None) -> None:
        flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        self._begin = "BEGIN" if readonly else "BEGIN IMMEDIATE"
        self.path = path
        self._hold, self._commits = hold, 0  # a server's writing connection counts its commits
        self._is_checkpointed, self._checkpointed_at = True, time.monotonic()
        with self._in_our_words():
            self._connection = apsw.Connection(str(path), flags, vfs=vfs)
            for setting in SETTINGS if not readonly else SETTINGS[:1]:
                self.script(f"PRAGMA {setting}")
        self._files = files(path)
        self._identity = identity(self._files)

    def rows(self, statement: str, *values: object) -> list[Row]:
        try:
            return list(self._connection.execute(statement, values))
        except apsw.Error as error:
            raise self._worded(error) from error

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
        """Let others know the file for ours."""
        if self.rows("PRAGMA application_id") != [(OWN,)]:
            self.script(f"PRAGMA application_id = {OWN}")

    def check(self) -> None:
        """Find out whether the files have been removed or replaced: what is written then is lost."""
        self._check_files()
        if self._hold and self._commits:
            self._hold.acknowledge(self._commits)

    def _check_files(self) -> None:
        before, now = self._identity, identity(self._files)
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
        """Copy the log into the file itself now and then, so that little is lost with it; wait for no reader."""
        now = time.monotonic()
        if self._is_checkpointed or not (idle or now - self._checkpointed_at >= CHECKPOINT_EVERY):
            return
        [(_, frames, copied)] = self.rows("PRAGMA wal_checkpoint(PASSIVE)")
        self._is_checkpointed, self._checkpointed_at = copied == frames, now

    def end(self) -> None:
        """Mark the database as closed cleanly, as the last commit of a server."""
        if self._hold:
            self.check()
            with self.transaction():
                self.script("UPDATE session SET is_open = 0")
            self._hold.settle()

    def scrub(self) -> bool:
        """Bring all of it into the file and empty what lies beside it; not while somebody reads there."""
        [(busy, *_)] = self.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return not busy

    def tidy(self) -> None:
        """Write the whole file anew, without what was ever deleted from it."""
        self.script("VACUUM")
        self.scrub()

    def faults(self, within: float | None, stopped: Callable[[], bool]) -> list[str] | None:
        """Look through the whole file for damage; None if that takes longer than it may."""
        end = time.monotonic() + within if within is not None else math.inf
        self._connection.set_progress_handler(lambda: time.monotonic() > end or stopped(), STEPS)
        try:
            found = list(self._connection.execute(f"PRAGMA quick_check({MOST_FAULTS})"))
        except apsw.InterruptError:
            return None
        except apsw.Error as error:
            return [str(error)]
        finally:
            self._connection.set_progress_handler(None)
        return [str(fault) for (fault,) in found if fault != "ok"]

    def copy_to(self, path: Path) -> None:
        """Write all that is committed now to another file, while others go on writing."""
        with self._in_our_words():
            target = apsw.Connection(str(path))
            with target.backup("main", self._connection, "main") as backup:
                backup.step()
            target.close()

    def close(self) -> None:
        with self._in_our_words():
            self._connection.close()

    @contextmanager
    def _in_our_words(self) -> Iterator[None]:
        try:
            yield
        except apsw.Error as error:
            raise self._worded(error) from error

    def _worded(self, error: apsw.Error) -> StoreError:
        if isinstance(error, apsw.CorruptError | apsw.NotADBError):
            return damaged(self.path, error)
        return StoreError(f"The database says: {error}.")
