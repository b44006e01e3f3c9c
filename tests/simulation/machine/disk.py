"""A disk with the real database on it: SQLite in memory, under the store's own statements.

A commit takes time, fails, or succeeds with an error. Its contents outlive the server that wrote it.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, cast

from jamboree.server.histogram import Histogram
from jamboree.server.store import StoreError
from jamboree.server.store.connection import Connect, DatabaseConnection, Row
from jamboree.server.store.contract import Append, Change, DatabaseUnreachable
from jamboree.server.store.health import StoreHealth
from jamboree.server.store.migrations import migrate
from jamboree.server.store.sqlite import SqliteConnection
from jamboree.server.store.store import Store
from jamboree.server.store.writer import MAX_GROUP, AcknowledgedCounts, OnCommit, PendingChange, Writer, _order

from .loop import VirtualLoop

QUICK, SLOW = (0.0005, 0.004), (0.3, 2.5)  # seconds of a commit


class Fault(StrEnum):
    FAILS = "fails"  # nothing is written, and an error is raised
    UNKNOWN = "unknown"  # everything is written, and an error is raised
    LOST = "lost"  # nothing is written, and the database can't be reached for a while
    LOST_AFTER = "lost after"  # everything is written, and the database can't be reached for a while


AWAY = {Fault.LOST, Fault.LOST_AFTER}
GONE_FOR, AGAIN = (0.2, 45.0), 0.5  # seconds for which a lost database is away, and between attempts to reconnect


@cache
def _empty() -> bytes:
    database = SqliteConnection(Path(":memory:"))
    migrate(database)
    return bytes(database._connection.serialize("main"))


class Disk:
    def __init__(self, loop: VirtualLoop, rng: random.Random) -> None:
        self.loop, self.rng = loop, rng
        self.database = SqliteConnection(Path(":memory:"))
        self.database._connection.deserialize("main", _empty())
        self.version = 0  # incremented by every commit
        self.slow = self.armed = False
        self.moody = True  # whether commits are slow now and then
        self.fault: Fault | None = None  # for the next commit of a record
        self.faults = 0  # injected so far
        self.back_at = 0.0  # the time at which it can be reached again
        self.lies = False  # it acknowledges writes before they are durable
        self._before = b""  # for a lying disk: the contents before the last commit

    def seconds(self) -> float:
        hiccup = self.moody and self.rng.random() < 0.08
        return self.rng.uniform(*(SLOW if self.slow or hiccup else QUICK))

    def plug_in(self) -> "Plug":
        return Plug(self)

    @contextmanager
    def committing(self) -> Iterator[None]:
        fault = self.fault if self.armed else None
        self.fault = None if fault else self.fault
        if self.lies:
            self._before = bytes(self.database._connection.serialize("main"))
        with self.database.transaction():
            yield
            if fault in AWAY:
                self.back_at = self.loop.time() + self.rng.uniform(*GONE_FOR)
            if fault is Fault.FAILS:
                raise StoreError("The disk is full.")
            if fault is Fault.LOST:
                raise DatabaseUnreachable("The database is gone.")
        self.version += 1
        if fault is Fault.UNKNOWN:
            raise StoreError("The disk did not answer.")
        if fault is Fault.LOST_AFTER:
            raise DatabaseUnreachable("The database is gone.")

    @property
    def away(self) -> bool:
        return self.loop.time() < self.back_at

    def lose_power(self) -> None:
        """Lose writes that were acknowledged but not durable."""
        if self.lies and self._before:
            self.database._connection.deserialize("main", self._before)


class Plug:
    """Connects one server to the disk. A crashed server is unplugged, so its later writes have no effect."""

    def __init__(self, disk: Disk) -> None:
        self.disk, self.connected = disk, True
        self.writer: LoopWriter | None = None

    def store(self) -> Store:
        return Store(lambda: Cable(self, True), lambda: Cable(self, False), self._writer)

    def _writer(self, connect: Connect, health: StoreHealth) -> "LoopWriter":
        self.writer = LoopWriter(connect, health, self.disk)
        return self.writer

    def pull(self, rng: random.Random) -> None:
        """Crash: writes in progress reach the disk or not, at random."""
        if self.writer and rng.random() < 0.5:
            self.writer.write_unheard()
        self.connected = False


class Cable:
    """A connection of the store. They share one SQLite connection, since the loop is single-threaded."""

    def __init__(self, plug: Plug, writes: bool) -> None:
        self.plug, self.writes = plug, writes

    def _database(self) -> DatabaseConnection:
        if not self.plug.connected:
            raise StoreError("This server is not there any more.")
        if self.plug.disk.away:
            raise DatabaseUnreachable("The database can't be reached.")
        return self.plug.disk.database

    def rows(self, statement: str, *values: object) -> list[Row]:
        return self._database().rows(statement, *values)

    def change(self, statement: str, *values: object) -> int:
        return self._database().change(statement, *values)

    def script(self, statements: str) -> None:
        self._database().script(statements)

    def transaction(self) -> Any:
        database = self._database()
        return self.plug.disk.committing() if self.writes else database.transaction()

    def check(self) -> None:
        pass

    def checkpoint(self, idle: bool) -> None:
        pass

    def end(self) -> None:
        pass

    def ping(self) -> None:
        pass

    def scrub(self) -> bool:
        return True

    def close(self) -> None:
        pass


class LoopWriter(Writer):
    """The store's writer without its thread: it commits a group some time after the first append."""

    def __init__(self, connect: Connect, health: StoreHealth, disk: Disk) -> None:
        self.health, self.groups, self.commits, self._unscrubbed = health, 0, Histogram(), False
        self.acknowledged = AcknowledgedCounts()
        self.disk, self._cable = disk, cast(Cable, connect())
        self._connection = self._cable
        self._waiting: list[PendingChange] = []
        self._busy = False

    def submit(self, change: Change, answer: OnCommit) -> None:
        self._waiting.append((change, answer))
        if not self._busy:
            self._busy = True
            self.disk.loop.call_later(self.disk.seconds(), self._write)

    def close(self) -> None:
        self._write()

    def write_unheard(self) -> None:
        """Commit the queue without acknowledging it."""
        if not self.health.trouble and self._waiting:
            self._commit(self._cable, [(change, lambda error: None) for change, _ in self._waiting])

    def _write(self) -> None:
        group, self._waiting = self._waiting[:MAX_GROUP], self._waiting[MAX_GROUP:]
        group.sort(key=_order)
        self.disk.armed = any(isinstance(change, Append) and change.records for change, _ in group)
        if self.health.trouble or not self._cable.plug.connected:
            self._refuse(group)
        else:
            self._commit(self._cable, group)
        if self.health.lost:
            self.disk.loop.call_later(AGAIN, self._find_again)
        self._busy = bool(self._waiting)
        if self._busy:
            self.disk.loop.call_later(self.disk.seconds(), self._write)

    def _find_again(self) -> None:
        if not self._cable.plug.connected:
            return
        if self.disk.away:
            self.disk.loop.call_later(AGAIN, self._find_again)
        elif self.health.lost:
            self._connection = self._cable
            self.health.note_reconnected()
            self._check_rollback(self._cable, self.acknowledged.tables())
