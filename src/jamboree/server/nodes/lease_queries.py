"""Questions to the database that must not hold anybody up: one connection, and a time for each answer."""

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg

from ..store import Lost
from ..store.postgres import line_to

T = TypeVar("T")
Connection = psycopg.AsyncConnection[Any]
Question = Callable[[Connection], Awaitable[T]]


class Asking:
    """Asks one thing after another, on a connection that is made anew when it has failed.

    There are no transactions of several statements: a process that is stopped in one would hold its locks.
    """

    def __init__(self, database: str, within: float) -> None:
        self.database, self.within = database, within
        self._connection: Connection | None = None
        self._one_at_a_time = asyncio.Lock()
        self._asks_now: asyncio.Task[Any] | None = None

    async def ask(self, question: Question[T]) -> T:
        """Ask; raise Lost if there is no answer in time."""
        asked = asyncio.create_task(self._asked(question))
        asked.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits any more
        try:
            await asyncio.wait([asked], timeout=self.within)
            if asked.done():
                return asked.result()
            raise Lost("The database does not answer.")
        finally:
            if not asked.done():
                self._stop(asked)

    def _stop(self, asked: "asyncio.Task[T]") -> None:
        """Stop a question; one that only waited for its turn leaves the connection alone."""
        if self._asks_now is asked and self._connection:
            _hang_up(self._connection)
        else:
            asked.cancel()

    async def _asked(self, question: Question[T]) -> T:
        async with self._one_at_a_time:
            self._asks_now = asyncio.current_task()
            try:
                if self._connection is None:
                    self._connection = await psycopg.AsyncConnection.connect(
                        line_to(self.database), autocommit=True, connect_timeout=2
                    )
                return await question(self._connection)
            except (psycopg.Error, OSError) as error:
                self._drop()
                raise Lost("The database can't be reached at the moment.") from error

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            with suppress(psycopg.Error):
                await connection.close()

    def _drop(self) -> None:
        """Let go of a connection in whatever state it is."""
        connection, self._connection = self._connection, None
        if connection:
            connection.pgconn.finish()


def _hang_up(connection: Connection) -> None:
    """End a connection under whoever waits for an answer by it.

    They close it themselves: its number may be another connection's as soon as it is closed, and that one would then be
    taken off the loop in its place.
    """
    with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)
