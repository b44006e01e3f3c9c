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
    """Asks one thing after another, on a connection that is made anew when it has failed."""

    def __init__(self, database: str, within: float) -> None:
        self.database, self.within = database, within
        self._connection: Connection | None = None
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, question: Question[T]) -> T:
        """Ask in a transaction of its own; raise Lost if there is no answer in time."""
        asked = asyncio.create_task(self._asked(question))
        asked.add_done_callback(lambda done: done.cancelled() or done.exception())  # perhaps nobody waits any more
        try:
            await asyncio.wait([asked], timeout=self.within)
            if asked.done():
                return asked.result()
        except (psycopg.Error, OSError) as error:
            self._drop()
            raise Lost("The database can't be reached at the moment.") from error
        finally:
            if not asked.done():
                asked.cancel()
                self._drop()
        raise Lost("The database does not answer.")

    async def _asked(self, question: Question[T]) -> T:
        async with self._one_at_a_time:
            if self._connection is None:
                self._connection = await psycopg.AsyncConnection.connect(
                    self.database, autocommit=True, connect_timeout=2
                )
            async with self._connection.transaction():
                return await question(self._connection)

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            with suppress(psycopg.Error):
                await connection.close()

    def _drop(self) -> None:
        """Let go of a connection in whatever state it is, and of whoever waits for it."""
        connection, self._connection = self._connection, None
        self._one_at_a_time = asyncio.Lock()
        if connection:
            connection.pgconn.finish()
