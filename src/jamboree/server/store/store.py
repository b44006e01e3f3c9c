"""The store as the server sees it: appends that wait for the disk, and reads that hold nobody up."""

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
from .background_check import Inspector
from .connection import Connect, Connection
from .contract import (
    Append,
    Change,
    Damaged,
    Erase,
    Forget,
    Incomplete,
    KeepAnalysis,
    KeepClock,
    KeepOut,
    Listing,
    Lost,
    Record,
    Stored,
    StoreError,
    UnknownTable,
)
from .health import Condition
from .lost_commits import Session, begin, check_whole, last_session
from .migrations import migrate
from .postgres import Postgres
from .sqlite import Sqlite
from .sqlite_files import held, prepared
from .writer import Writer

T = TypeVar("T")
S = TypeVar("S", bound="Store")
POSTGRES = ("postgresql://", "postgres://")
LONGEST_LIST = 200
log = logging.getLogger(__name__)


class Store:
    """Appends by one writing thread; reads on a connection of their own, which go on when writing does not."""

    def __init__(self, write: Connect, read: Connect, writer: Callable[[Connect, Condition], Writer] = Writer) -> None:
        self.condition = Condition()
        self._writer = writer(write, self.condition)
        self.path: Path | None = None  # where the file is, if it is one
        self.closing = ExitStack()  # what is let go of at the end
        self.closing.callback(self._writer.close)
        self._read = read
        self._reader: Connection | None = None
        self._reading, self._thread = threading.Lock(), ThreadPoolExecutor(1, thread_name_prefix="store reader")

    @property
    def trouble(self) -> str | None:
        """Say what is wrong with the database, if anything is."""
        return self.condition.trouble

    @property
    def comebacks(self) -> int:
        """Count how often the database was lost and found again: what is in memory may not be true since."""
        return self.condition.comebacks

    @property
    def groups(self) -> int:
        """Count the commits so far."""
        return self._writer.groups

    @property
    def commits(self) -> Histogram:
        """Say how long commits took."""
        return self._writer.commits

    @property
    def waiting(self) -> int:
        """Count the changes that wait for a commit."""
        return self._writer.waiting

    async def append(self, append: Append) -> None:
        """Keep a change; come back when it is durable. To stop waiting does not stop the commit."""
        await self._submitted(append)

    async def erase(self, before: int, today: int = 0) -> None:
        """Delete names and talk of tables that came to their end before a time, and bans that are over today."""
        await self._submitted(Erase(before, today))

    async def forget(self, forgotten: Forget) -> None:
        """Delete what is kept of a person at a table; come back when that is durable."""
        await self._submitted(forgotten)

    def note(self, clock: KeepClock) -> "asyncio.Future[None]":
        """Keep the time left at a table, some time soon; one need not wait for that."""
        return self._submitted(clock)

    def _submitted(self, change: Change) -> "asyncio.Future[None]":
        """Hand in a change. Whoever stops waiting for the answer does not stop the commit."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[None] = loop.create_future()

        def committed(error: StoreError | None) -> None:
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(_pass_on, error, answer)

        self._writer.submit(change, committed)
        return answer

    async def untouched(self, status: str, before: int) -> list[str]:
        return await self._answer(lambda reader: queries.untouched(reader, status, before))

    async def load(self, table: str) -> Stored:
        return await self._answer(lambda reader: queries.load(reader, table))

    async def history(self, table: str) -> list[Record]:
        return await self._answer(lambda reader: queries.history(reader, table))

    async def listed(self, status: str, limit: int = LONGEST_LIST) -> list[tuple[str, Listing]]:
        return await self._answer(lambda reader: queries.listed(reader, status, limit))

    async def replay(self, table: str) -> bytes | None:
        return await self._answer(lambda reader: queries.replay(reader, table))

    async def analysis(self, table: str) -> bytes | None:
        return await self._answer(lambda reader: queries.analysis(reader, table))

    async def keep_analysis(self, table: str, body: bytes) -> None:
        """Keep what was found out about a finished game; come back when it is durable."""
        await self._submitted(KeepAnalysis(table, body))

    async def keep_out(self, kept_out: KeepOut) -> None:
        """Keep it noted that an address is not let in; come back when that is durable."""
        await self._submitted(kept_out)

    async def kept_out(self) -> list[tuple[str, int, str]]:
        return await self._answer(queries.kept_out)

    def close(self) -> None:
        """Commit what was handed in, and let go of the database: the writer last, which leaves it in one file."""
        with self._reading:
            self._drop_reader()
        self._thread.shutdown(wait=False)
        self.closing.close()

    def _answer(self, question: Callable[[Connection], T]) -> "asyncio.Future[T]":
        """Have something read by the one thread that has the connection for it."""
        return asyncio.get_running_loop().run_in_executor(self._thread, self._ask, question)

    def _ask(self, question: Callable[[Connection], T]) -> T:
        with self._reading:
            if self.condition.lost:  # the writer says when it is back
                raise Lost("The database can't be reached at the moment.")
            try:
                return self._put(question)
            except Lost:  # perhaps it is only the connection
                return self._put(question)
            except Incomplete as error:
                if not error.accepted:
                    self.condition.note_incomplete(error.table, error.fault)
                raise
            except Damaged as error:
                self.condition.note_damage(str(error))
                raise

    def _put(self, question: Callable[[Connection], T]) -> T:
        self._reader = self._reader or self._read()
        try:
            return question(self._reader)
        except (UnknownTable, Incomplete):
            raise
        except StoreError:
            self._drop_reader()  # the next one gets a fresh connection
            raise

    def _drop_reader(self) -> None:
        if self._reader:
            self._reader.close()
        self._reader = None


def _pass_on(error: StoreError | None, answer: "asyncio.Future[None]") -> None:
    if answer.done():
        return
    if error is None:
        answer.set_result(None)
    else:
        answer.set_exception(error)
        answer.exception()  # perhaps nobody waits any more


def open_store(where: str) -> Store:
    """Open the database at a path or address for this server alone, and bring it up to date first."""
    return _open_postgres(where) if where.startswith(POSTGRES) else _open_sqlite(Path(where))


def _open_sqlite(path: Path) -> Store:
    _, read = connections(str(path))
    with ExitStack() as opening:
        is_new = not path.exists()
        hold = opening.enter_context(held(path))
        with prepared(path):
            last = Session() if is_new else last_session(path, hold)
            check_whole(path, last)
            first = Sqlite(path)
            try:
                migrate(first)
                first.mark()
                loss = begin(first, hold, last)
            finally:
                first.close()
            store = Store(lambda: Sqlite(path, hold=hold), read)
        store.path = path
        opening.enter_context(store.closing.pop_all())
        _report(store.condition, last, loss)
        opening.callback(Inspector(read, store.condition, path).close)
        store.closing = opening.pop_all()
    return store


def _report(condition: Condition, last: Session, loss: str) -> None:
    """Say how the server before was stopped, and whether that cost anything."""
    condition.was_clean = last.was_clean
    if not last.was_clean and last.is_whole:
        log.warning("the server before was not stopped cleanly; everything it acknowledged is here")
    if loss:
        condition.note_lost_commits(loss)


def _open_postgres(address: str) -> Store:
    write, read = prepared_postgres(address)
    return inspected(Store(write, read), read)


def inspected(store: S, read: Connect) -> S:
    """Have a store on PostgreSQL checked in the background until it is closed."""
    store.closing.callback(Inspector(read, store.condition).close)
    return store


def prepared_postgres(address: str, lease: float = 0.0) -> tuple[Connect, Connect]:
    """Bring a database up to date, and say how to connect to it as its only server or as one of several with leases."""
    _, read = connections(address)

    def write() -> Connection:
        connection = Postgres(address)
        connection.hold(lease)
        return connection

    first = write()
    try:
        migrate(first)
    finally:
        first.close()
    return write, read


def connections(where: str) -> tuple[Connect, Connect]:
    """Say how to connect to a database, to write and to read."""
    if where.startswith(POSTGRES):
        return lambda: Postgres(where), lambda: Postgres(where, readonly=True)
    path = Path(where)
    return lambda: Sqlite(path), lambda: Sqlite(path, readonly=True)
