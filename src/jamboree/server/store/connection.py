"""A connection to a database, whichever it is."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

Row = Sequence[Any]


class Connection(Protocol):
    """One connection, used by one thread at a time; whatever fails is a StoreError."""

    def rows(self, statement: str, *values: object) -> list[Row]: ...
    def change(self, statement: str, *values: object) -> int: ...  # how many rows were changed
    def script(self, statements: str) -> None: ...
    def transaction(self) -> AbstractContextManager[object]: ...  # durable when it has been left
    def check(self) -> None: ...  # that it is still the database that was opened; after each commit
    def scrub(self) -> bool: ...  # leave nothing of what was deleted where it can be read; False: try again later
    def checkpoint(self, idle: bool) -> None: ...  # have little to lose with a file beside the database
    def end(self) -> None: ...  # nothing more is written: note that the server stopped cleanly
    def ping(self) -> None: ...  # that it is there, when there is nothing to do
    def close(self) -> None: ...


Connect = Callable[[], Connection]
