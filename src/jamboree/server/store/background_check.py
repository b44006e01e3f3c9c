"""Checks a whole database in the background: SQLite's pages for damage, every table for missing or altered records."""

import logging
import threading
import time
from pathlib import Path

from .connection import Connect, Connection
from .contract import Damaged, Lost, StoreError
from .health import Condition
from .integrity import altered, incomplete_tables
from .sqlite import Sqlite
from .sqlite_files import damaged

AT_START = 2.0  # seconds
FIRST_AFTER, EVERY = 60.0, 3600.0
PAUSE = 0.002  # seconds between two tables whose records are read: nobody should wait for this
log = logging.getLogger(__name__)


class Inspector:
    """Reads on a connection and in a thread of its own.

    At the start a file is checked for as long as AT_START allows, without the contents of records. Later checks are
    whole; on PostgreSQL, which several servers may share, they count the records of each table and leave their contents
    to be checked when they are read.
    """

    def __init__(self, connect: Connect, condition: Condition, path: Path | None = None) -> None:
        self.path, self.condition = path, condition
        self._connect = connect
        self._closing = threading.Event()
        complete = self.path is not None and self._inspect(AT_START)
        self._thread = threading.Thread(target=self._work, args=(complete,), name="store inspector", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _work(self, complete: bool) -> None:
        pause = min(FIRST_AFTER, EVERY) if complete else 0.0
        while not self._closing.wait(pause):
            self._inspect(None)
            pause = EVERY

    def _inspect(self, within: float | None) -> bool:
        """Look for damage and missing records; tell whether there was time for all of it."""
        end = time.monotonic() + within if within is not None else None
        try:
            connection = self._connect()
            try:
                return self._check_records(connection, end) and self._check_pages(connection, end)
            finally:
                connection.close()
        except Damaged as error:
            self.condition.note_damage(str(error))
        except Lost as error:  # the writer says so as well, and when it is back
            log.info("the tables can't be checked: %s", error)
        except StoreError as error:
            log.error("the tables can't be checked: %s", error)
        return True

    def _check_pages(self, connection: Connection, end: float | None) -> bool:
        if self.path is None or not isinstance(connection, Sqlite):
            return True
        faults = connection.faults(max(0.0, end - time.monotonic()) if end else None, self._closing.is_set)
        if faults:
            self.condition.note_damage(str(damaged(self.path, "; ".join(faults))))
        return faults is not None

    def _check_records(self, connection: Connection, end: float | None) -> bool:
        def stopped() -> bool:
            return time.monotonic() > end if end is not None else self._closing.wait(PAUSE)

        known = list(self.condition.incomplete)
        found = incomplete_tables(connection, end is None and self.path is not None, stopped)
        if found is None:
            return False
        for table, fault in found.items():
            self.condition.note_incomplete(table, fault)
        self.condition.recheck({table: table in found or bool(altered(connection, table)) for table in known})
        return True
