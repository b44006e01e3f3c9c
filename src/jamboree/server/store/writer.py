"""One thread owns the one writing connection and commits for many tables in one group."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Final

from ..histogram import Histogram
from ..telemetry import span
from .connection import Connect, Connection
from .contract import Append, Change, Damaged, Erase, Forget, Lost, StoreError, Unavailable
from .health import Condition
from .queries import commit, seqs

LARGEST_GROUP = 256
MOST_ACKNOWLEDGED = 4096  # tables, those changed last, whose last acknowledged record is remembered
IDLE = 1.0  # seconds after which a connection that has nothing to do is looked at
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0  # seconds before a lost database is tried again
Answer = Callable[[StoreError | None], None]
"""Is told by the writing thread that a change is durable, or why it is not kept."""

Waiting = tuple[Change, Answer]


class Acknowledged:
    """The last record that was acknowledged of each of the tables that were changed last."""

    def __init__(self) -> None:
        self._seqs: dict[str, int] = {}

    def note(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if isinstance(change, Append):
                self._seqs.pop(change.table, None)
                self._seqs[change.table] = change.after + len(change.records)
        while len(self._seqs) > MOST_ACKNOWLEDGED:
            del self._seqs[next(iter(self._seqs))]

    def tables(self) -> list[str]:
        return list(self._seqs)

    def missing(self, connection: Connection, tables: Sequence[str]) -> Iterator[tuple[str, str]]:
        known = {table: self._seqs[table] for table in tables if table in self._seqs}
        for table, seq in seqs(connection, list(known)).items():
            if seq < known[table]:
                self._seqs[table] = seq
                yield table, f"records {seq + 1} to {known[table]} were acknowledged, and the database has lost them"


class Writer:
    """Commits, and acknowledges what is durable.

    After the first thing that goes wrong with a file it writes no more: what the disk holds then is known only to a
    restart. A database at an address that was lost is tried again; whoever waited is told that nothing was kept, reads
    what is true, and can't write twice, since an append names the number it follows.
    """

    def __init__(self, connect: Connect, condition: Condition | None = None) -> None:
        self.condition = condition or Condition()
        self.groups, self.commits = 0, Histogram()
        self.acknowledged = Acknowledged()
        self._connect = connect
        self._connection: Connection | None = connect()
        self._unscrubbed = False  # something was deleted that can still be read in the files
        self._pause, self._again_at = FIRST_PAUSE, 0.0
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread: Final = threading.Thread(target=self._work, name="store writer", daemon=True)
        self._thread.start()

    def submit(self, change: Change, answer: Answer) -> None:
        """Hand in a change. Nobody who stops waiting for the answer stops the commit."""
        self._queue.put((change, answer))

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    def close(self) -> None:
        """Commit what was handed in, and stop."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        going = True
        while going:
            group, going = self._gather()
            group.sort(key=_order)  # writers that share a database lock in one order
            if self.condition.lost:
                self._find_again()
            if self._connection is None or self.condition.stopped:
                self._refuse(group)
            elif group:
                self._commit(self._connection, group)
            else:
                self._look(self._connection)
            self._scrub()
            self._checkpoint(idle=not group)
        self._end()
        self._close()

    def _gather(self) -> tuple[list[Waiting], bool]:
        """Wait a while for a change and take along all that came meanwhile; say whether more can come."""
        group: list[Waiting] = []
        with suppress(Empty):
            waiting = self._queue.get(True, self._pause if self.condition.lost else IDLE)
            while waiting is not None:
                group.append(waiting)
                if len(group) == LARGEST_GROUP or self._queue.empty():
                    return group, True
                waiting = self._queue.get()
            return group, False
        return group, True

    def _commit(self, connection: Connection, group: list[Waiting]) -> None:
        before = time.perf_counter()
        try:
            with span("commit", changes=len(group)):
                answers = commit(connection, [change for change, _ in group])
                connection.check()  # what was written to a file that is gone is not kept, and nobody was told so
        except Damaged as error:
            self._commit_whole_parts(connection, group, error)
            return
        except Exception as error:  # whatever it is, nobody knows what was written
            self._give_up(error)
            self._refuse(group)
            return
        self.groups += 1
        self._unscrubbed |= any(isinstance(change, Erase | Forget) for change, _ in group)
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

    def _commit_whole_parts(self, connection: Connection, group: list[Waiting], error: Damaged) -> None:
        """Commit one by one: a table that lies in a damaged part harms no other."""
        self.condition.note_damage(str(error))
        if len(group) == 1:
            self._refuse(group)
            return
        for waiting in group:
            if self._connection and not self.condition.stopped:
                self._commit(connection, [waiting])
            else:
                self._refuse([waiting])

    def _look(self, connection: Connection) -> None:
        """Find out that a database is gone before somebody wants to write."""
        try:
            connection.ping()
        except StoreError as error:
            self._give_up(error)

    def _scrub(self) -> None:
        """Have what was deleted overwritten; while somebody reads, that waits."""
        if self._unscrubbed and self._connection and not self.condition.is_failing:
            try:
                self._unscrubbed = not self._connection.scrub()
            except StoreError as error:
                self._give_up(error)

    def _checkpoint(self, idle: bool) -> None:
        """Have what was committed copied out of SQLite's log now and then, once everybody has their answer."""
        if self._connection and not self.condition.is_failing:
            try:
                self._connection.checkpoint(idle)
            except StoreError as error:
                self._give_up(error)

    def _end(self) -> None:
        if self._connection and not (self.condition.stopped or self.condition.lost):
            try:
                self._connection.end()
            except StoreError as error:
                self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        why = str(error) or type(error).__name__
        if isinstance(error, Lost):
            self._close()
            self._pause, self._again_at = FIRST_PAUSE, time.monotonic()
            self.condition.lose(why)
        else:
            self.condition.stop(why)

    def _find_again(self) -> None:
        if time.monotonic() < self._again_at:
            return
        try:
            self._connection = self._connect()
        except StoreError:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
            self._again_at = time.monotonic() + self._pause
        else:
            self.condition.come_back()
            self._check_rollback(self._connection, self.acknowledged.tables())

    def _check_rollback(self, connection: Connection, tables: Sequence[str]) -> None:
        """Report acknowledged records that are gone, as after a failover to a replica that lagged behind."""
        try:
            for table, fault in self.acknowledged.missing(connection, tables):
                self.condition.note_rollback(table, fault)
        except StoreError as error:
            self._give_up(error)

    def _refuse(self, group: list[Waiting]) -> None:
        for _, answer in group:
            answer(Unavailable("Nothing can be kept at the moment, so nothing can be changed."))

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        try:
            if connection:
                connection.close()
        except StoreError as error:
            self.condition.stop(str(error))


def _order(waiting: Waiting) -> str:
    return getattr(waiting[0], "table", "")
