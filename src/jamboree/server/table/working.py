"""Work at a table: one thing after the other, in a task that is there only while something is due."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any
from weakref import proxy

from ..errors import Refused, trace
from ..minding.inbox import Alarm, Inbox, Job, Work

log = logging.getLogger(__name__)


def stopped() -> Refused:
    return Refused("table-stopped", "Something is broken at this table; it was stopped and can be opened again.")


class Worker(ABC):
    """Something with an inbox, which takes the next thing when the one before is done."""

    __slots__ = ("__weakref__", "_stopped", "_work", "code", "inbox", "now")

    def __init__(self, code: str, now: Callable[[], float]) -> None:
        self.code, self.now = code, now
        self._work: asyncio.Task[None] | None = None  # none while nothing is due
        self._stopped = False
        self.inbox = Inbox(proxy(self), now)

    @abstractmethod
    async def _do(self, next_thing: Job | Alarm) -> None: ...

    @abstractmethod
    def _end(self) -> None: ...  # nothing is done after that

    @property
    def at_work(self) -> bool:
        return self._work is not None

    def wake(self) -> None:
        """Begin to work, unless that goes on already."""
        if not self._work and not self._stopped:
            self._work = asyncio.get_running_loop().create_task(self._carry_on(), name=f"table {self.code}")

    async def stop(self) -> None:
        """Come to an end; what is under way is given up."""
        while self._work and not self._work.done():
            self._work.cancel()
            await asyncio.wait([self._work])
        if not self._stopped:  # nothing was under way, or it had not even begun
            self._stop()

    def _hand_in(self, carry_out: Work, arrived: float | None = None) -> "asyncio.Future[Any]":
        if self._stopped:
            raise stopped()
        return self.inbox.hand_in(carry_out, arrived)

    async def _carry_on(self) -> None:
        """Carry out one by one what is due. When something is broken, all of it stops."""
        try:
            while next_thing := self.inbox.next():
                await self._do(next_thing)
            self._work = None
        except Exception as error:
            log.error("table %s stopped: %s", self.code, trace(error))
            self._stop()
        except asyncio.CancelledError:
            self._stop()
            raise

    def _stop(self) -> None:
        self._stopped, self._work = True, None
        for job in self.inbox.emptied():
            job.refuse(stopped())
        self._end()
