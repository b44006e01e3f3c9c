"""Heavy work off the event loop: one thread with a bounded queue, so that the loop waits for one switch of threads."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from .errors import Refused

MOST_WAITING = 32  # requests; tables wait in a queue of their own, each for one thing at a time
COME_AGAIN = 2  # seconds

T = TypeVar("T")
P = ParamSpec("P")
Turns = deque["asyncio.Future[None]"]


class Offload:
    """Does one thing after the other. Tables go before those who only ask something, and are never refused.

    A second thread would not make pure Python faster: it would make the loop wait for two.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="offload")
        self._tables: Turns = deque()
        self._guests: Turns = deque()
        self._busy = False

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Have something computed for whoever asks, or refuse it when too much waits already."""
        if len(self._guests) >= MOST_WAITING:
            sentence = "The server has too much to do at the moment; try again in a few seconds."
            raise Refused("busy", sentence, {"retry_after": COME_AGAIN})
        return await self._in_turn(self._guests, lambda: work(*args, **more))

    async def run_first(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Have something computed that a table needs to go on."""
        return await self._in_turn(self._tables, lambda: work(*args, **more))

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _in_turn(self, queue: Turns, work: Callable[[], T]) -> T:
        if self._busy:
            await self._turn(queue)
        self._busy = True
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._pass_on()

    async def _turn(self, queue: Turns) -> None:
        """Wait for one's turn; a turn that comes to somebody who is gone goes to the next."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        self._busy = False
        for queue in (self._tables, self._guests):
            while queue:
                turn = queue.popleft()
                if not turn.done():
                    self._busy = True
                    turn.set_result(None)
                    return
