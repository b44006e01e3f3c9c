"""Heavy work off the event loop: one thread with a bounded queue, so that the loop waits for one switch of threads.

Work that takes very long keeps its thread, and the next has a fresh one.
"""

import asyncio
import logging
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import NamedTuple, ParamSpec, TypeVar

from .errors import Refused
from .fair_queue import Asker, Turns

MOST_WAITING = 400  # requests; tables wait in a queue of their own, each for one thing at a time
MOST_OF_ONE = 100  # from one address: a school that opens its tables together
PATIENCE = 3.0  # seconds that work may take before others go by
MOST_SLOW = 4  # that are gone by at once
LONGEST_WAIT = 2.0  # seconds the first from an address may have waited before others from there are sent away

GIVES_WAY = 0.001  # seconds that a thread computes while the loop waits; Python's own measure is five times that

log = logging.getLogger(__name__)
T = TypeVar("T")
P = ParamSpec("P")
ASKER: ContextVar[str] = ContextVar("asker", default="")  # the address a request comes from


def let_the_loop_in() -> None:
    """Have threads that compute give way sooner: the loop waits for them when it has packed or written something."""
    sys.setswitchinterval(GIVES_WAY)


class Turn(NamedTuple):
    granted: "asyncio.Future[None]"
    since: float
    asker: Asker


class Offload:
    """Does one thing after the other. Tables go before those who only ask something, and are never refused.

    A second thread would not make pure Python faster: it would make the loop wait for two.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._thread = _a_thread()
        self._tables, self._guests = Turns[Turn](), Turns[Turn]()
        self._busy = False
        self._slow: list[str] = []  # games whose work others have gone by
        self._closed = False

    @property
    def waiting(self) -> int:
        """Count the pieces of work that wait for their turn."""
        return self._tables.total + self._guests.total

    async def set_up(self, game: str, work: Callable[[], T]) -> T:
        """Have a game set up, or refuse it while other work of that game takes very long."""
        if game in self._slow:
            raise _too_much()
        self._make_room(ASKER.get())
        return await self._in_turn(self._guests, work, game)

    async def begin(self, game: str, work: Callable[[], T]) -> T:
        """Have a game set up that a table begins."""
        return await self._in_turn(self._tables, work, game)

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Have something computed for whoever asks, or refuse it when too much waits already."""
        self._make_room(ASKER.get())
        return await self._in_turn(self._guests, lambda: work(*args, **more))

    async def run_first(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Have something computed that a table needs to go on."""
        return await self._in_turn(self._tables, lambda: work(*args, **more))

    def _make_room(self, address: str) -> None:
        """Refuse whoever asks if much waits from there already; if much waits in all, the address with most pays."""
        mine = self._guests.of(address)
        if mine and (len(mine) >= MOST_OF_ONE or self.now() - mine[0].since > LONGEST_WAIT):
            raise _too_much()
        if self._guests.total >= MOST_WAITING:
            last = self._guests.last_of_most()
            if len(self._guests.of(last.asker.address)) <= len(mine) + 1:
                raise _too_much()
            self._guests.remove(last.asker, last)
            if not last.granted.done():
                last.granted.set_exception(_too_much())

    def close(self) -> None:
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _in_turn(self, queue: Turns[Turn], work: Callable[[], T], game: str = "") -> T:
        if self._busy:
            await self._turn(queue)
        self._busy = True
        try:
            working = asyncio.get_running_loop().run_in_executor(self._thread, work)
            await self._patiently(working)
            if working.done() or not self._leave_behind(working, game):
                return await working
        finally:
            self._pass_on()
        return await working

    async def _patiently(self, working: "asyncio.Future[T]") -> None:
        try:
            await asyncio.wait([working], timeout=PATIENCE)
        except asyncio.CancelledError:
            working.cancel()
            raise

    def _leave_behind(self, working: "asyncio.Future[T]", game: str) -> bool:
        """Go on in a fresh thread while the old one is still at work; not with too many."""
        if self._closed or len(self._slow) >= MOST_SLOW:
            return False
        log.warning("%s takes more than %s s", f"setting up {game}" if game else "some work", PATIENCE)
        self._slow.append(game)
        working.add_done_callback(lambda _: self._slow.remove(game))
        self._thread.shutdown(wait=False)
        self._thread = _a_thread()
        return True

    async def _turn(self, queue: Turns[Turn]) -> None:
        """Wait for one's turn; a turn that comes to somebody who is gone goes to the next."""
        turn = Turn(asyncio.get_running_loop().create_future(), self.now(), Asker(ASKER.get()))
        queue.add(turn.asker, turn)
        try:
            await turn.granted
        except asyncio.CancelledError:
            waited = queue.remove(turn.asker, turn)
            if not waited and not turn.granted.cancelled() and turn.granted.exception() is None:
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        self._busy = False
        for queue in (self._tables, self._guests):
            while turn := queue.next():
                if not turn.granted.done():
                    self._busy = True
                    turn.granted.set_result(None)
                    return


def _a_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="offload")


def _too_much() -> Refused:
    sentence = "The server has too much to do at the moment; try again in a few seconds."
    return Refused("busy", sentence, {"retry_after": int(LONGEST_WAIT)})
