"""Time that runs down at a table. It knows the monotonic clock only, and what is left outlives the server."""

from collections.abc import Mapping

import msgspec

Lefts = dict[str, float]


class Countdown:
    """So many seconds, running or stopped."""

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
    """Countdowns by name. A name stands for one thing that is timed, once: it never comes again for another."""

    def __init__(self, kept: str = "") -> None:
        self.countdowns: dict[str, Countdown] = {}
        self._kept = msgspec.json.decode(kept, type=Lefts) if kept else {}

    def follow(self, wanted: Mapping[str, float], running: bool, now: float) -> None:
        """Time what is wanted and nothing else; what is new has all of its seconds, or what was left of them."""
        self.countdowns = {name: self._countdown(name, of) for name, of in wanted.items()}
        for countdown in self.countdowns.values():
            countdown.run(running, now)

    def _countdown(self, name: str, of: float) -> Countdown:
        return self.countdowns.get(name) or Countdown(of, min(of, self._kept.pop(name, of)))

    def written(self, now: float) -> str:
        """Write down how much is left of everything; nothing is written of nothing."""
        lefts = {name: round(each.left(now), 3) for name, each in self.countdowns.items()}
        return msgspec.json.encode(lefts).decode() if lefts else ""
