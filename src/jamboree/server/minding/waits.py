"""Bots that wait for their turn to think, as everybody at their table is told."""

from collections.abc import Callable
from typing import Protocol

from .inbox import Alarm, Work

NOTICEABLE = 1.0  # seconds that nobody need be told of; after that it is looked anew as often


class Queue(Protocol):
    def before(self, seat: int) -> int: ...  # how many think before a bot


class Waits:
    """Which bots of a table wait, and how many think before each.

    Nothing is said where the game's own clock runs: there the moment at which a bot thinks might tell what it holds.
    """

    __slots__ = ("_look_at", "now", "queue", "shown")

    def __init__(self, now: Callable[[], float], queue: Queue) -> None:
        self.now, self.queue = now, queue
        self.shown: dict[int, int] = {}  # by seat
        self._look_at: dict[int, float] = {}

    def begin(self, seat: int) -> None:
        self._look_at[seat] = self.now() + NOTICEABLE

    def end(self, seat: int) -> None:
        self._look_at.pop(seat, None)
        self.shown.pop(seat, None)

    def alarms(self) -> dict[str, Alarm]:
        return {f"wait {seat}": Alarm(at, self._looking(seat)) for seat, at in self._look_at.items()}

    def _looking(self, seat: int) -> Work:
        async def look() -> None:
            self._look_at[seat] = self.now() + NOTICEABLE
            self.shown.pop(seat, None)
            if before := self.queue.before(seat):
                self.shown[seat] = before

        return look
