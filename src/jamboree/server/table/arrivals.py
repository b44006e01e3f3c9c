"""How connections come to a table and leave it, and who is there because of them."""

from collections.abc import Awaitable
from typing import Protocol

from ..commands.access import check_view
from ..commands.command import Decision
from ..memory.memory import Memory
from ..memory.records import Returned
from ..minding.deliberation import Deliberation
from ..minding.steward import Steward
from ..secret import hashed
from ..watching.audience import Audience
from ..watching.showing import Watcher
from .guests import Guests
from .presence import Presence


class Place(Protocol):
    """What is needed of the table that people come to."""

    audience: Audience
    presence: Presence
    steward: Steward

    @property
    def memory(self) -> Memory: ...
    @property
    def here(self) -> frozenset[str]: ...
    def who(self, token: str) -> str: ...
    def keep(self, decision: Decision) -> Awaitable[bool]: ...
    def settle(self) -> Awaitable[None]: ...


class Arrivals:
    """Welcomes connections. One on a shared device brings everybody who plays on it."""

    __slots__ = ("deliberation", "guests", "table")

    def __init__(self, table: Place, deliberation: Deliberation, guests: Guests) -> None:
        self.table, self.deliberation, self.guests = table, deliberation, guests

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
            table.presence.connected()
        table.audience.watchers.add(watcher)
        for person in coming:
            table.steward.idle.hear_from(person)
            self.deliberation.greet(person)
        table.steward.mind()
        table.audience.welcome(watcher, seen)
        table.audience.show_clock(besides=watcher)
        if newly_here:
            table.audience.show_table(besides=watcher)
        self._count(watcher)

    async def detach(self, watcher: Watcher) -> None:
        table, leaving = self.table, _brought(watcher)
        if watcher not in table.audience.watchers:
            return
        table.audience.leave(watcher)
        self._count(watcher)
        for person in leaving:
            table.presence.disconnected(person)
        if leaving - table.here:
            table.audience.show_table()
        if leaving:
            await table.settle()

    def _belongs(self, person: str) -> bool:
        """Tell who is brought along: somebody who has left comes back only in person."""
        return not self.table.memory.lobby.people[person].gone

    def _was_missed(self, person: str, in_person: str | None) -> bool:
        found = self.table.memory.lobby.people[person]
        return found.invited or (found.gone and person == in_person)

    def _count(self, watcher: Watcher) -> None:
        if not watcher.company:
            self.guests.note(watcher.person)


def _brought(watcher: Watcher) -> frozenset[str]:
    return watcher.company | {watcher.person} if watcher.person else watcher.company
