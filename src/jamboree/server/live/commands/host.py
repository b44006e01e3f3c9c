"""Commands of the host: set-up, bots, access, bans, mutes, pace and pauses.

A pause waits for the next turn or phase, so that nobody is cut off in the middle of one. A game has so much time for
pauses in all. It runs while some player has to wait; once it is used up, any player may go on, and nobody can pause
again. A pause does not end by itself: a bot would play for those who trusted it and went away."""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec

from jamboree.bots import LEVELS, Level, character, levels
from jamboree.core.chance import Chance

from ...errors import Refused
from ...protocol.terms import UNDER_WAY, BotPace, Pause, Spectators, Status
from ...secret import source
from ..records import (
    AccessSet,
    AnyRecord,
    Arranged,
    BanLifted,
    Banned,
    BotSeated,
    BotSent,
    Closed,
    HostPassed,
    Moved,
    Muted,
    NameRefused,
    PaceSet,
    Paused,
    Rematched,
    Removed,
)
from ..roster import Lobby, clean, told_apart
from ..state import Memory
from .base import Decision, host_only, player, present

CHARACTERS = {level: character(level).name for level in LEVELS}
NAMES = (files("jamboree.server") / "data" / "bot_names.txt").read_text(encoding="utf-8").split()


class SeatBot(msgspec.Struct, frozen=True):
    """Give a free seat to a bot, change how well the bot there plays, or send it away."""

    person: str
    seat: int
    level: Level | None  # None: nobody

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        host_only(memory, self.person)
        if lobby.status != Status.GATHERING:
            raise Refused("started", "Bots sit down before the game.")
        if not 0 <= self.seat < lobby.seats or lobby.at(self.seat):
            raise Refused("taken", "This seat is taken, or there is no such seat.")
        if self.level is None:
            return Decision([BotSent(self.seat)] if self.seat in lobby.bots else [])
        if self.level not in (there := levels(memory.game)):
            raise Refused("no-level", f"{memory.game.info.title} has no such bot; it has: {', '.join(there)}.")
        return Decision([seated(lobby, self.seat, self.level)])


def seated(lobby: Lobby, seat: int, level: Level) -> BotSeated:
    """Have a bot sit down. One that is there already keeps its name, unless it is that of another level's character."""
    before = lobby.bots.get(seat)
    if before and (before.level == level or before.name not in CHARACTERS.values()):
        return BotSeated(seat, level, before.name)
    return BotSeated(seat, level, _new_name(lobby, level))


def _new_name(lobby: Lobby, level: Level) -> str:
    """Let the level's own character come, or somebody else whose name nobody at the table has."""
    taken = lobby.taken_names()
    if told_apart(CHARACTERS[level], taken) == CHARACTERS[level]:
        return CHARACTERS[level]
    return told_apart(source().choice([name for name in NAMES if told_apart(name, taken) == name] or NAMES), taken)


class Arrange(msgspec.Struct, frozen=True):
    """Set the table up differently. When there are fewer seats, bots make room and people move up."""

    person: str
    wanted: Arranged  # checked against the rules of the game

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby, seats = memory.lobby, self.wanted.seats
        host_only(memory, self.person)
        gathering(lobby)
        if lobby.forked_from and (seats, self.wanted.options) != (lobby.seats, lobby.options):
            raise Refused("forked", "The game that is taken up here keeps its seats and options.")
        if self.wanted.first not in (None, lobby.first) and not 0 <= (self.wanted.first or 0) < seats:
            raise Refused("taken", "There is no such seat.")
        leaving: list[AnyRecord] = [BotSent(seat) for seat in sorted(lobby.bots) if seat >= seats]
        people = [key for key, person in lobby.people.items() if person.seat is not None and person.seat >= seats]
        free = [seat for seat in lobby.free_seats() if seat < seats]
        if len(people) > len(free):
            raise Refused("full", "More people sit at this table than it would have seats.")
        moving = [Moved(key, seat) for key, seat in zip(people, free, strict=False)]
        return Decision([*leaving, *moving, self._fitting(lobby, moving)])

    def _fitting(self, lobby: Lobby, moving: list[Moved]) -> Arranged:
        """Let the seat that begins be one that somebody has; whoever moves up takes the right along."""
        first = self.wanted.first
        if first is None or first < self.wanted.seats:
            return self.wanted
        moved = next((each.seat for each in moving if lobby.people[each.person].seat == first), None)
        return msgspec.structs.replace(self.wanted, first=moved)


def changed(lobby: Lobby, changes: Mapping[str, Any]) -> Arranged:
    """Lay changes over what there is; what is not named stays."""
    return Arranged(**{name: changes.get(name, getattr(lobby, name)) for name in Arranged.__struct_fields__})


def gathering(lobby: Lobby) -> None:
    if lobby.status != Status.GATHERING:
        raise Refused("started", "A table can be set up differently only before its game.")


MOST_BANS = 64


class SetAccess(msgspec.Struct, frozen=True):
    """Lock or unlock the table, choose who may watch and whether bots make room; None leaves that as it is."""

    person: str
    locked: bool | None = None
    spectators: Spectators | None = None
    latecomers: bool | None = None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        host_only(memory, self.person)
        if lobby.learning:
            raise Refused("lesson", "A lesson is for one person: nobody else can come in.")
        now = AccessSet(lobby.locked, lobby.spectators, lobby.latecomers)
        changes = {name: value for name in now.__struct_fields__ if (value := getattr(self, name)) is not None}
        wanted = msgspec.structs.replace(now, **changes)
        return Decision([] if wanted == now else [wanted])


class SetPace(msgspec.Struct, frozen=True):
    """Choose how long bots take over their moves, before the game or during it."""

    person: str
    pace: BotPace

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        return Decision([] if memory.lobby.pace == self.pace else [PaceSet(self.pace)])


class Remove(msgspec.Struct, frozen=True):
    """Show somebody out, or ban them as well. A bot plays for the rest of the game in place of a player."""

    person: str
    who: str
    ban: bool = False

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        host_only(memory, self.person)
        present(memory, self.who)
        if self.who == self.person:
            raise Refused("yourself", "You can't send yourself away; leave the table instead.")
        if self.ban and len(lobby.bans) >= MOST_BANS:
            raise Refused("full", "This table has as many bans as it can keep; lock it instead.")
        person = lobby.people[self.who]
        records: list[AnyRecord] = [Banned(list(person.tokens), person.name)] if self.ban else []
        records.append(Removed(self.who))
        if lobby.status in (Status.SEEDING, Status.PLAYING) and person.seat is not None:
            records.append(seated(lobby, person.seat, "regular"))
        return Decision(records)


class LiftBan(msgspec.Struct, frozen=True):
    person: str
    ban: int

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        if self.ban not in memory.lobby.bans:
            raise Refused("unknown-person", "There is no such ban.")
        return Decision([BanLifted(self.ban)])


def bans(memory: Memory, person: str) -> Mapping[int, str]:
    """Name the banned, by the numbers of their bans; for the host."""
    host_only(memory, person)
    return {number: ban.name for number, ban in memory.lobby.bans.items()}


PAUSES = 1800.0  # seconds for all pauses of a game


class PauseGame(msgspec.Struct, frozen=True):
    person: str | None
    paused: bool
    spent: float = 0.0  # seconds of this and all earlier pauses

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        over = self.spent >= PAUSES
        if over and not self.paused and self.person != memory.lobby.host:
            player(memory, self.person)
        else:
            host_only(memory, self.person or "")
        if memory.lobby.status != Status.PLAYING:
            raise Refused("not-playing", "No game is being played here now.")
        if self.paused == (memory.lobby.paused != Pause.NO):
            return Decision([], memory.seq)
        if self.paused and over:
            raise Refused("no-pause", f"This game has had its {PAUSES / 60:.0f} minutes of pauses.")
        return Decision([Paused(self.paused, round(self.spent, 3))], memory.seq + 1)


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


class PointTo(msgspec.Struct, frozen=True):
    """Say where those who sit here play again."""

    table: str
    by: str = ""

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        return Decision([] if memory.lobby.rematch else [Rematched(self.table, self.by)])


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
