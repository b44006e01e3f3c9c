"""SQLite, by apsw, which brings its own recent one."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from .contract import StoreError
from .database import Row

SETTINGS = (
    "busy_timeout = 5000",
    "journal_mode = WAL",
    "synchronous = FULL",  # with less, a power cut can take back what was acknowledged
    "foreign_keys = ON",
)


class Sqlite:
    """A connection to a file; a transaction of the writing one takes the write lock at its start."""

    def __init__(self, path: Path, readonly: bool = False, vfs: str | None = None) -> None:
        flags = apsw.SQLITE_OPEN_READONLY if readonly else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        self._begin = "BEGIN" if readonly else "BEGIN IMMEDIATE"
        with _in_our_words():
            self._connection = apsw.Connection(str(path), flags, vfs=vfs)
            for setting in SETTINGS if not readonly else SETTINGS[:1]:
                self.script(f"PRAGMA {setting}")

    def rows(self, statement: str, *values: object) -> list[Row]:
        with _in_our_words():
            return list(self._connection.execute(statement, values))

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
            self.script("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self.script("ROLLBACK")
            raise

    def copy_to(self, path: Path) -> None:
        """Write all that is committed now to another file, while others go on writing."""
        with _in_our_words():
            target = apsw.Connection(str(path))
            with target.backup("main", self._connection, "main") as backup:
                backup.step()
            target.close()

    def close(self) -> None:
        with _in_our_words():
            self._connection.close()


@contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise StoreError(f"The database says: {error}.") from error
