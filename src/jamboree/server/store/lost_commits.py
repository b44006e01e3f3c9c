"""Detects commits of an SQLite database that were lost together with its write-ahead log (WAL).

After a crash the last commits are only in the file `-wal` beside the database. Without that file SQLite opens the
database as it was at the last checkpoint, and reports nothing. Two numbers are compared therefore:

- the row in `session`, which every commit raises, and which is marked as open, in the database file itself, as long as
  a server has it;
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
from .sqlite import Sqlite
from .sqlite_files import SHM, Hold, held, last_commit, unusable, wal_of

CREATE = """INSERT INTO session (id, database_id, commits, committed_at, is_open, loss) VALUES (1, ?, 0, ?, 0, '')
 ON CONFLICT (id) DO NOTHING"""
BEGIN = "UPDATE session SET is_open = 1, loss = CASE WHEN loss = '' THEN ? ELSE loss END"
READ = "SELECT database_id, commits, committed_at, is_open, loss FROM session"


class Session(NamedTuple):
    """What is known of the last server that had a database, and of what it committed."""

    was_clean: bool = True
    commits: int = 0
    committed_at: int = 0
    missing: int = 0  # commits that it acknowledged and that are not there
    is_doubtful: bool = False  # it was killed, and nothing shows whether all of its commits are here
    loss: str = ""  # that was noted at a start, and not accepted yet

    @property
    def is_whole(self) -> bool:
        return not (self.missing or self.is_doubtful)

    @property
    def last_commit(self) -> str:
        return datetime.fromtimestamp(self.committed_at, UTC).isoformat(" ", "seconds").replace("+00:00", " UTC")

    def faults(self, path: Path) -> list[str]:
        """Say which commits are missing, and how that is known."""
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


def last_session(path: Path, hold: Hold | None = None) -> Session:
    """Look at a database that is not open, and leave its files as they are."""
    has_wal = wal_of(path).exists()  # before it is opened, which makes one
    with reading(path, hold) as database:
        return read_session(database, path, has_wal)


def read_session(database: Sqlite, path: Path, has_wal: bool) -> Session:
    if not database.rows("SELECT 1 FROM sqlite_master WHERE name = 'session'"):
        return Session()
    rows = database.rows(READ)
    if not rows:
        return Session()
    [(database_id, commits, committed_at, is_open, loss)] = rows
    if not is_open:
        return Session(True, commits, committed_at, loss=loss)
    acknowledged = last_commit(path, database_id)
    missing = max(0, (acknowledged or 0) - commits)
    return Session(False, commits, committed_at, missing, acknowledged is None and not has_wal, loss)


def check_whole(path: Path, session: Session) -> None:
    """Refuse a database that certainly lacks commits: what is written to it now could not be merged with them later."""
    if session.missing:
        raise StoreError(
            f"{path} can't be used as it is, and nothing was written to it. {session.faults(path)[0]} {advice(path)}"
        )


def advice(path: Path) -> str:
    return (
        f"Put {wal_of(path)} back and start again; or put a copy back: jamboree restore COPY --db {path} --force; or"
        f" accept the loss: jamboree accept-loss --db {path} --yes."
    )


def begin(database: Sqlite, hold: Hold, session: Session) -> str:
    """Mark a database as open, in the file itself; return the loss that was not accepted yet, if there is one."""
    loss = session.loss or (_doubt(wal_of(database.path), session.last_commit) if session.is_doubtful else "")
    database.change(CREATE, secrets.token_hex(8), int(time.time()))
    [(database_id, commits, *_)] = database.rows(READ)
    try:
        hold.begin(database_id, commits)
    except OSError as error:
        raise unusable(database.path, error) from None
    with database.transaction():
        database.change(BEGIN, loss)
    database.checkpoint(idle=True)
    return loss


def mark_clean(database: Sqlite, accept_loss: bool = False) -> None:
    """Mark a database as closed with all its commits, or with those that are left."""
    if database.rows("SELECT 1 FROM sqlite_master WHERE name = 'session'"):
        database.change(
            "UPDATE session SET is_open = 0, loss = ''" if accept_loss else "UPDATE session SET is_open = 0"
        )


@contextmanager
def reading(path: Path, hold: Hold | None = None) -> Iterator[Sqlite]:
    """Open a database to read, and leave no file beside it that was not there."""
    wal, shm = wal_of(path), Path(f"{path.resolve()}{SHM}")
    is_new = not wal.exists()
    database = Sqlite(path, readonly=True)
    try:
        yield database
    finally:
        database.close()
        if is_new:
            with suppress(StoreError), nullcontext() if hold else held(path):
                if wal.exists() and wal.stat().st_size == 0:  # a server may have come and gone meanwhile
                    wal.unlink()
                    shm.unlink(missing_ok=True)
