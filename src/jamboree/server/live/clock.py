"""Countdowns on the monotonic clock; the time left survives a restart."""

from collections.abc import Container, Mapping
from typing import Literal, NamedTuple

import msgspec

Span = tuple[float, float]


class Tempo(msgspec.Struct, frozen=True, kw_only=True):
    """In seconds."""

    patience: float = 120.0  # without a sign of a player whom the others wait for, before that player counts as quiet
    nudge: float = 10.0  # between two nudges of the same player
    thinking: Span = (0.8, 2.5)  # of a bot over a choice: a human's pace
    forced: Span = (0.3, 0.8)  # of a bot that has no choice
    quick: float = 0.3  # of that, where bots are to be quick
    by_the_clock: bool = True  # whether bots take the time that a phase gives them, or act once they have thought
    bot_limit: float = 5.0  # after which a bot that has not answered is stopped, and any legal move is made
    again: float = 5.0  # until something is tried again that could not be kept
    keep_clock: float = 1.0  # between two notes of the time left


REMEMBERED = 64  # countdowns that are over
Lefts = dict[str, float]


class Timed(NamedTuple):
    """What has so much time, and what that is called in what is kept of a clock."""

    kind: Literal["pause", "phase", "decision"]
    number: int  # of the phase, or the seat that decides
    since: int = 0  # the record that asked for the decision

    @property
    def name(self) -> str:
        return f"{self.kind} {self.number} {self.since}" if self.kind == "decision" else f"{self.kind} {self.number}"


class Countdown:
    """So many seconds, running or stopped."""

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
        """Go on from now, or stop."""
        if running and self._since is None:
            self._since = now
        elif not running and self._since is not None:
            self._left, self._since = self.left(now), None


class Clock:
    """Countdowns by name. A name stands for one thing that is timed: who takes a move back has no more time for it."""

    __slots__ = ("_lefts", "countdowns")

    def __init__(self, kept: str = "") -> None:
        self.countdowns: dict[str, Countdown] = {}
        self._lefts = msgspec.json.decode(kept, type=Lefts) if kept else {}

    def follow(self, wanted: Mapping[str, float], running: Container[str] | bool, now: float) -> None:
        """Time what is wanted and nothing else; what is new has all of its seconds, or what was left of them.

        What does not run stands still: all of it, or what is not named.
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
        """Write down how much is left of everything; nothing if nothing is timed."""
        lefts = {name: round(each.left(now), 3) for name, each in self.countdowns.items()}
        return msgspec.json.encode(lefts).decode() if lefts else ""
