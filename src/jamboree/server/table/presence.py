"""Who is at a table, and since when the others are not."""

from collections.abc import Callable, Iterable
from math import inf


class Presence:
    """Remembers when somebody was last connected, by the clock that nobody sets."""

    def __init__(self, now: Callable[[], float], here: Callable[[], frozenset[str]]) -> None:
        self.now, self.here = now, here
        self.visited = -inf  # when somebody who belongs here was last connected
        self._opened = now()
        self._last_seen: dict[str, float] = {}

    def came(self, person: str) -> None:
        """Take it that somebody who has just joined was there."""
        self._last_seen[person] = self.now()

    def connected(self) -> None:
        self.visited = self.now()

    def disconnected(self, person: str) -> None:
        self.visited = self._last_seen[person] = self.now()

    def away_since(self, person: str) -> float:
        """Say since when somebody has had no connection."""
        return self.now() if person in self.here() else self._last_seen.get(person, self._opened)

    def away(self, people: Iterable[str]) -> dict[str, float]:
        """Say for how many seconds people have had no connection."""
        now, here = self.now(), self.here()
        return {key: now - self.away_since(key) for key in people if key not in here}
