"""What a table has to do next: wishes in the order they arrived, and alarms at their times among them."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple

Deed = Callable[[], Awaitable[Any]]


class Wish(NamedTuple):
    carry_out: Deed
    answer: "asyncio.Future[Any]"
    arrived: float  # on the monotonic clock


class Alarm(NamedTuple):
    at: float  # on the monotonic clock
    carry_out: Deed


class Inbox:
    """A deadline holds by when a wish arrived, not by when its turn comes: what arrived before it goes before it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._wishes: deque[Wish] = deque()
        self._alarms: dict[str, Alarm] = {}
        self._news = asyncio.Event()

    def put(self, wish: Wish) -> None:
        self._wishes.append(wish)
        self._news.set()

    def hand_in(self, carry_out: Deed, arrived: float | None = None) -> "asyncio.Future[Any]":
        """Put in what was wished for now, or arrived earlier. To stop waiting for the answer does not stop the wish."""
        stamp = self.now() if arrived is None else arrived
        wish = Wish(carry_out, asyncio.get_running_loop().create_future(), stamp)
        self.put(wish)
        answer = asyncio.shield(wish.answer)
        for each in (wish.answer, answer):  # perhaps nobody waits any more
            each.add_done_callback(lambda done: done.cancelled() or done.exception())
        return answer

    def set_alarm(self, name: str, at: float, carry_out: Deed) -> None:
        """Have something done at a time; an alarm of the same name is set anew."""
        self._alarms[name] = Alarm(at, carry_out)
        self._news.set()

    def clear_alarm(self, name: str) -> None:
        self._alarms.pop(name, None)

    def emptied(self) -> list[Wish]:
        """Give the wishes that nobody will carry out any more."""
        left = list(self._wishes)
        self._wishes.clear()
        self._alarms.clear()
        return left

    async def next(self) -> Wish | Alarm:
        """Wait for what is next."""
        while True:
            name = min(self._alarms, key=lambda each: self._alarms[each].at, default=None)
            due = self._alarms[name].at if name else None
            if self._wishes and (due is None or self._wishes[0].arrived <= due):
                return self._wishes.popleft()
            if name and due is not None and due <= self.now():
                return self._alarms.pop(name)
            await self._wait(due)

    async def _wait(self, until: float | None) -> None:
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(None if until is None else max(0.0, until - self.now())):
                await self._news.wait()
