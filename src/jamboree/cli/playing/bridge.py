"""A seat at a live table beside a terminal: one thread waits for the person, another for the server."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import wait
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, TypeVar

from jamboree.client import ConnectionLost, Seat
from jamboree.client.seat import News
from jamboree.core.errors import JamboreeError

from ..screen import TICK

T = TypeVar("T")
SILENCE = 1.5  # seconds without a server or a connection before that is said


class Bridge:
    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self._heard: SimpleQueue[News | JamboreeError] = SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._leaving = asyncio.Event()

    def __enter__(self) -> "Bridge":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._leaving.set)
        self._thread.join()
        self._loop.close()

    def heard(self) -> list[News]:
        """Give all that was heard since; when the connection is over for good, say why."""
        found: list[News] = []
        while True:
            try:
                heard = self._heard.get_nowait()
            except Empty:
                return found
            if isinstance(heard, JamboreeError):
                raise heard
            found.append(heard)

    def call(self, wish: Coroutine[Any, Any, T], meanwhile: Callable[[], None] = lambda: None) -> T:
        """Do something over there, and wait for it."""
        answer = asyncio.run_coroutine_threadsafe(wish, self._loop)
        while not wait([answer], TICK).done:
            meanwhile()
        return answer.result()

    def _run(self) -> None:
        self._loop.run_until_complete(self._stay())

    async def _stay(self) -> None:
        listening = asyncio.create_task(self._listen())
        await self._leaving.wait()
        listening.cancel()
        await asyncio.wait([listening])

    async def _listen(self) -> None:
        try:
            async with self.seat as seat:
                async for news in seat.news():
                    self._heard.put(news)
            self._heard.put(ConnectionLost("The connection is over."))
        except JamboreeError as error:
            self._heard.put(error)
