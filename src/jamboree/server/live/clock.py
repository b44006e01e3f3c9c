"""Alarms and countdowns on the monotonic clock; the time left of a countdown survives a restart."""

from collections.abc import Awaitable, Callable, Container, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

Range = tuple[float, float]
Work = Callable[[], Awaitable[Any]]


class Alarm(NamedTuple):
    at: float  # on the monotonic clock
    carry_out: Work


class Tempo(msgspec.Struct, frozen=True, kw_only=True):
    """In seconds."""

    patience: float = 120.0  # of inactivity before a player to move counts as quiet
    nudge: float = 10.0  # between nudges of the same player
    thinking: Range = (0.8, 2.5)  # of a bot over a choice, at a human's pace
    forced: Range = (0.3, 0.8)  # of a bot without a choice
    quick: float = 0.3  # factor for quick bots
    by_the_clock: bool = True  # whether bots use the time of a phase, or act at once
    bot_limit: float = 5.0  # after which a bot without an answer is killed, and any legal move is made
    again: float = 5.0  # until a change that could not be stored is retried
    keep_clock: float = 1.0  # between saves of the remaining times


REMEMBERED = 64  # expired countdowns that are remembered
Lefts = dict[str, float]


class Timed(NamedTuple):
    """The subject of a countdown, whose name is its key in storage."""

    kind: Literal["pause", "phase", "decision"]
    number: int  # of the phase, or of the deciding seat
    since: int = 0  # the record that led to the decision

    @property
    def name(self) -> str:
        return f"{self.kind} {self.number} {self.since}" if self.kind == "decision" else f"{self.kind} {self.number}"


class Countdown:
    """Seconds that run or are stopped."""

    __slots__ = ("_left", "_since", "of")

    def __init__(self, of: float, left: float) -> None:
        self.of = of
        self._left = left
        self._since: float | None = None

    @property
    def deadline(self) -> float | None:
        return None if self._since is None else self._since + self._left

    def left(self, now: float) -> float:
        gone = 0.0 if self._since is None else now - self._since
        return max(0.0, self._left - gone)

    def run(self, running: bool, now: float) -> None:
        """Run or stop from now on."""
        if running and self._since is None:
            self._since = now
        elif not running and self._since is not None:
            self._left, self._since = self.left(now), None


class Clock:
    """Countdowns by name. A name identifies one decision, so undoing a move does not give more time for it."""

    __slots__ = ("_lefts", "countdowns")

    def __init__(self, saved: str = "") -> None:
        self.countdowns: dict[str, Countdown] = {}
        self._lefts = msgspec.json.decode(saved, type=Lefts) if saved else {}

    def set_countdowns(self, wanted: Mapping[str, float], running: Container[str] | bool, now: float) -> None:
        """Keep exactly the wanted countdowns; new ones begin with their full or their saved time.

        `running` are the names of those that run; or whether all do.
        """
        for name in self.countdowns.keys() - wanted.keys():
            self._lefts[name] = self.countdowns.pop(name).left(now)
        for name, of in wanted.items():
            countdown = self.countdowns.get(name) or Countdown(of, min(of, self._lefts.pop(name, of)))
            countdown.run(running if isinstance(running, bool) else name in running, now)
            self.countdowns[name] = countdown
        while len(self._lefts) > REMEMBERED:
            self._lefts.pop(next(iter(self._lefts)))

    def written(self, now: float) -> str:
        """The remaining times for storage; empty without countdowns."""
        lefts = {name: round(each.left(now), 3) for name, each in self.countdowns.items()}
        return msgspec.json.encode(lefts).decode() if lefts else ""
