"""Runs a connection's asyncio loop in a background thread, while the main thread reads the terminal."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import wait
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, TypeVar

from jamboree.client import ConnectionLost, TableConnection
from jamboree.client.table_connection import News
from jamboree.core.errors import JamboreeError

from ..screen import TICK

T = TypeVar("T")


class ConnectionThread:
    def __init__(self, connection: TableConnection) -> None:
        self.connection = connection
        self._received: SimpleQueue[News | JamboreeError] = SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._leaving = asyncio.Event()

    def __enter__(self) -> "ConnectionThread":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join()
        self._loop.close()

    def received(self) -> list[News]:
        """Return the messages received since the last call; raise the final error of the connection."""
        messages: list[News] = []
        while True:
            try:
                message = self._received.get_nowait()
            except Empty:
                return messages
            if isinstance(message, JamboreeError):
                raise message
            messages.append(message)

    def call(self, coroutine: Coroutine[Any, Any, T], meanwhile: Callable[[], None] = lambda: None) -> T:
        """Run a coroutine on the connection's loop and wait for its result, calling `meanwhile` every tick."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        while not wait([future], TICK).done:
            meanwhile()
        return future.result()

    def _run(self) -> None:
        self._loop.run_until_complete(self._receive_until_left())

    async def _receive_until_left(self) -> None:
        receiving = asyncio.create_task(self._receive())
        await self._leaving.wait()
        receiving.cancel()
        await asyncio.wait([receiving])

    async def _receive(self) -> None:
        try:
            async with self.connection as connection:
                async for news in connection.news():
                    self._received.put(news)
            self._received.put(ConnectionLost("The connection is closed."))
        except JamboreeError as error:
            self._received.put(error)
