"""Questions to the database that must not hold anybody up: one connection, and a time for each answer."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import psycopg

from ..store import Lost

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
                if self._asks_now is asked:  # whoever only waited for their turn leaves the connection alone
                    self._drop()
                    self._one_at_a_time = asyncio.Lock()
                asked.cancel()

    async def _asked(self, question: Question[T]) -> T:
        async with self._one_at_a_time:
            self._asks_now = asyncio.current_task()
            try:
                if self._connection is None:
                    self._connection = await psycopg.AsyncConnection.connect(
                        self.database, autocommit=True, connect_timeout=2
                    )
                return await question(self._connection)
            except (psycopg.Error, OSError) as error:
                if self._asks_now is asyncio.current_task():
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
