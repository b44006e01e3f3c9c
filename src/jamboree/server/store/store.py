"""The store as the server sees it: appends that wait for the disk, and reads that hold nobody up."""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from . import database
from .contract import Append, Change, Erase, KeepClock, Listing, Record, Stored, StoreError, UnknownTable
from .database import Connect, Connection
from .migrations import migrate
from .postgres import Postgres
from .sqlite import Sqlite
from .writer import Writer

T = TypeVar("T")
POSTGRES = ("postgresql://", "postgres://")
LONGEST_LIST = 200


class Store:
    """Appends by one writing thread; reads on a connection of their own, which go on when writing does not."""

    def __init__(self, write: Connect, read: Connect, writer: Callable[[Connect], Writer] = Writer) -> None:
        self._writer = writer(write)
        self._read = read
        self._reader: Connection | None = None
        self._reading = threading.Lock()

    @property
    def trouble(self) -> str | None:
        """Say what keeps the store from writing, if anything does."""
        return self._writer.trouble

    @property
    def groups(self) -> int:
        """Count the commits so far."""
        return self._writer.groups

    async def append(self, append: Append) -> None:
        """Keep a change; come back when it is durable. To stop waiting does not stop the commit."""
        await asyncio.shield(self._submitted(append))

    async def erase(self, before: int) -> None:
        """Delete names and talk of tables that came to their end before a time."""
        await asyncio.shield(self._submitted(Erase(before)))

    def note(self, clock: KeepClock) -> "asyncio.Future[None]":
        """Keep the time left at a table, some time soon; one need not wait for that."""
        return self._submitted(clock)

    def _submitted(self, change: Change) -> "asyncio.Future[None]":
        done = asyncio.wrap_future(self._writer.submit(change))
        done.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits any more
        return done

    async def untouched(self, status: str, before: int) -> list[str]:
        return await asyncio.to_thread(self._ask, lambda reader: database.untouched(reader, status, before))

    async def load(self, table: str) -> Stored:
        return await asyncio.to_thread(self._ask, lambda reader: database.load(reader, table))

    async def history(self, table: str) -> list[Record]:
        return await asyncio.to_thread(self._ask, lambda reader: database.history(reader, table))

    async def listed(self, status: str, limit: int = LONGEST_LIST) -> list[tuple[str, Listing]]:
        return await asyncio.to_thread(self._ask, lambda reader: database.listed(reader, status, limit))

    async def film(self, table: str) -> bytes | None:
        return await asyncio.to_thread(self._ask, lambda reader: database.film(reader, table))

    def close(self) -> None:
        """Commit what was handed in, and let go of the database."""
        self._writer.close()
        with self._reading:
            self._drop_reader()

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._reading:
            self._reader = self._reader or self._read()
            try:
                return question(self._reader)
            except UnknownTable:
                raise
            except StoreError:
                self._drop_reader()  # the next one gets a fresh connection
                raise

    def _drop_reader(self) -> None:
        if self._reader:
            self._reader.close()
        self._reader = None


def open_store(where: str) -> Store:
    """Open the database at a path or address, and bring it up to date first."""
    write, read = _connections(where)
    first = write()
    try:
        migrate(first)
    finally:
        first.close()
    return Store(write, read)


def _connections(where: str) -> tuple[Connect, Connect]:
    if where.startswith(POSTGRES):
        return lambda: Postgres(where), lambda: Postgres(where, readonly=True)
    path = Path(where)
    return lambda: Sqlite(path), lambda: Sqlite(path, readonly=True)
