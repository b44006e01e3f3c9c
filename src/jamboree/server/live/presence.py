"""Presence: who is connected, how connections come and go, and the signals that people give each other."""

import asyncio
from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING, Any

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

    def away(self) -> dict[str, float]:
        """Give the seconds for which people have had no connection."""
        now, here = self.table.now(), self.table.here
        return {key: now - self.away_since(key) for key in self.table.memory.lobby.people if key not in here}

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


def heed(table: "Table", people: Iterable[str | None]) -> "asyncio.Future[Any]":
    """Take somebody for awake, or all who sit around one device."""

    async def hear() -> None:
        for person in people:
            table.steward.hear_from(person)

    return table.enqueue(hear)


def speak(table: "Table", person: str | None, phrase: str) -> "asyncio.Future[Any]":
    """Let somebody say a quick phrase."""
    return table.enqueue(lambda: table.remarks.speak(person, phrase))


def tell_peek(table: "Table", person: str | None, seconds: float) -> "asyncio.Future[Any]":
    """Tell everybody that the wrong person has looked."""
    return table.enqueue(lambda: table.remarks.tell_peek(person, seconds))


def hurry(table: "Table", person: str | None) -> "asyncio.Future[Any]":
    """Have bots move at once until the only person who plays is asked."""

    async def speed_up() -> None:
        table.steward.hear_from(person)
        table.steward.hurry(person)

    return table.enqueue(speed_up)


def nudge(table: "Table", person: str | None, who: str) -> "asyncio.Future[Any]":
    """Ask a player whom the table waits for whether they are there."""

    async def ask() -> None:
        table.steward.hear_from(person)
        table.steward.idle.nudge(person, who)
        table.audience.nudge(who, person or "")

    return table.enqueue(ask)


def vote(table: "Table", person: str | None, who: str, bot: bool) -> "asyncio.Future[Any]":
    """Note whether somebody wants a bot to play for a player who is missed."""

    async def count() -> None:
        table.steward.hear_from(person)
        table.steward.idle.vote(person, who, bot)

    return table.enqueue(count)
