"""Detects commits of an SQLite database that were lost together with its write-ahead log (WAL).

After a crash the last commits are only in the file `-wal` beside the database. Without that file SQLite opens the
database as it was at the last checkpoint, and reports nothing. Two numbers are compared therefore:

- the row in `session`, which every commit raises, and which is marked as open, in the database file itself, as long as
  a server has it open;
- the number of the last acknowledged commit, which is written to the file `-lock` beside the database after each
  commit. That file stays behind when a server is killed. It is not synced: after a power cut it may be behind, never
  ahead.
"""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from .contract import StoreError
from .sqlite import SqliteConnection
from .sqlite_files import SHM, DatabaseLock, last_commit, lock_database, unusable_error, wal_of

CREATE = """INSERT INTO session (id, database_id, commits, committed_at, is_open, loss) VALUES (1, ?, 0, ?, 0, '')
 ON CONFLICT (id) DO NOTHING"""
BEGIN = "UPDATE session SET is_open = 1, loss = CASE WHEN loss = '' THEN ? ELSE loss END"
READ = "SELECT database_id, commits, committed_at, is_open, loss FROM session"


class LastRun(NamedTuple):
    """What is known of the last server run on a database, and of its commits."""

    was_clean: bool = True
    commits: int = 0
    committed_at: int = 0
    is_verified: bool = True  # the number of the last acknowledged commit was known
    missing: int = 0  # acknowledged commits that the database lacks
    is_doubtful: bool = False  # it was killed, and nothing shows whether commits are missing
    loss: str = ""  # recorded at an earlier start, and not accepted yet

    @property
    def is_complete(self) -> bool:
        return not (self.missing or self.is_doubtful)

    @property
    def completeness(self) -> str:
        """What is known of the last commits of a server that was killed, of which none are known to be missing."""
        if self.is_verified:
            return "all acknowledged commits are present"
        return "nothing shows whether its last commits are present"

    @property
    def last_commit(self) -> str:
        return datetime.fromtimestamp(self.committed_at, UTC).isoformat(" ", "seconds").replace("+00:00", " UTC")

    def faults(self, path: Path) -> list[str]:
        """Describe the missing commits, and how they were detected."""
        wal = wal_of(path)
        if self.missing:
            return [
                f"The last {self.missing} commits are missing: the server before was not stopped cleanly, and {wal} is"
                f" not the one it had. The last commit here is of {self.last_commit}."
            ]
        if self.is_doubtful:
            return [f"Commits may be missing: {_doubt(wal, self.last_commit)}."]
        return [f"Commits may be missing: {self.loss}."] if self.loss else []


def _doubt(wal: Path, last_commit: str) -> str:
    return (
        f"the server before was not stopped cleanly, and {wal}, which belongs to it, was not there;"
        f" the last commit here is of {last_commit}"
    )


def last_run(path: Path, hold: DatabaseLock | None = None) -> LastRun:
    """Inspect a closed database without changing its files."""
    had_log = has_log(path)
    with opened_readonly(path, hold) as database:
        return read_last_run(database, path, had_log)


def has_log(path: Path) -> bool:
    """Whether commits are in the write-ahead log; asked before the database is opened, which creates an empty file."""
    wal = wal_of(path)
    return wal.exists() and wal.stat().st_size > 0


def read_last_run(database: SqliteConnection, path: Path, had_log: bool) -> LastRun:
    if not database.rows("SELECT 1 FROM sqlite_master WHERE name = 'session'"):
        return LastRun()
    rows = database.rows(READ)
    if not rows:
        return LastRun()
    [(database_id, commits, committed_at, is_open, loss)] = rows
    if not is_open:
        return LastRun(True, commits, committed_at, loss=loss)
    acknowledged = last_commit(path, database_id)
    missing, is_verified = max(0, (acknowledged or 0) - commits), acknowledged is not None
    return LastRun(False, commits, committed_at, is_verified, missing, not (is_verified or had_log), loss)


def check_complete(path: Path, session: LastRun) -> None:
    """Refuse a database that lacks commits: new ones could not be merged with them later."""
    if session.missing:
        raise StoreError(
            f"{path} can't be used as it is, and nothing was written to it. {session.faults(path)[0]} {advice(path)}"
        )


def advice(path: Path) -> str:
    return (
        f"Put {wal_of(path)} back and start again; or restore a copy: jamboree restore COPY --db {path} --force; or"
        f" accept the loss: jamboree accept-loss --db {path} --yes."
    )


def begin(database: SqliteConnection, hold: DatabaseLock, session: LastRun) -> str:
    """Mark a database as open, in the database file itself; return the loss that was not accepted, or an empty text."""
    loss = session.loss or (_doubt(wal_of(database.path), session.last_commit) if session.is_doubtful else "")
    database.change(CREATE, secrets.token_hex(8), int(time.time()))
    [(database_id, commits, *_)] = database.rows(READ)
    try:
        hold.begin(database_id, commits)
    except OSError as error:
        raise unusable_error(database.path, error) from None
    with database.transaction():
        database.change(BEGIN, loss)
    database.checkpoint(idle=True)
    return loss


def mark_clean(database: SqliteConnection, accept_loss: bool = False) -> None:
    """Mark a database as closed cleanly, or as complete after accepting its loss."""
    if database.rows("SELECT 1 FROM sqlite_master WHERE name = 'session'"):
        database.change(
            "UPDATE session SET is_open = 0, loss = ''" if accept_loss else "UPDATE session SET is_open = 0"
        )


@contextmanager
def opened_readonly(path: Path, hold: DatabaseLock | None = None) -> Iterator[SqliteConnection]:
    """Open a database read-only, and remove the files that SQLite creates beside it."""
    wal, shm = wal_of(path), Path(f"{path.resolve()}{SHM}")
    is_new = not wal.exists()
    database = SqliteConnection(path, readonly=True)
    try:
        yield database
    finally:
        database.close()
        if is_new:
            with suppress(StoreError), nullcontext() if hold else lock_database(path):
                if wal.exists() and wal.stat().st_size == 0:  # a server may have run meanwhile
                    wal.unlink()
                    shm.unlink(missing_ok=True)
