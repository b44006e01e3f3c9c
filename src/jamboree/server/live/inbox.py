"""The inbox of a live table: jobs in order of arrival, and alarms by their times."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

Work = Callable[[], Awaitable[Any]]


class Job(NamedTuple):
    carry_out: Work
    answer: "asyncio.Future[Any]"  # cancelled if the caller is gone, which does not stop the job
    arrived: float  # on the monotonic clock

    def grant(self, answer: Any) -> None:
        if not self.answer.done():
            self.answer.set_result(answer)

    def refuse(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Alarm(NamedTuple):
    at: float  # on the monotonic clock
    carry_out: Work


class Inbox:
    """Orders jobs and alarms: jobs that arrived before a deadline precede its alarm."""

    __slots__ = ("_alarms", "_jobs", "_rings", "_timer", "_wake", "now")

    def __init__(self, wake: Callable[[], None], now: Callable[[], float] = time.monotonic) -> None:
        self._wake, self.now = wake, now
        self._jobs: list[Job] = []  # rarely more than one; an empty list takes a tenth of a deque
        self._alarms: dict[str, Alarm] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._rings = math.inf  # when the timer fires, perhaps too early

    def put(self, job: Job) -> None:
        self._jobs.append(job)
        self._wake()

    def submit(self, carry_out: Work, arrived: float | None = None) -> "asyncio.Future[Any]":
        """Add a job that arrived now or earlier. Cancelling the wait for its answer does not cancel the job."""
        stamp = self.now() if arrived is None else arrived
        job = Job(carry_out, asyncio.get_running_loop().create_future(), stamp)
        job.answer.add_done_callback(_noticed)
        self.put(job)
        return job.answer

    def set_alarm(self, name: str, at: float, carry_out: Work) -> None:
        """Set an alarm, replacing one of the same name."""
        self._alarms[name] = Alarm(at, carry_out)
        self._wake()

    def clear_alarm(self, name: str) -> None:
        self._alarms.pop(name, None)

    def emptied(self) -> list[Job]:
        """Remove and return all pending jobs."""
        left = list(self._jobs)
        self._jobs.clear()
        self._alarms.clear()
        self._stop_timer()
        return left

    def next(self) -> Job | Alarm | None:
        """The next due job or alarm; if none is due, schedule the wake-up for the next alarm."""
        name = min(self._alarms, key=lambda each: self._alarms[each].at, default=None)
        due = self._alarms[name].at if name else math.inf
        if self._jobs and self._jobs[0].arrived <= due:
            return self._jobs.pop(0)
        if name and due <= self.now():
            return self._alarms.pop(name)
        if due < self._rings:
            self._stop_timer()
            self._timer = asyncio.get_running_loop().call_later(max(0.0, due - self.now()), self._ring)
            self._rings = due
        return None

    def _ring(self) -> None:
        self._stop_timer()
        self._wake()

    def _stop_timer(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer, self._rings = None, math.inf


def _noticed(answer: "asyncio.Future[Any]") -> None:
    """Mark a refusal as seen, since its caller may be gone."""
    if not answer.cancelled():
        answer.exception()
