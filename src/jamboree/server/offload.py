"""Runs heavy work in one thread beside the event loop, with a bounded, fair queue.

Work that takes very long keeps its thread, and a fresh one serves the queue.
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
from .fair_queue import FairQueue, Requester

MAX_WAITING = 400  # requests; tables have a queue of their own, with one piece of work each
MAX_PER_ADDRESS = 100  # queued from one address: a school may open its tables together
SLOW_AFTER = 3.0  # seconds after which work is moved out of the way
MAX_SLOW = 4  # pieces of slow work at a time
MAX_WAIT = 2.0  # seconds that an address's first request may have waited before more from there are refused

SWITCH_INTERVAL = 0.001  # seconds between thread switches; Python's default is five times that

log = logging.getLogger(__name__)
T = TypeVar("T")
P = ParamSpec("P")
CLIENT_ADDRESS: ContextVar[str] = ContextVar("client_address", default="")  # of the current request


def shorten_thread_switches() -> None:
    """Make computing threads yield sooner: the event loop waits for the GIL after every call that releases it."""
    sys.setswitchinterval(SWITCH_INTERVAL)


class Turn(NamedTuple):
    granted: "asyncio.Future[None]"
    since: float
    requester: Requester


class Offload:
    """Runs one piece of work at a time. Work of tables precedes that of requests and is never refused.

    A second thread would not make pure Python faster; the event loop would compete with two.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._thread = _new_thread()
        self._tables, self._requests = FairQueue[Turn](), FairQueue[Turn]()
        self._busy = False
        self._slow: list[str] = []  # games of the slow work that still runs
        self._closed = False

    @property
    def waiting(self) -> int:
        return self._tables.total + self._requests.total

    async def set_up(self, game: str, work: Callable[[], T]) -> T:
        """Set up a game for a request; refuse it while other work of that game is slow."""
        if game in self._slow:
            raise _overloaded()
        self._admit(CLIENT_ADDRESS.get())
        return await self._run_queued(self._requests, work, game)

    async def begin(self, game: str, work: Callable[[], T]) -> T:
        """Set up a game for a table."""
        return await self._run_queued(self._tables, work, game)

    async def run(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Run work for a request, or refuse it if too much is queued."""
        self._admit(CLIENT_ADDRESS.get())
        return await self._run_queued(self._requests, lambda: work(*args, **more))

    async def run_for_table(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Run work that a table needs to continue."""
        return await self._run_queued(self._tables, lambda: work(*args, **more))

    def _admit(self, address: str) -> None:
        """Refuse an address with much queued work; if the queue is full, drop work of the address with the most."""
        mine = self._requests.of(address)
        if mine and (len(mine) >= MAX_PER_ADDRESS or self.now() - mine[0].since > MAX_WAIT):
            raise _overloaded()
        if self._requests.total >= MAX_WAITING:
            last = self._requests.last_of_largest()
            if len(self._requests.of(last.requester.address)) <= len(mine) + 1:
                raise _overloaded()
            self._requests.remove(last.requester, last)
            if not last.granted.done():
                last.granted.set_exception(_overloaded())

    def close(self) -> None:
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run_queued(self, queue: FairQueue[Turn], work: Callable[[], T], game: str = "") -> T:
        if self._busy:
            await self._wait_for_turn(queue)
        self._busy = True
        try:
            working = asyncio.get_running_loop().run_in_executor(self._thread, work)
            await self._wait_briefly(working)
            if working.done() or not self._abandon_thread(working, game):
                return await working
        finally:
            self._start_next()
        return await working

    async def _wait_briefly(self, working: "asyncio.Future[T]") -> None:
        try:
            await asyncio.wait([working], timeout=SLOW_AFTER)
        except asyncio.CancelledError:
            working.cancel()
            raise

    def _abandon_thread(self, working: "asyncio.Future[T]", game: str) -> bool:
        """Continue in a fresh thread while the old one is busy, unless there are too many such threads."""
        if self._closed or len(self._slow) >= MAX_SLOW:
            return False
        log.warning("%s takes more than %s s", f"setting up {game}" if game else "some work", SLOW_AFTER)
        self._slow.append(game)
        working.add_done_callback(lambda _: self._slow.remove(game))
        self._thread.shutdown(wait=False)
        self._thread = _new_thread()
        return True

    async def _wait_for_turn(self, queue: FairQueue[Turn]) -> None:
        """Wait in the queue; the turn of a cancelled waiter passes to the next."""
        turn = Turn(asyncio.get_running_loop().create_future(), self.now(), Requester(CLIENT_ADDRESS.get()))
        queue.add(turn.requester, turn)
        try:
            await turn.granted
        except asyncio.CancelledError:
            waited = queue.remove(turn.requester, turn)
            if not waited and not turn.granted.cancelled() and turn.granted.exception() is None:
                self._start_next()
            raise

    def _start_next(self) -> None:
        self._busy = False
        for queue in (self._tables, self._requests):
            while turn := queue.next():
                if not turn.granted.done():
                    self._busy = True
                    turn.granted.set_result(None)
                    return


def _new_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="offload")


def _overloaded() -> Refused:
    sentence = "The server has too much to do at the moment; try again in a few seconds."
    return Refused("busy", sentence, {"retry_after": int(MAX_WAIT)})
