"""Presence: who is connected, and how connections come and go."""

from math import inf
from typing import TYPE_CHECKING

from ..tokens import hashed
from .commands.base import Decision
from .records import Returned
from .visibility import check_view

if TYPE_CHECKING:
    from ..http.session import Session
    from .table import Table

GUESTS_COUNTED = 1.0  # seconds over which changes of the number of guests are batched


class Presence:
    """Connections of one table, and when each person was last connected, on the monotonic clock.

    A connection of a shared device brings everybody who plays on it.
    """

    __slots__ = ("_count_due", "_last_seen", "_opened", "table", "visited")

    def __init__(self, table: "Table") -> None:
        self.table = table
        self.visited = -inf  # when a person of the table was last connected
        self._opened = table.now()
        self._last_seen: dict[str, float] = {}
        self._count_due = False

    async def attach(self, subscriber: "Session", token: str | None, seen: int | None) -> None:
        table = self.table
        subscriber.person, subscriber.device = (table.who(token), hashed(token)) if token else (None, "")
        subscriber.company = frozenset(key for key in subscriber.company if self._belongs(key))
        coming = _brought(subscriber)
        check_view(table.state.roster, subscriber.person or min(coming, default=None), subscriber.screen)
        returned = [key for key in sorted(coming) if self._was_missed(key, subscriber.person)]
        if returned and table.state.has_rules:
            await table.persistence.keep(Decision([Returned(key) for key in returned]))
        newly_here = bool(returned or coming - table.connections.here)
        if coming:
            self.visited = table.now()
        table.connections.add(subscriber)
        for person in coming:
            table.scheduler.greet(person)
        table.scheduler.mind()
        table.subscribers.welcome(subscriber, seen)
        table.subscribers.show_clock(besides=subscriber)
        if newly_here:
            table.subscribers.show_table(besides=subscriber)
        self._count_guests(subscriber)

    async def detach(self, subscriber: "Session") -> None:
        table, leaving = self.table, _brought(subscriber)
        if subscriber not in table.connections:
            return
        table.subscribers.leave(subscriber)
        self._count_guests(subscriber)
        for person in leaving:
            self.visited = self._last_seen[person] = table.now()
        if leaving - table.connections.here:
            table.subscribers.show_table()
        if leaving:
            await table.scheduler.settle()

    def came(self, person: str) -> None:
        """Count a person who has just joined as present until now."""
        self._last_seen[person] = self.table.now()

    def away_since(self, person: str) -> float:
        """The time since which a person has had no connection."""
        return self.table.now() if person in self.table.connections.here else self._last_seen.get(person, self._opened)

    def away_for(self, person: str) -> float:
        """For how many seconds a person has had no connection."""
        return 0.0 if person in self.table.connections.here else self.table.now() - self.away_since(person)

    def _belongs(self, person: str) -> bool:
        """Whether a person of a shared device counts as present; one who has left must reconnect in person."""
        return not self.table.state.roster.people[person].gone

    def _was_missed(self, person: str, in_person: str | None) -> bool:
        found = self.table.state.roster.people[person]
        return found.invited or (found.gone and person == in_person)

    def _count_guests(self, subscriber: "Session") -> None:
        """Schedule publishing the number of guests, if this subscriber is one."""
        if subscriber.person is None and not subscriber.company and not self._count_due:
            self._count_due = True
            self.table.inbox.set_alarm("guests", self.table.now() + GUESTS_COUNTED, self._publish_guests)

    async def _publish_guests(self) -> None:
        self.table.inbox.clear_alarm("guests")
        self._count_due = False
        self.table.subscribers.show_guests()


def _brought(subscriber: "Session") -> frozenset[str]:
    return subscriber.company | {subscriber.person} if subscriber.person else subscriber.company
