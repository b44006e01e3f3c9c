"""Group commit: one thread owns the writing connection and commits the changes of many tables together."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final

from ..histogram import Histogram
from ..telemetry import span
from .connection import Connect, DatabaseConnection
from .contract import Append, Change, Damaged, DatabaseUnreachable, EraseExpired, ErasePerson, StoreError, Unavailable
from .health import StoreHealth
from .queries import commit, record_counts

MAX_GROUP = 256
MAX_TRACKED = 4096  # tables whose last acknowledged record is tracked
IDLE = 1.0  # seconds without changes before the connection is checked
MIN_RETRY_DELAY, MAX_RETRY_DELAY = 0.1, 5.0  # seconds between attempts to reconnect
OnCommit = Callable[[StoreError | None], None]
"""Called in the writing thread once a change is durable, or with the error."""

PendingChange = tuple[Change, OnCommit]


class AcknowledgedCounts:
    """The number of the last acknowledged record of each recently changed table."""

    def __init__(self) -> None:
        self._seqs: dict[str, int] = {}

    def note(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, Append):
                self._seqs.pop(change.table, None)
                self._seqs[change.table] = change.after + len(change.records)
        while len(self._seqs) > MAX_TRACKED:
            del self._seqs[next(iter(self._seqs))]

    def tables(self) -> list[str]:
        return list(self._seqs)

    def missing(self, connection: DatabaseConnection, tables: Sequence[str]) -> Iterator[tuple[str, str]]:
        known = {table: self._seqs[table] for table in tables if table in self._seqs}
        for table, seq in record_counts(connection, list(known)).items():
            if seq < known[table]:
                self._seqs[table] = seq
                yield table, f"records {seq + 1} to {known[table]} were acknowledged, and the database has lost them"


class Writer:
    """Commits changes, and acknowledges them when they are durable.

    After an error with a file it stops writing, since only a restart can find out what is on the disk. With an
    unreachable database it reconnects: pending changes fail, and their tables reload and may retry, which is safe
    since an append names the record it follows.
    """

    def __init__(self, connect: Connect, health: StoreHealth | None = None) -> None:
        self.health = health or StoreHealth()
        self.groups, self.commits = 0, Histogram()
        self.acknowledged = AcknowledgedCounts()
        self._connect = connect
        self._connection: DatabaseConnection | None = connect()
        self._unscrubbed = False  # deleted data can still be read in the files
        self._retry_delay, self._retry_at = MIN_RETRY_DELAY, 0.0
        self._queue: SimpleQueue[PendingChange | None] = SimpleQueue()
        self._thread: Final = threading.Thread(target=self._run, name="store writer", daemon=True)
        self._thread.start()

    def submit(self, change: Change, answer: OnCommit) -> None:
        """Queue a change; cancelling the caller does not cancel the commit."""
        self._queue.put((change, answer))

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def close(self) -> None:
        """Commit what is queued, and stop."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        going = True
        while going:
            group, going = self._next_group()
            group.sort(key=_order)  # all writers of a database lock rows in the same order, against deadlocks
            if self.health.lost:
                self._reconnect()
            if self._connection is None or self.health.stopped:
                self._refuse(group)
            elif group:
                self._commit(self._connection, group)
            else:
                self._ping(self._connection)
            self._scrub()
            self._checkpoint(idle=not group)
        self._end()
        self._close()

    def _next_group(self) -> tuple[list[PendingChange], bool]:
        """Wait for a change and take all that are queued; whether the writer goes on."""
        group: list[PendingChange] = []
        with suppress(Empty):
            waiting = self._queue.get(True, self._retry_delay if self.health.lost else IDLE)
            while waiting is not None:
                group.append(waiting)
                if len(group) == MAX_GROUP or self._queue.empty():
                    return group, True
                waiting = self._queue.get()
            return group, False
        return group, True

    def _commit(self, connection: DatabaseConnection, group: list[PendingChange]) -> None:
        before = time.perf_counter()
        try:
            with span("commit", changes=len(group)):
                answers = commit(connection, [change for change, _ in group])
                connection.check()  # a commit to a replaced file is lost, so it must not be acknowledged
        except Damaged as error:
            self._commit_one_by_one(connection, group, error)
            return
        except Exception as error:  # it is unknown what was written
            self._fail(error)
            self._refuse(group)
            return
        self.groups += 1
        self._unscrubbed |= any(isinstance(change, EraseExpired | ErasePerson) for change, _ in group)
        self.commits.note(time.perf_counter() - before)
        self.acknowledged.note(change for (change, _), conflict in zip(group, answers, strict=True) if not conflict)
        for (_, answer), conflict in zip(group, answers, strict=True):
            answer(conflict)
        refused = [
            change.table
            for (change, _), each in zip(group, answers, strict=True)
            if isinstance(change, Append) and each
        ]
        if refused:
            self._check_rollback(connection, refused)

    def _commit_one_by_one(self, connection: DatabaseConnection, group: list[PendingChange], error: Damaged) -> None:
        """Commit changes one by one, so that a table on a damaged page does not affect others."""
        self.health.note_damage(str(error))
        if len(group) == 1:
            self._refuse(group)
            return
        for waiting in group:
            if self._connection and not self.health.stopped:
                self._commit(connection, [waiting])
            else:
                self._refuse([waiting])

    def _ping(self, connection: DatabaseConnection) -> None:
        """Detect a lost database before the next write."""
        try:
            connection.ping()
        except StoreError as error:
            self._fail(error)

    def _scrub(self) -> None:
        """Overwrite deleted data, as soon as no reader prevents it."""
        if self._unscrubbed and self._connection and not self.health.is_failing:
            try:
                self._unscrubbed = not self._connection.scrub()
            except StoreError as error:
                self._fail(error)

    def _checkpoint(self, idle: bool) -> None:
        """Checkpoint after the acknowledgements."""
        if self._connection and not self.health.is_failing:
            try:
                self._connection.checkpoint(idle)
            except StoreError as error:
                self._fail(error)

    def _end(self) -> None:
        if self._connection and not (self.health.stopped or self.health.lost):
            try:
                self._connection.end()
            except StoreError as error:
                self._fail(error)

    def _fail(self, error: Exception) -> None:
        why = str(error) or type(error).__name__
        if isinstance(error, DatabaseUnreachable):
            self._close()
            self._retry_delay, self._retry_at = MIN_RETRY_DELAY, time.monotonic()
            self.health.note_unreachable(why)
        else:
            self.health.stop(why)

    def _reconnect(self) -> None:
        if time.monotonic() < self._retry_at:
            return
        try:
            self._connection = self._connect()
        except StoreError:
            self._retry_delay = min(2 * self._retry_delay, MAX_RETRY_DELAY)
            self._retry_at = time.monotonic() + self._retry_delay
        else:
            self.health.note_reconnected()
            self._check_rollback(self._connection, self.acknowledged.tables())

    def _check_rollback(self, connection: DatabaseConnection, tables: Sequence[str]) -> None:
        """Report acknowledged records that are missing, as after a failover to a lagging replica."""
        try:
            for table, fault in self.acknowledged.missing(connection, tables):
                self.health.note_rollback(table, fault)
        except StoreError as error:
            self._fail(error)

    def _refuse(self, group: list[PendingChange]) -> None:
        for _, answer in group:
            answer(Unavailable("Nothing can be saved at the moment, so nothing can be changed."))

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        try:
            if connection:
                connection.close()
        except StoreError as error:
            self.health.stop(str(error))


def _order(waiting: PendingChange) -> str:
    return getattr(waiting[0], "table", "")
