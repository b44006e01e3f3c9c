"""The asynchronous store: durable writes by group commit, and reads in a thread of their own."""

import asyncio
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

from ..histogram import Histogram
from . import queries
from .background_check import IntegrityChecker
from .connection import Connect, DatabaseConnection
from .contract import (
    MAX_LISTED,
    AddressBan,
    Append,
    Change,
    Damaged,
    DatabaseUnreachable,
    EraseExpired,
    ErasePerson,
    Incomplete,
    Listing,
    Record,
    SaveAnalysis,
    SaveClock,
    Stored,
    StoreError,
    TableStore,
    UnknownTable,
)
from .health import StoreHealth
from .lost_commits import LastRun, begin, check_complete, last_run
from .migrations import migrate
from .postgres import PostgresConnection
from .sqlite import SqliteConnection
from .sqlite_files import lock_database, private_file
from .writer import Writer

T = TypeVar("T")
S = TypeVar("S", bound="Store")
POSTGRES = ("postgresql://", "postgres://")
log = logging.getLogger(__name__)


class Store(TableStore):
    """Writes through one writer thread; reads on another connection, which go on when writing has stopped."""

    def __init__(
        self, write: Connect, read: Connect, writer: Callable[[Connect, StoreHealth], Writer] = Writer
    ) -> None:
        self.health = StoreHealth()
        self._writer = writer(write, self.health)
        self.path: Path | None = None  # of an SQLite file
        self.closing = ExitStack()  # resources to release at the end
        self.closing.callback(self._writer.close)
        self._read = read
        self._reader: DatabaseConnection | None = None
        self._reading, self._thread = threading.Lock(), ThreadPoolExecutor(1, thread_name_prefix="store reader")

    @property
    def trouble(self) -> str | None:
        """A description of what is wrong with the database, or None."""
        return self.health.trouble

    @property
    def comebacks(self) -> int:
        """How often the database came back; state in memory may be outdated since."""
        return self.health.comebacks

    @property
    def groups(self) -> int:
        return self._writer.groups

    @property
    def commits(self) -> Histogram:
        return self._writer.commits

    @property
    def waiting(self) -> int:
        return self._writer.waiting

    async def append(self, append: Append) -> None:
        """Append records; return when they are durable. Cancelling the caller does not cancel the commit."""
        await self._submit(append)

    async def erase_expired(self, before: int, today: int = 0) -> None:
        """Delete names and chat of tables that ended before a time, and expired bans."""
        await self._submit(EraseExpired(before, today))

    async def erase_person(self, erase: ErasePerson) -> None:
        await self._submit(erase)

    def save_clock(self, clock: SaveClock) -> "asyncio.Future[None]":
        """Save a table's remaining times; awaiting the result is optional."""
        return self._submit(clock)

    def _submit(self, change: Change) -> "asyncio.Future[None]":
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[None] = loop.create_future()

        def committed(error: StoreError | None) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_resolve, error, answer)

        self._writer.submit(change, committed)
        return answer

    async def unchanged_since(self, status: str, before: int) -> list[str]:
        return await self._in_reader(lambda reader: queries.unchanged_since(reader, status, before))

    async def load(self, table: str) -> Stored:
        return await self._in_reader(lambda reader: queries.load(reader, table))

    async def history(self, table: str) -> list[Record]:
        return await self._in_reader(lambda reader: queries.history(reader, table))

    async def listed(self, status: str, limit: int = MAX_LISTED) -> list[tuple[str, Listing]]:
        return await self._in_reader(lambda reader: queries.listed(reader, status, limit))

    async def replay(self, table: str) -> bytes | None:
        return await self._in_reader(lambda reader: queries.replay(reader, table))

    async def analysis(self, table: str) -> bytes | None:
        return await self._in_reader(lambda reader: queries.analysis(reader, table))

    async def save_analysis(self, table: str, body: bytes) -> None:
        await self._submit(SaveAnalysis(table, body))

    async def save_ban(self, address_bans: AddressBan) -> None:
        await self._submit(address_bans)

    async def address_bans(self) -> list[tuple[str, int, str]]:
        return await self._in_reader(queries.address_bans)

    def close(self) -> None:
        """Commit what is queued and close the database: the writer last, which merges the write-ahead log."""
        with self._reading:
            self._drop_reader()
        self._thread.shutdown(wait=False)
        self.closing.close()

    def _in_reader(self, query: Callable[[DatabaseConnection], T]) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._thread, self._read_locked, query)

    def _read_locked(self, query: Callable[[DatabaseConnection], T]) -> T:
        with self._reading:
            if self.health.lost:  # the writer reconnects
                raise DatabaseUnreachable("The database can't be reached at the moment.")
            try:
                return self._query(query)
            except DatabaseUnreachable:  # perhaps only the reading connection is broken
                return self._query(query)
            except Incomplete as error:
                if not error.accepted:
                    self.health.note_incomplete(error.table, error.fault)
                raise
            except Damaged as error:
                self.health.note_damage(str(error))
                raise

    def _query(self, query: Callable[[DatabaseConnection], T]) -> T:
        self._reader = self._reader or self._read()
        try:
            return query(self._reader)
        except (UnknownTable, Incomplete):
            raise
        except StoreError:
            self._drop_reader()  # the next query reconnects
            raise

    def _drop_reader(self) -> None:
        if self._reader:
            self._reader.close()
        self._reader = None


def _resolve(error: StoreError | None, answer: "asyncio.Future[None]") -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(None)
    else:
        answer.set_exception(error)
        answer.exception()  # the caller may be gone


def open_store(where: str) -> Store:
    """Migrate and open the database at a path or URL, for this server alone."""
    return _open_postgres(where) if where.startswith(POSTGRES) else _open_sqlite(Path(where))


def _open_sqlite(path: Path) -> Store:
    _, read = connectors(str(path))
    with ExitStack() as opening:
        is_new = not path.exists()
        hold = opening.enter_context(lock_database(path))
        with private_file(path):
            last = LastRun() if is_new else last_run(path, hold)
            check_complete(path, last)
            first = SqliteConnection(path)
            try:
                migrate(first)
                first.mark()
                loss = begin(first, hold, last)
            finally:
                first.close()
            store = Store(lambda: SqliteConnection(path, hold=hold), read)
        store.path = path
        opening.enter_context(store.closing.pop_all())
        _report(store.health, last, loss)
        opening.callback(IntegrityChecker(read, store.health, path).close)
        store.closing = opening.pop_all()
    return store


def _report(health: StoreHealth, last: LastRun, loss: str) -> None:
    """Report an unclean stop of the last server, and its lost commits."""
    health.was_clean, health.is_verified = last.was_clean, last.is_verified
    if not last.was_clean and last.is_complete:
        log.warning("the last server was not stopped cleanly; %s", last.completeness)
    if loss:
        health.note_lost_commits(loss)


def _open_postgres(address: str) -> Store:
    write, read = migrated_postgres(address)
    return with_integrity_checks(Store(write, read), read)


def with_integrity_checks(store: S, read: Connect) -> S:
    """Check a PostgreSQL store in the background until it is closed."""
    store.closing.callback(IntegrityChecker(read, store.health).close)
    return store


def migrated_postgres(address: str, lease: float = 0.0) -> tuple[Connect, Connect]:
    """Migrate a database; return functions that connect to it, for a single server or for a cluster with leases."""
    _, read = connectors(address)

    def write() -> DatabaseConnection:
        connection = PostgresConnection(address)
        connection.hold(lease)
        return connection

    first = write()
    try:
        migrate(first)
    finally:
        first.close()
    return write, read


def connectors(where: str) -> tuple[Connect, Connect]:
    """Functions that connect to a database for writing and for reading."""
    if where.startswith(POSTGRES):
        return lambda: PostgresConnection(where), lambda: PostgresConnection(where, readonly=True)
    path = Path(where)
    return lambda: SqliteConnection(path), lambda: SqliteConnection(path, readonly=True)
