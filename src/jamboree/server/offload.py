"""Heavy work off the event loop: one thread with a bounded queue, so that the loop waits for one switch of threads."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, ParamSpec, TypeVar

from .errors import Refused

MOST_WAITING = 100  # requests; tables wait in a queue of their own, each for one thing at a time
LONGEST_WAIT = 2.0  # seconds the first of them may have waited before others are sent away

T = TypeVar("T")
P = ParamSpec("P")


class Turn(NamedTuple):
    granted: "asyncio.Future[None]"
    since: float


class Offload:
    """Does one thing after the other. Tables go before those who only ask something, and are never refused.

    A second thread would not make pure Python faster: it would make the loop wait for two.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="offload")
        self._tables: deque[Turn] = deque()
        self._guests: deque[Turn] = deque()
        self._busy = False

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Have something computed for whoever asks, or refuse it when too much waits already."""
        if self._has_enough_to_do():
            sentence = "The server has too much to do at the moment; try again in a few seconds."
            raise Refused("busy", sentence, {"retry_after": int(LONGEST_WAIT)})
        return await self._in_turn(self._guests, lambda: work(*args, **more))

    async def run_first(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Have something computed that a table needs to go on."""
        return await self._in_turn(self._tables, lambda: work(*args, **more))

    def _has_enough_to_do(self) -> bool:
        return bool(self._guests) and (
            len(self._guests) >= MOST_WAITING or self.now() - self._guests[0].since > LONGEST_WAIT
        )

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _in_turn(self, queue: deque[Turn], work: Callable[[], T]) -> T:
        if self._busy:
            await self._turn(queue)
        self._busy = True
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._pass_on()

    async def _turn(self, queue: deque[Turn]) -> None:
        """Wait for one's turn; a turn that comes to somebody who is gone goes to the next."""
        turn = Turn(asyncio.get_running_loop().create_future(), self.now())
        queue.append(turn)
        try:
            await turn.granted
        except asyncio.CancelledError:
            if turn in queue:
                queue.remove(turn)
            elif not turn.granted.cancelled():
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        self._busy = False
        for queue in (self._tables, self._guests):
            while queue:
                granted = queue.popleft().granted
                if not granted.done():
                    self._busy = True
                    granted.set_result(None)
                    return
