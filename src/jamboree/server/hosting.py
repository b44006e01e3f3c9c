"""What people are called, what the host may do, and how people come back on another device."""

import msgspec

from jamboree.core.chance import Chance

from .bot_seats import seated
from .commands import Decision, host_only, present
from .errors import Refused
from .lobby import UNDER_WAY, Status
from .memory import Memory
from .names import own_name
from .records import (
    AnyRecord,
    Closed,
    HostPassed,
    LinkMinted,
    LinkUsed,
    Muted,
    NameRefused,
    Readied,
    Rematched,
    Removed,
    Renamed,
)
from .secret import hashed, new_token

HOST_GRACE = 60.0  # seconds a host may be away and stay host


class PassHost(msgspec.Struct, frozen=True):
    """Make somebody host. When the host has been away for a while, a player may take over."""

    person: str
    to: str
    host_away: float  # seconds

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        present(memory, self.to)
        taking_over = self.person == self.to and memory.lobby.people[self.person].seat is not None
        if not (taking_over and self.host_away >= HOST_GRACE):
            host_only(memory, self.person)
        return Decision([HostPassed(self.to)])


class Remove(msgspec.Struct, frozen=True):
    """Show somebody out; who plays is replaced by a bot for the rest of the game."""

    person: str
    who: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        present(memory, self.who)
        if self.who == self.person:
            raise Refused("yourself", "To go away yourself, leave the table.")
        records: list[AnyRecord] = [Removed(self.who)]
        seat = memory.lobby.people[self.who].seat
        if memory.lobby.status in (Status.SEEDING, Status.PLAYING) and seat is not None:
            records.append(seated(memory.lobby, seat, "regular"))
        return Decision(records)


class Rename(msgspec.Struct, frozen=True):
    """Call oneself something else, at any time; who is muted can't speak by a name either."""

    person: str
    name: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        present(memory, self.person)
        person = memory.lobby.people[self.person]
        if person.muted:
            raise Refused("muted", "The host has muted you.")
        name = own_name(self.name, memory.lobby.taken_names(besides=self.person))
        return Decision([] if name == person.name else [Renamed(self.person, name)])


class RefuseName(msgspec.Struct, frozen=True):
    person: str
    who: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        present(memory, self.who)
        return Decision([NameRefused(self.who)])


class Mute(msgspec.Struct, frozen=True):
    person: str
    who: str
    muted: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        present(memory, self.who)
        return Decision([Muted(self.who, self.muted)])


class Ready(msgspec.Struct, frozen=True):
    person: str | None
    ready: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        if self.person is None or memory.lobby.people[self.person].seat is None:
            raise Refused("only-watching", "Only who plays can be ready.")
        if memory.lobby.people[self.person].ready == self.ready:
            return Decision([], memory.seq)
        return Decision([Readied(self.person, self.ready)], memory.seq + 1)


class MintLink(msgspec.Struct, frozen=True):
    """Make a secret by which this person can come back on another device, once."""

    person: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        link = new_token()
        return Decision([LinkMinted(self.person, hashed(link))], link)


class UseLink(msgspec.Struct, frozen=True):
    link: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        person = memory.lobby.whose_link(hashed(self.link))
        if person is None:
            raise Refused("wrong-token", "This link has been used, or never was one.")
        token = new_token()
        return Decision([LinkUsed(person, hashed(token))], (person, token))


class PointTo(msgspec.Struct, frozen=True):
    """Say where those who sit here play again."""

    table: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        return Decision([] if memory.lobby.rematch else [Rematched(self.table)])


class Expire(msgspec.Struct, frozen=True):
    def decide(self, memory: Memory, chance: Chance) -> Decision:
        waiting = memory.lobby.status in UNDER_WAY
        return Decision([Closed("Nobody came back to this table.")] if waiting else [])
