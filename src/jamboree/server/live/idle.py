"""Idle players: who has gone quiet, and whether the others vote for a bot to take over.

Nobody plays for somebody who is there. Where no clock runs the others wait, nudge, or vote, as the host chose; any sign
of life gives the seat back."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..errors import Refused
from ..protocol.terms import Idle
from .roster import Roster

if TYPE_CHECKING:
    from .table import Table

Face = tuple[object, ...]
NOBODY: frozenset[str] = frozenset()  # shared by all tables


class IdlePlayers:
    __slots__ = ("_heard", "_nudged", "next_quiet", "quiet", "standing_in", "table", "tempo", "votes")

    def __init__(self, table: "Table") -> None:
        self.table, self.tempo = table, table.registry.services.tempo
        self.standing_in = NOBODY  # players for whom a bot plays
        self.quiet = NOBODY
        self.next_quiet: float | None = None  # when the next player becomes quiet
        self.votes: dict[str, set[str]] = {}  # by player: the people who want a bot to play
        self._heard: dict[str, float] = {}  # by player to move: the last activity, or the beginning of the turn
        self._nudged: dict[str, float] = {}  # by player: the last nudge

    @property
    def _lobby(self) -> Roster:
        return self.table.state.roster

    def hear_from(self, person: str) -> None:
        """Return a seat from a bot to its player."""
        self.standing_in -= {person}
        self.votes.pop(person, None)
        self._nudged.pop(person, None)
        self.quiet -= {person}
        if person in self._heard:
            self._heard[person] = self.table.now()

    def follow(self, asked: Iterable[str], timed: bool, running: bool) -> None:
        """Update the players to move; with a clock or without other players nobody becomes quiet."""
        now = self.table.now()
        self._heard = {person: self._heard.get(person, now) if running else now for person in asked}
        here = {} if timed or not running else {who: at for who, at in self._heard.items() if who in self.table.here}
        waited_for = {who: at + self.tempo.patience for who, at in here.items() if self._others(who)}
        self.quiet = frozenset(who for who, end in waited_for.items() if end <= now) or NOBODY
        self.next_quiet = min((end for end in waited_for.values() if end > now), default=None)
        self.votes = {person: votes for person, votes in self.votes.items() if self._is_missed(person)}
        for person in [person for person in self.votes if self._is_outvoted(person)]:
            self.standing_in |= {person}
            self.votes.pop(person)

    def nudge(self, person: str | None, who: str) -> None:
        """Refuse a nudge that comes too soon, and record it."""
        self._check(person, who, Idle.NUDGE, Idle.VOTE)
        if person and self._lobby.people[person].muted:
            raise Refused("muted", "The host has muted you.")
        last, now = self._nudged.get(who), self.table.now()
        if who not in self._heard or (last is not None and now - last < self.tempo.nudge):
            raise Refused("no-nudge", "Nobody waits for this player, or they have just been nudged.")
        self._nudged[who] = now

    def vote(self, person: str | None, who: str, bot: bool) -> None:
        """Record a vote for a bot to play for a quiet player."""
        self._check(person, who, Idle.VOTE)
        if not self._is_missed(who):
            raise Refused("no-vote", "This player is there, or nobody waits for them.")
        votes = self.votes.setdefault(who, set())
        (votes.add if bot else votes.discard)(person or "")

    def check_alone(self, person: str | None) -> None:
        """Refuse people who may not skip waiting: spectators, and players with other people."""
        if self._others(_check_plays(self._lobby, person)):
            raise Refused("not-allowed", "You can only skip ahead when you are the only human player.")

    def face(self) -> Face:
        """What viewers see of it, to detect changes."""
        votes = tuple(sorted((who, *sorted(votes)) for who, votes in self.votes.items()))
        return self.standing_in, self.quiet, votes

    def _check(self, person: str | None, who: str, *allowed: Idle) -> None:
        roster = self._lobby
        _check_plays(roster, person)
        if who == person or who not in roster.people:
            raise Refused("unknown-person", "Nobody with that name is at this table.")
        if roster.house_rules.idle not in allowed:
            raise Refused("not-allowed", "The host has chosen that this table waits.")

    def _is_missed(self, person: str) -> bool:
        return person in self._heard and (person in self.quiet or person not in self.table.here)

    def _others(self, person: str) -> set[str]:
        """The other connected players, who may vote."""
        playing = {key for key, each in self._lobby.people.items() if each.seat is not None and not each.gone}
        return (playing & self.table.here) - self.standing_in - {person}

    def _is_outvoted(self, person: str) -> bool:
        others = self._others(person) - self.quiet
        return 2 * len(self.votes[person] & others) > len(others)


def _check_plays(roster: Roster, person: str | None) -> str:
    if person is None or roster.people[person].seat is None or roster.people[person].gone:
        raise Refused("players-only", "Spectators can't do this.")
    return person
