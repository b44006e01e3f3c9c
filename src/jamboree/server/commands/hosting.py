"""What people are called, what the host may do, and how people come back on another device."""

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.memory import Memory
from ..memory.names import clean, own_name
from ..memory.people import MOST_TOKENS
from ..memory.records import (
    Closed,
    HostPassed,
    LinkMinted,
    LinkUsed,
    Muted,
    NameRefused,
    Readied,
    Rematched,
    Renamed,
    Returned,
    SignedOut,
)
from ..protocol.terms import UNDER_WAY
from ..secret import hashed, new_token
from .command import Decision, check_name, host_only, present

LONGEST_WHY = 200
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


class Rename(msgspec.Struct, frozen=True):
    """Call oneself something else, at any time. Muted people can't speak by a name either."""

    person: str
    name: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        present(memory, self.person)
        person = memory.lobby.people[self.person]
        if person.muted:
            raise Refused("muted", "The host has muted you.")
        check_name(memory.lobby, self.name)
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
            raise Refused("only-watching", "Spectators can't say that they are ready.")
        if memory.lobby.people[self.person].ready == self.ready:
            return Decision([], memory.seq)
        return Decision([Readied(self.person, self.ready)], memory.seq + 1)


class MintLink(msgspec.Struct, frozen=True):
    """Make a secret by which this person can come back on another device, once."""

    person: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        _check_devices(memory, self.person)
        link = new_token()
        return Decision([LinkMinted(self.person, hashed(link))], link)


class UseLink(msgspec.Struct, frozen=True):
    link: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        person = memory.lobby.whose_link(hashed(self.link))
        if person is None:
            raise Refused("wrong-token", "This link has already been used, or is not valid.")
        _check_devices(memory, person)
        token = new_token()
        return Decision([LinkUsed(person, hashed(token))], (person, token))


class SignOut(msgspec.Struct, frozen=True):
    """Sign all other devices of this person out."""

    person: str
    token: str  # of the device that stays

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        mine = hashed(self.token)
        return Decision([] if memory.lobby.people[self.person].tokens == [mine] else [SignedOut(self.person, mine)])


def _check_devices(memory: Memory, person: str) -> None:
    """Refuse a ninth device: no other one is signed out without a word."""
    if len(memory.lobby.people[person].tokens) >= MOST_TOKENS:
        raise Refused("devices", f"You already play on {MOST_TOKENS} devices. Sign the others out first.")


class PointTo(msgspec.Struct, frozen=True):
    """Say where those who sit here play again."""

    table: str
    by: str = ""

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        return Decision([] if memory.lobby.rematch else [Rematched(self.table, self.by)])


class Accept(msgspec.Struct, frozen=True):
    """Agree to a rematch that somebody else has asked for."""

    tokens: list[str]  # hashed

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        keys = [key for key in map(memory.lobby.who, self.tokens) if key and memory.lobby.people[key].invited]
        return Decision([Returned(key) for key in keys[:1]])


class CloseTable(msgspec.Struct, frozen=True):
    """Close a table because whoever runs the server wants it."""

    why: str = ""

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        if memory.lobby.status not in UNDER_WAY:
            raise Refused("finished", "This table has come to its end already.")
        said = clean(self.why, LONGEST_WHY)
        return Decision([Closed(said or "Whoever runs this server has closed the table.")])


class Expire(msgspec.Struct, frozen=True):
    def decide(self, memory: Memory, chance: Chance) -> Decision:
        waiting = memory.lobby.status in UNDER_WAY
        return Decision([Closed("Nobody came back to this table.")] if waiting else [])
