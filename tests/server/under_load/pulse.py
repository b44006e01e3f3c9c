"""Measures delays of the event loop by a task that runs every millisecond."""

import asyncio
import time
from types import TracebackType

EVERY = 0.001  # seconds


class Pulse:
    """Keeps the longest wait between two beats, on the clock and in work that the loop's own thread did meanwhile.

    Other processes and threads make the first longer, so a test on a busy machine goes by the second.
    """

    def __init__(self) -> None:
        self.lag = self.held = 0.0  # seconds

    async def __aenter__(self) -> "Pulse":
        self._beating = asyncio.create_task(self._beat())
        await asyncio.sleep(EVERY)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await asyncio.sleep(2 * EVERY)
        self._beating.cancel()

    async def _beat(self) -> None:
        while True:
            clock, work = time.perf_counter(), time.thread_time()
            await asyncio.sleep(EVERY)
            self.lag = max(self.lag, time.perf_counter() - clock - EVERY)
            self.held = max(self.held, time.thread_time() - work)
