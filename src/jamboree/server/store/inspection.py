"""A look through a whole database file: at the start as far as time allows, and again now and then."""

import logging
import threading
from pathlib import Path

from .condition import Condition
from .contract import StoreError
from .place import damaged
from .sqlite import Sqlite

AT_START = 2.0  # seconds
EVERY = 3600.0
log = logging.getLogger(__name__)


class Inspector:
    """Reads on a connection and in a thread of its own, so that nobody waits for it."""

    def __init__(self, path: Path, condition: Condition) -> None:
        self.path, self.condition = path, condition
        self._closing = threading.Event()
        complete = self._inspect(AT_START)
        self._thread = threading.Thread(target=self._work, args=(complete,), name="store inspector", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _work(self, complete: bool) -> None:
        pause = EVERY if complete else 0.0
        while not self._closing.wait(pause):
            self._inspect(None)
            pause = EVERY

    def _inspect(self, within: float | None) -> bool:
        """Look for damage; tell whether there was time for all of it."""
        try:
            database = Sqlite(self.path, readonly=True)
            try:
                faults = database.faults(within, self._closing.is_set)
            finally:
                database.close()
        except StoreError as error:
            log.error("the tables can't be looked through: %s", error)
            return True
        if faults:
            self.condition.note_damage(str(damaged(self.path, "; ".join(faults))))
        return faults is not None
