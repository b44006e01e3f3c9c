"""Who is at a table, and since when the others are not."""

from collections.abc import Iterable
from math import inf
from typing import Protocol


class Visited(Protocol):
    @property
    def here(self) -> frozenset[str]: ...
    def now(self) -> float: ...


class Presence:
    """Remembers when somebody was last connected, by the clock that nobody sets."""

    __slots__ = ("_last_seen", "_opened", "table", "visited")

    def __init__(self, table: Visited) -> None:
        self.table = table
        self.visited = -inf  # when somebody who belongs here was last connected
        self._opened = table.now()
        self._last_seen: dict[str, float] = {}

    def came(self, person: str) -> None:
        """Take it that somebody who has just joined was there."""
        self._last_seen[person] = self.table.now()

    def connected(self) -> None:
        self.visited = self.table.now()

    def disconnected(self, person: str) -> None:
        self.visited = self._last_seen[person] = self.table.now()

    def away_since(self, person: str) -> float:
        """Say since when somebody has had no connection."""
        return self.table.now() if person in self.table.here else self._last_seen.get(person, self._opened)

    def away(self, people: Iterable[str]) -> dict[str, float]:
        """Say for how many seconds people have had no connection."""
        now, here = self.table.now(), self.table.here
        return {key: now - self.away_since(key) for key in people if key not in here}
