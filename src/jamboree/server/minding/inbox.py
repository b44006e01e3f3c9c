"""What a table has to do next: jobs in the order they arrived, and alarms at their times among them."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

Work = Callable[[], Awaitable[Any]]
AGAIN = 5.0  # seconds until something is tried again that could not be kept


class Job(NamedTuple):
    carry_out: Work
    answer: "asyncio.Future[Any]"
    arrived: float  # on the monotonic clock


class Alarm(NamedTuple):
    at: float  # on the monotonic clock
    carry_out: Work


class Inbox:
    """A deadline holds by when a job arrived, not by when its turn comes: what arrived before it goes before it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._jobs: deque[Job] = deque()
        self._alarms: dict[str, Alarm] = {}
        self._news = asyncio.Event()

    def put(self, job: Job) -> None:
        self._jobs.append(job)
        self._news.set()

    def hand_in(self, carry_out: Work, arrived: float | None = None) -> "asyncio.Future[Any]":
        """Put in what was asked for now, or arrived earlier. To stop waiting for the answer does not stop the job."""
        stamp = self.now() if arrived is None else arrived
        job = Job(carry_out, asyncio.get_running_loop().create_future(), stamp)
        self.put(job)
        answer = asyncio.shield(job.answer)
        for each in (job.answer, answer):  # perhaps nobody waits any more
            each.add_done_callback(lambda done: done.cancelled() or done.exception())
        return answer

    def set_alarm(self, name: str, at: float, carry_out: Work) -> None:
        """Have something done at a time; an alarm of the same name is set anew."""
        self._alarms[name] = Alarm(at, carry_out)
        self._news.set()

    def try_again(self, name: str, carry_out: Work) -> None:
        """Have something done in a while that could not be kept now."""
        self.set_alarm(name, self.now() + AGAIN, carry_out)

    def clear_alarm(self, name: str) -> None:
        self._alarms.pop(name, None)

    def emptied(self) -> list[Job]:
        """Give the jobs that nobody will carry out any more."""
        left = list(self._jobs)
        self._jobs.clear()
        self._alarms.clear()
        return left

    async def next(self) -> Job | Alarm:
        """Wait for what is next."""
        while True:
            name = min(self._alarms, key=lambda each: self._alarms[each].at, default=None)
            due = self._alarms[name].at if name else None
            if self._jobs and (due is None or self._jobs[0].arrived <= due):
                return self._jobs.popleft()
            if name and due is not None and due <= self.now():
                return self._alarms.pop(name)
            await self._wait(due)

    async def _wait(self, until: float | None) -> None:
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(None if until is None else max(0.0, until - self.now())):
                await self._news.wait()
