"""The interface of SQLite and PostgreSQL connections."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = Sequence[Any]


class DatabaseConnection(Protocol):
    """A connection for one thread at a time; failures raise StoreError."""

    def rows(self, statement: str, *values: object) -> list[Row]: ...
    def change(self, statement: str, *values: object) -> int: ...  # the number of changed rows
    def script(self, statements: str) -> None: ...
    def transaction(self) -> AbstractContextManager[object]: ...  # durable on exit
    def check(self) -> None: ...  # after each commit: that the database was not replaced
    def scrub(self) -> bool: ...  # overwrite deleted data in the files; False: try again later
    def checkpoint(self, idle: bool) -> None: ...  # copy the write-ahead log into the database now and then
    def end(self) -> None: ...  # mark a clean shutdown
    def ping(self) -> None: ...  # check the connection while idle
    def close(self) -> None: ...


Connect = Callable[[], DatabaseConnection]
