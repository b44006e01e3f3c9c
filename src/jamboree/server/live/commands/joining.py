"""Commands about joining and leaving: seats, names, avatars and devices."""

from collections.abc import Mapping

import msgspec

from jamboree.core.chance import Chance

from ...errors import Refused
from ...protocol.terms import UNDER_WAY, Spectators, Status
from ...secret import hashed, new_token
from ..records import (
    AnyRecord,
    BotSent,
    Closed,
    HostPassed,
    Joined,
    Left,
    LinkMinted,
    LinkUsed,
    LookAsked,
    LookTaken,
    Moved,
    Renamed,
    Returned,
    SeatAsked,
    SignedOut,
)
from ..roster import MOST_TOKENS, Lobby, alike, own_name
from ..state import Memory
from .base import Decision, host_only, player, present

MOST_PEOPLE = 64
MOST_EVER = 1000  # people who have joined, and perhaps left again, before nobody more can watch
MOST_EVER_SEATED = 5000  # before nobody more can take a seat: those who come and go don't shut a table for players
LONG_GONE = 60.0  # seconds after which a spectator without a connection makes room for others


class Ticket(msgspec.Struct, frozen=True):
    """What somebody who joined gets: who they are, and the secret that proves it."""

    person: str
    seat: int | None
    token: str


def check_name(lobby: Lobby, name: str) -> None:
    """Refuse the name of somebody who was banned."""
    if any(alike(name, ban.name) for ban in lobby.bans.values()):
        raise Refused("banned", "Somebody with this name was banned from this table.")


class Join(msgspec.Struct, frozen=True):
    name: str
    seat: int | None = None  # None: any that is free
    watch: bool = False
    tokens: tuple[str, ...] = ()  # hashed: what else the device has
    away: Mapping[str, float] = {}  # for how many seconds people have had no connection

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        self._check_access(lobby)
        if len(lobby.people) >= (MOST_EVER if self.watch else MOST_EVER_SEATED):
            raise Refused("full", "This table has had all the people it can take.")
        seat = None if self.watch else self._seat(memory)
        leaving: list[AnyRecord] = [*self._make_room(lobby)]
        if seat is not None and seat in lobby.bots:
            leaving.append(BotSent(seat))
        name = own_name(self.name, lobby.taken_names())
        ticket = Ticket(lobby.new_person(), seat, new_token())
        return Decision([*leaving, Joined(ticket.person, seat, [hashed(ticket.token)], name)], ticket)

    def _check_access(self, lobby: Lobby) -> None:
        if any(lobby.banned(token) for token in self.tokens):
            raise Refused("banned", "The host has banned you from this table.")
        check_name(lobby, self.name)
        if lobby.party and any(lobby.who(token) for token in self.tokens):
            raise Refused("joined", "This phone has already joined the party.")
        if lobby.locked:
            raise Refused("locked", "The host has locked this table: nobody new can come in.")
        if self.watch and lobby.spectators == Spectators.NOBODY:
            raise Refused("no-spectators", "The host lets nobody watch this game.")

    def _make_room(self, lobby: Lobby) -> list[Left]:
        """At a full table, send a spectator away who is not there; for a player also one who is, whoever came last."""
        people = {key: person for key, person in lobby.people.items() if not person.away_for_good}
        if len(people) < MOST_PEOPLE:
            return []
        watching = [key for key, person in people.items() if person.seat is None and key != lobby.host]
        longest = max(reversed(watching), key=lambda key: self.away.get(key, 0.0), default="")
        if not longest or (self.watch and self.away.get(longest, 0.0) <= LONG_GONE):
            raise Refused("full", "This table has all the people it can take.")
        return [Left(longest)]

    def _seat(self, memory: Memory) -> int:
        free, playing = memory.lobby.seats_to_take(), memory.lobby.status == Status.PLAYING
        if memory.lobby.status != Status.GATHERING and not (playing and memory.lobby.latecomers):
            raise Refused("started", "This game has already begun.")
        if not free:
            raise Refused("full", "Every seat is taken.")
        if self.seat is not None and self.seat not in free:
            raise Refused("taken", "This seat is taken, or there is no such seat.")
        return free[0] if self.seat is None else self.seat


class Move(msgspec.Struct, frozen=True):
    """Change to a free seat; the host may also send others, and swap two who sit."""

    person: str
    who: str
    seat: int | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        present(memory, self.who)
        if self._comes_late(lobby):
            return Decision([Moved(self.who, self.seat)])
        if lobby.status != Status.GATHERING:
            raise Refused("started", "Seats can only be changed before the game.")
        if self.seat is not None and not 0 <= self.seat < lobby.seats:
            raise Refused("taken", "There is no such seat.")
        if self.person != self.who or self.seat in lobby.bots or self._others_seat(lobby):
            host_only(memory, self.person)
        return Decision([Moved(self.who, self.seat)])

    def _comes_late(self, lobby: Lobby) -> bool:
        """Tell whether a spectator sits down for a bot in a game that runs."""
        watches = self.person == self.who and lobby.people[self.who].seat is None
        return watches and lobby.status == Status.PLAYING and self.seat in lobby.seats_to_take()

    def _others_seat(self, lobby: Lobby) -> bool:
        return self.seat is not None and lobby.at(self.seat) not in (None, self.who)


class Leave(msgspec.Struct, frozen=True):
    person: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        present(memory, self.person)
        records: list[AnyRecord] = [Left(self.person)]
        heir = lobby.heir()
        if self.person == lobby.host and heir:
            records.append(HostPassed(heir))
        others = [other for key, other in lobby.people.items() if key != self.person and not other.gone]
        if not others and lobby.status in UNDER_WAY:
            records.append(Closed("Everybody left."))
        return Decision(records)


class AskSeat(msgspec.Struct, frozen=True):
    """Ask the host for the seat of a bot, or with None no more."""

    person: str
    seat: int | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        present(memory, self.person)
        if self.seat == lobby.seats_asked.get(self.person):
            return Decision([])
        if self.seat is None:
            return Decision([SeatAsked(self.person, None)])
        _check_bot_seat(lobby, self.person, self.seat)
        if lobby.latecomers or self.person == lobby.host:
            return Decision([Moved(self.person, self.seat)])
        return Decision([SeatAsked(self.person, self.seat)])


class AnswerSeat(msgspec.Struct, frozen=True):
    """Let somebody who has asked sit down for a bot, or not; for the host."""

    person: str
    who: str
    agrees: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        seat = memory.lobby.seats_asked.get(self.who)
        if seat is None:
            raise Refused("not-asked", "They don't ask for a seat.")
        _playing(memory.lobby)
        return Decision([Moved(self.who, seat) if self.agrees else SeatAsked(self.who, None)])


def _check_bot_seat(lobby: Lobby, person: str, seat: int) -> None:
    _playing(lobby)
    if lobby.people[person].seat is not None:
        raise Refused("taken", "You already have a seat.")
    if seat not in lobby.bots:
        raise Refused("taken", "No bot has this seat.")


def _playing(lobby: Lobby) -> None:
    """Refuse to seat anybody once a game is over: its result stays with those who played it."""
    if lobby.status != Status.PLAYING:
        raise Refused("not-playing", "No game is being played here now.")


class TakeLook(msgspec.Struct, frozen=True):
    """Take a look that nobody has, or a bot; ask for one that somebody has. One's own again: ask no more."""

    person: str
    look: int

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        _, seat = player(memory, self.person)
        _check_before_game(memory)
        if not 0 <= self.look < memory.game.info.avatars:
            raise Refused("no-look", "There is nothing like this to choose in this game.")
        if self.look == lobby.looks.of(seat):
            return Decision(_no_more(memory, self.person))
        if lobby.owner(self.look, self.person) is None:
            return Decision([*_no_more(memory, self.person), LookTaken(seat, self.look)])
        known = lobby.looks.asked.get(self.person) == self.look
        return Decision([] if known else [LookAsked(self.person, self.look)])


class AnswerLook(msgspec.Struct, frozen=True):
    """Exchange looks with somebody who asks for mine, or say no."""

    person: str
    who: str
    agrees: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        _, seat = player(memory, self.person)
        _check_before_game(memory)
        if lobby.looks.asked.get(self.who) != lobby.looks.of(seat):
            raise Refused("not-asked", "They don't ask for what you have.")
        if not self.agrees:
            return Decision([LookAsked(self.who, None)])
        theirs = lobby.people[self.who].seat
        assert theirs is not None, "whoever asks has a seat"
        return Decision([LookTaken(theirs, lobby.looks.of(seat))])


def _no_more(memory: Memory, person: str) -> list[AnyRecord]:
    return [LookAsked(person, None)] if person in memory.lobby.looks.asked else []


def _check_before_game(memory: Memory) -> None:
    if memory.lobby.status != Status.GATHERING:
        raise Refused("started", "This is chosen before the game.")


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


class Accept(msgspec.Struct, frozen=True):
    """Agree to a rematch that somebody else has asked for."""

    tokens: list[str]  # hashed

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        keys = [key for key in map(memory.lobby.who, self.tokens) if key and memory.lobby.people[key].invited]
        return Decision([Returned(key) for key in keys[:1]])
