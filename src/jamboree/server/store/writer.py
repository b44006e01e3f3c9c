"""One thread owns the one writing connection and commits for many tables in one group."""

import logging
import threading
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Final

from .contract import Change, Erase, StoreError, Unavailable
from .database import Connect, Connection, commit

log = logging.getLogger(__name__)
LARGEST_GROUP = 256
Waiting = tuple[Change, "Future[None]"]


class Writer:
    """After the first thing that goes wrong it writes no more: what the disk holds then is known only to a restart."""

    def __init__(self, connect: Connect) -> None:
        self.trouble: str | None = None
        self.groups = 0
        self._connect = connect
        self._queue: SimpleQueue[Waiting | None] = SimpleQueue()
        self._thread: Final = threading.Thread(target=self._work, name="store writer", daemon=True)
        self._thread.start()

    def submit(self, change: Change) -> "Future[None]":
        """Hand in a change; the future is done when it is durable, or fails when it is not kept."""
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()  # nobody who stops waiting stops the commit
        self._queue.put((change, future))
        return future

    def close(self) -> None:
        """Commit what was handed in, and stop."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        connection, going = self._open(), True
        while going:
            group, going = self._gather()
            group.sort(key=_order)  # writers that share a database lock in one order
            if connection and not self.trouble:
                self._commit(connection, group)
            else:
                self._refuse(group)
        if connection:
            self._close(connection)

    def _open(self) -> Connection | None:
        try:
            return self._connect()
        except StoreError as error:
            self.trouble = str(error)
            return None

    def _gather(self) -> tuple[list[Waiting], bool]:
        """Wait for a change and take along all that came meanwhile; say whether more can come."""
        group: list[Waiting] = []
        try:
            while len(group) < LARGEST_GROUP:
                waiting = self._queue.get(block=not group)
                if waiting is None:
                    return group, False
                group.append(waiting)
        except Empty:
            pass
        return group, True

    def _commit(self, connection: Connection, group: list[Waiting]) -> None:
        if not group:
            return
        try:
            answers = commit(connection, [change for change, _ in group])
        except Exception as error:  # whatever it is, nobody knows what was written
            self.trouble = str(error) or type(error).__name__
            log.critical("the store writes no more: %s", self.trouble)
            self._refuse(group)
            return
        self.groups += 1
        for (_, future), conflict in zip(group, answers, strict=True):
            if conflict:
                future.set_exception(conflict)
            else:
                future.set_result(None)

    def _refuse(self, group: list[Waiting]) -> None:
        for _, future in group:
            future.set_exception(Unavailable("Nothing can be kept at the moment, so nothing can be changed."))

    def _close(self, connection: Connection) -> None:
        try:
            connection.close()
        except StoreError as error:
            self.trouble = self.trouble or str(error)


def _order(waiting: Waiting) -> str:
    return "" if isinstance(waiting[0], Erase) else waiting[0].table
