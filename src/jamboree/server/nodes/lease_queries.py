"""Database queries with a timeout, one at a time on one connection."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg

from ..store import DatabaseUnreachable
from ..store.postgres import conninfo

T = TypeVar("T")
Connection = psycopg.AsyncConnection[Any]
Question = Callable[[Connection], Awaitable[T]]


class TimedQueries:
    """Runs queries one after another; after a failure the next one reconnects.

    Transactions of several statements are not supported: a process that is stopped inside one would keep its locks.
    """

    def __init__(self, database: str, within: float) -> None:
        self.database, self.within = database, within
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()
        self._running: asyncio.Task[Any] | None = None

    async def ask(self, question: Question[T]) -> T:
        """Run a query; raise Lost if there is no result in time."""
        asked = asyncio.create_task(self._asked(question))
        asked.add_done_callback(lambda done: done.cancelled() or done.exception())  # the caller may be gone
        try:
            await asyncio.wait([asked], timeout=self.within)
            if asked.done():
                return asked.result()
            raise DatabaseUnreachable("The database does not answer.")
        finally:
            if not asked.done():
                self._stop(asked)

    def _stop(self, asked: "asyncio.Task[T]") -> None:
        """Cancel a query; only a running one breaks the connection."""
        if self._running is asked and self._connection:
            _shut_down(self._connection)
        else:
            asked.cancel()

    async def _asked(self, question: Question[T]) -> T:
        async with self._lock:
            self._running = asyncio.current_task()
            try:
                if self._connection is None:
                    self._connection = await psycopg.AsyncConnection.connect(
                        conninfo(self.database), autocommit=True, connect_timeout=2
                    )
                return await question(self._connection)
            except (psycopg.Error, OSError) as error:
                self._drop()
                raise DatabaseUnreachable("The database can't be reached at the moment.") from error

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            with suppress(psycopg.Error):
                await connection.close()

    def _drop(self) -> None:
        """Discard the connection, whatever its state."""
        connection, self._connection = self._connection, None
        if connection:
            connection.pgconn.finish()


def _shut_down(connection: Connection) -> None:
    """Shut down a connection's socket, so that the task waiting for a result fails and closes it.

    Closing it here would free the descriptor for reuse, and the event loop might then drop another connection.
    """
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)
