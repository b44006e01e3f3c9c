"""The virtual event loop, on which a whole server can be paused."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any

from ..machine.loop import VirtualLoop


class Stoppable:
    """An owner of tasks. While it is paused, none of them runs, but time passes."""

    def __init__(self) -> None:
        self.stopped = False
        self._steps: list[asyncio.Handle] = []
        self._later: list[Callable[[], None]] = []

    def stop(self) -> None:
        self.stopped = True

    def step_later(self, step: asyncio.Handle) -> None:
        self._steps.append(step)

    def do_later(self, what: Callable[[], None]) -> None:
        self._later.append(what)

    def go_on(self, loop: "NodesLoop") -> None:
        self.stopped = False
        steps, later, self._steps, self._later = self._steps, self._later, [], []
        loop.ready(steps)
        for what in later:
            loop.call_soon(what)


class NodesLoop(VirtualLoop):
    _ready: deque[asyncio.Handle]

    def ready(self, steps: list[asyncio.Handle]) -> None:
        self._ready.extend(steps)

    def call_soon(self, callback: Any, *args: Any, context: Context | None = None) -> asyncio.Handle:  # type: ignore[override]
        """Schedule a step of a task; for a paused owner, when it resumes."""
        owner = getattr(getattr(callback, "__self__", None), "owner", None)
        if isinstance(owner, Stoppable) and owner.stopped:
            step = asyncio.Handle(callback, args, self, context)
            owner.step_later(step)
            return step
        return super().call_soon(callback, *args, context=context)
