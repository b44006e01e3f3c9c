"""An event loop on virtual time: when nothing is left to do, the clock jumps to the next timer.

Everything runs in one thread and in one order, so a run can be repeated. Work for threads (`asyncio.to_thread`) runs
in the loop, a moment later.
"""

import asyncio
import contextvars
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any

IN_A_THREAD = 0.0005  # virtual seconds for work in a thread


class Stuck(AssertionError):
    """Deadlock: no task is ready and no timer is set."""


class Job(asyncio.Task[Any]):
    """A task with its server as owner, and with a deterministic hash."""

    _numbers = count()

    def __init__(self, coro: Coroutine[Any, Any, Any], **more: Any) -> None:
        self.number = next(self._numbers)
        self.owner: object = more.pop("owner", None)
        super().__init__(coro, **more)

    def __hash__(self) -> int:
        return self.number


class VirtualLoop(asyncio.BaseEventLoop):
    def __init__(self) -> None:
        super().__init__()
        self._now, self._selector = 0.0, self
        self._clock_resolution = 1e-9
        self.jobs: dict[int, Job] = {}  # running
        self.troubles: list[str] = []  # unhandled exceptions
        self.set_task_factory(self._employ)
        self.set_exception_handler(self._note)

    def time(self) -> float:
        return self._now

    def select(self, timeout: float | None) -> list[Any]:
        """Advance virtual time, in place of a selector."""
        if timeout is None:
            raise Stuck("nothing will ever happen again")
        self._now += max(0.0, timeout)
        return []

    def run_in_executor(self, executor: Any, func: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":  # type: ignore[override]
        done = self.create_future()
        self.call_later(IN_A_THREAD, self._carry_out, done, func, args)
        return done

    def employ(self, owner: object, coro: Coroutine[Any, Any, Any], name: str) -> Job:
        """Start a task for an owner, which tasks started by it inherit."""
        return self._employed(Job(coro, loop=self, name=name, owner=owner, context=contextvars.copy_context()))

    def working_for(self, owner: object) -> list[Job]:
        return [job for job in self.jobs.values() if job.owner is owner]

    def _employ(self, loop: Any, coro: Any, context: contextvars.Context | None = None) -> Job:
        current = asyncio.current_task(self) if asyncio._get_running_loop() is self else None
        return self._employed(Job(coro, loop=loop, context=context, owner=getattr(current, "owner", None)))

    def _employed(self, job: Job) -> Job:
        self.jobs[job.number] = job
        job.add_done_callback(lambda _: self.jobs.pop(job.number, None))
        return job

    def _carry_out(self, done: "asyncio.Future[Any]", func: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if done.cancelled():
            return
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)

    def _note(self, loop: Any, context: dict[str, Any]) -> None:
        self.troubles.append(f"{context.get('message')}: {context.get('exception')!r}")

    def _process_events(self, events: Any) -> None:
        pass

    def _write_to_self(self) -> None:
        pass
