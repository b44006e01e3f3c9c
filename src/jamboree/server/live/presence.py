"""Presence: who is connected, and how connections come and go."""

from math import inf
from typing import TYPE_CHECKING

from ..secret import hashed
from .commands.base import Decision
from .records import Returned
from .viewers.frame_builder import Watcher
from .visibility import check_view

if TYPE_CHECKING:
    from .table import Table

GUESTS_COUNTED = 1.0  # seconds after one came or went: all who come and go meanwhile are counted at once


class Presence:
    """Connections of one table, and when each person was last connected, on the monotonic clock.

    A connection of a shared device brings everybody who plays on it.
    """

    __slots__ = ("_count_due", "_last_seen", "_opened", "table", "visited")

    def __init__(self, table: "Table") -> None:
        self.table = table
        self.visited = -inf  # when somebody who belongs here was last connected
        self._opened = table.now()
        self._last_seen: dict[str, float] = {}
        self._count_due = False

    async def attach(self, watcher: Watcher, token: str | None, seen: int | None) -> None:
        table = self.table
        watcher.person, watcher.device = (table.who(token), hashed(token)) if token else (None, "")
        watcher.company = frozenset(key for key in watcher.company if self._belongs(key))
        coming = _brought(watcher)
        check_view(table.memory.lobby, watcher.person or min(coming, default=None), watcher.screen)
        returned = [key for key in sorted(coming) if self._was_missed(key, watcher.person)]
        if returned and table.memory.has_rules:
            await table.keep(Decision([Returned(key) for key in returned]))
        newly_here = bool(returned or coming - table.here)
        if coming:
            self.visited = table.now()
        table.audience.watchers.add(watcher)
        for person in coming:
            table.steward.greet(person)
        table.steward.mind()
        table.audience.welcome(watcher, seen)
        table.audience.show_clock(besides=watcher)
        if newly_here:
            table.audience.show_table(besides=watcher)
        self._count_guests(watcher)

    async def detach(self, watcher: Watcher) -> None:
        table, leaving = self.table, _brought(watcher)
        if watcher not in table.audience.watchers:
            return
        table.audience.leave(watcher)
        self._count_guests(watcher)
        for person in leaving:
            self.visited = self._last_seen[person] = table.now()
        if leaving - table.here:
            table.audience.show_table()
        if leaving:
            await table.steward.settle()

    def came(self, person: str) -> None:
        """Count somebody who has just joined as present until now."""
        self._last_seen[person] = self.table.now()

    def away_since(self, person: str) -> float:
        """Give the time since which somebody has had no connection."""
        return self.table.now() if person in self.table.here else self._last_seen.get(person, self._opened)

    def away_for(self, person: str) -> float:
        """Give the seconds for which somebody has had no connection."""
        return 0.0 if person in self.table.here else self.table.now() - self.away_since(person)

    def _belongs(self, person: str) -> bool:
        """Tell who is brought along: somebody who has left comes back only in person."""
        return not self.table.memory.lobby.people[person].gone

    def _was_missed(self, person: str, in_person: str | None) -> bool:
        found = self.table.memory.lobby.people[person]
        return found.invited or (found.gone and person == in_person)

    def _count_guests(self, watcher: Watcher) -> None:
        """Publish the number of guests in a moment, if one came or went."""
        if watcher.person is None and not watcher.company and not self._count_due:
            self._count_due = True
            self.table.inbox.set_alarm("guests", self.table.now() + GUESTS_COUNTED, self._publish_guests)

    async def _publish_guests(self) -> None:
        self.table.inbox.clear_alarm("guests")
        self._count_due = False
        self.table.audience.show_guests()


def _brought(watcher: Watcher) -> frozenset[str]:
    return watcher.company | {watcher.person} if watcher.person else watcher.company
