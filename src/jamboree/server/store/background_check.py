"""Background integrity checks: SQLite's pages for damage, every table for missing or altered records."""

import logging
import threading
import time
from pathlib import Path

from .connection import Connect, DatabaseConnection
from .contract import Damaged, DatabaseUnreachable, StoreError
from .health import StoreHealth
from .integrity import altered, incomplete_tables
from .sqlite import SqliteConnection
from .sqlite_files import damaged_error

START_TIMEOUT = 2.0  # seconds
FIRST_DELAY, EVERY = 60.0, 3600.0
TABLE_DELAY = 0.002  # seconds between tables, so that the check delays nobody
log = logging.getLogger(__name__)


class IntegrityChecker:
    """Reads in a thread of its own.

    The check at the start of an SQLite server skips digests and is limited to START_TIMEOUT. Later checks are complete.
    On PostgreSQL, which several servers may share, they only count records; digests are verified when tables are read.
    """

    def __init__(self, connect: Connect, health: StoreHealth, path: Path | None = None) -> None:
        self.path, self.health = path, health
        self._connect = connect
        self._closing = threading.Event()
        complete = self.path is not None and self._check(START_TIMEOUT)
        self._thread = threading.Thread(target=self._run, args=(complete,), name="store inspector", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _run(self, complete: bool) -> None:
        pause = min(FIRST_DELAY, EVERY) if complete else 0.0
        while not self._closing.wait(pause):
            self._check(None)
            pause = EVERY

    def _check(self, within: float | None) -> bool:
        """Run all checks; whether there was enough time."""
        end = time.monotonic() + within if within is not None else None
        try:
            connection = self._connect()
            try:
                return self._check_records(connection, end) and self._check_pages(connection, end)
            finally:
                connection.close()
        except Damaged as error:
            self.health.note_damage(str(error))
        except DatabaseUnreachable as error:  # the writer logs it as an error
            log.info("the tables can't be checked: %s", error)
        except StoreError as error:
            log.error("the tables can't be checked: %s", error)
        return True

    def _check_pages(self, connection: DatabaseConnection, end: float | None) -> bool:
        if self.path is None or not isinstance(connection, SqliteConnection):
            return True
        faults = connection.faults(max(0.0, end - time.monotonic()) if end else None, self._closing.is_set)
        if faults:
            self.health.note_damage(str(damaged_error(self.path, "; ".join(faults))))
        return faults is not None

    def _check_records(self, connection: DatabaseConnection, end: float | None) -> bool:
        def stopped() -> bool:
            return time.monotonic() > end if end is not None else self._closing.wait(TABLE_DELAY)

        known = list(self.health.incomplete)
        found = incomplete_tables(connection, end is None and self.path is not None, stopped)
        if found is None:
            return False
        for table, fault in found.items():
            self.health.note_incomplete(table, fault)
        self.health.recheck({table: table in found or bool(altered(connection, table)) for table in known})
        return True
