"""What wakes one task that waits. An asyncio.Event does so, too, and takes ten times the room, for every socket."""

import asyncio


class Bell:
    """Whoever waits looks afterwards what there is to do; a bell that nobody waits for is not heard later."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: asyncio.Future[None] | None = None

    def ring(self) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)

    async def wait(self) -> None:
        self._waiting = asyncio.get_running_loop().create_future()
        try:
            await self._waiting
        finally:
            self._waiting = None
