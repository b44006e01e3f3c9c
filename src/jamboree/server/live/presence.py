"""Presence: connections that come and go, and idle players: inactivity, nudges, and votes for a bot to take over."""

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

from ..errors import Refused
from ..protocol.terms import Idle
from ..tokens import hashed
from .commands.base import Decision, unknown_person
from .records import Returned
from .roster import Roster
from .visibility import check_view

if TYPE_CHECKING:
    from .session import Session
    from .table import Table

Signature = tuple[object, ...]
NOBODY: frozenset[str] = frozenset()  # shared by all tables
GUESTS_COUNTED = 1.0  # seconds over which changes of the number of guests are batched


class Presence:
    """Connections of one table, and when each person was last connected, on the monotonic clock.

    A connection of a shared device counts for everyone who plays on it.
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
        subscriber.person, subscriber.device = (table.authenticate(token), hashed(token)) if token else (None, "")
        people = table.state.roster.people
        # One who has left counts as present again only by reconnecting in person, not by a shared device.
        subscriber.company = frozenset(key for key in subscriber.company if not people[key].gone)
        coming = _people_of(subscriber)
        check_view(table.state.roster, subscriber.person or min(coming, default=None), subscriber.hello.screen)
        returned = [key for key in sorted(coming) if people[key].invited or people[key].gone]
        if returned and table.state.has_rules:
            await table.persistence.persist(Decision([Returned(key) for key in returned]))
        newly_here = bool(returned or coming - table.connections.people)
        if coming:
            self.visited = table.now()
        table.connections.add(subscriber)
        for person in coming:
            table.scheduler.note_connection(person)
        table.scheduler.reschedule()
        table.subscribers.welcome(subscriber, seen)
        table.subscribers.show_clock(besides=subscriber)
        if newly_here:
            table.subscribers.show_table(besides=subscriber)
        self._count_guests(subscriber)

    async def detach(self, subscriber: "Session") -> None:
        table, leaving = self.table, _people_of(subscriber)
        if subscriber not in table.connections:
            return
        table.subscribers.leave(subscriber)
        self._count_guests(subscriber)
        for person in leaving:
            self.visited = self._last_seen[person] = table.now()
        if leaving - table.connections.people:
            table.subscribers.show_table()
        if leaving:
            await table.scheduler.settle()

    def note_join(self, person: str) -> None:
        """Count a person who has just joined as present until now."""
        self._last_seen[person] = self.table.now()

    def away_since(self, person: str) -> float:
        """The time since which a person has had no connection."""
        here = person in self.table.connections.people
        return self.table.now() if here else self._last_seen.get(person, self._opened)

    def away_for(self, person: str) -> float:
        """For how many seconds a person has had no connection."""
        return 0.0 if person in self.table.connections.people else self.table.now() - self.away_since(person)

    def _count_guests(self, subscriber: "Session") -> None:
        """Schedule publishing the number of guests, if this subscriber is one."""
        if subscriber.person is None and not subscriber.company and not self._count_due:
            self._count_due = True
            self.table.inbox.set_alarm("guests", self.table.now() + GUESTS_COUNTED, self._publish_guests)

    async def _publish_guests(self) -> None:
        self._count_due = False
        self.table.subscribers.show_guests()


def _people_of(subscriber: "Session") -> frozenset[str]:
    return subscriber.company | {subscriber.person} if subscriber.person else subscriber.company


class IdlePlayers:
    """Players for whom the table waits.

    No bot replaces a connected player by itself. Where no clock runs, the others wait, nudge or vote, as the host
    chose. Any activity returns the seat to its player.
    """

    __slots__ = ("_last_activity", "_nudged", "next_quiet", "quiet", "standing_in", "table", "tempo", "votes")

    def __init__(self, table: "Table") -> None:
        self.table, self.tempo = table, table.registry.services.tempo
        self.standing_in = NOBODY  # players for whom a bot plays
        self.quiet = NOBODY
        self.next_quiet: float | None = None  # when the next player becomes quiet
        self.votes: dict[str, set[str]] = {}  # by player: the people who want a bot to play
        self._last_activity: dict[str, float] = {}  # by player to move: the last activity, or the beginning of the turn
        self._nudged: dict[str, float] = {}  # by player: the last nudge

    @property
    def _roster(self) -> Roster:
        return self.table.state.roster

    def note_activity(self, person: str) -> None:
        """Return a seat from a bot to its player."""
        self.standing_in -= {person}
        self.votes.pop(person, None)
        self._nudged.pop(person, None)
        self.quiet -= {person}
        if person in self._last_activity:
            self._last_activity[person] = self.table.now()

    def update(self, asked: Iterable[str], timed: bool, running: bool) -> None:
        """Update the players to move; with a clock or without other players nobody becomes quiet."""
        now = self.table.now()
        self._last_activity = {person: self._last_activity.get(person, now) if running else now for person in asked}
        here = self.table.connections.people if running and not timed else NOBODY
        waited_for = {
            who: at + self.tempo.patience
            for who, at in self._last_activity.items()
            if who in here and self._others(who)
        }
        self.quiet = frozenset(who for who, end in waited_for.items() if end <= now) or NOBODY
        self.next_quiet = min((end for end in waited_for.values() if end > now), default=None)
        self.votes = {person: votes for person, votes in self.votes.items() if self._is_awaited(person)}
        for person in [person for person in self.votes if self._is_outvoted(person)]:
            self.standing_in |= {person}
            self.votes.pop(person)

    def nudge(self, person: str | None, who: str) -> None:
        """Refuse a nudge that comes too soon, and record it."""
        self._check(person, who, Idle.NUDGE, Idle.VOTE)
        if person and self._roster.people[person].muted:
            raise Refused("muted", "The host has muted you.")
        last, now = self._nudged.get(who), self.table.now()
        if who not in self._last_activity or (last is not None and now - last < self.tempo.nudge):
            raise Refused("no-nudge", "The table does not wait for this player, or they have just been nudged.")
        self._nudged[who] = now

    def vote(self, person: str | None, who: str, bot: bool) -> None:
        """Record a vote for a bot to play for a quiet player."""
        self._check(person, who, Idle.VOTE)
        if not self._is_awaited(who):
            raise Refused("no-vote", "This player is active, or the table does not wait for them.")
        votes = self.votes.setdefault(who, set())
        (votes.add if bot else votes.discard)(person or "")

    def check_alone(self, person: str | None) -> None:
        """Refuse people who may not skip waiting: spectators, and players with other people."""
        if self._others(_check_plays(self._roster, person)):
            raise Refused("not-allowed", "You can only skip ahead when you are the only human player.")

    def signature(self) -> Signature:
        """What viewers see of idle players, to detect changes."""
        votes = tuple(sorted((who, *sorted(votes)) for who, votes in self.votes.items()))
        return self.standing_in, self.quiet, votes

    def _check(self, person: str | None, who: str, *allowed: Idle) -> None:
        roster = self._roster
        _check_plays(roster, person)
        if who == person or who not in roster.people:
            raise unknown_person()
        if roster.house_rules.idle not in allowed:
            raise Refused("not-allowed", "The host does not allow this at this table.")

    def _is_awaited(self, person: str) -> bool:
        return person in self._last_activity and (person in self.quiet or person not in self.table.connections.people)

    def _others(self, person: str) -> set[str]:
        """The other connected players, who may vote."""
        return {*self._roster.players()} & self.table.connections.people - self.standing_in - {person}

    def _is_outvoted(self, person: str) -> bool:
        others = self._others(person) - self.quiet
        return 2 * len(self.votes[person] & others) > len(others)


def _check_plays(roster: Roster, person: str | None) -> str:
    if person is None or not roster.people[person].plays:
        raise Refused("players-only", "Spectators can't do this.")
    return person
