"""Commands of the host: set-up, bots, access, bans, mutes, pace and pauses.

A pause begins with the next turn or phase, so that it interrupts no one. The time for all pauses of a game is limited;
once it is used up, any player may continue the game, and it cannot be paused again. A pause never ends by itself,
because bots would then play for people who rely on it.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from msgspec.structs import replace

from jamboree.bots import LEVELS, Level, character, levels

from ...errors import Refused
from ...names import clean, distinct_name
from ...protocol.bodies import BanInfo
from ...protocol.terms import UNDER_WAY, BotPace, Number, Pause, Spectators, Status
from ...tokens import source
from .. import records
from ..records import AnyRecord, Arranged
from ..roster import Roster
from .base import Command, Context, Decision, HostCommand, Message, posted

CHARACTERS = {level: character(level).name for level in LEVELS}
NAMES = (files("jamboree.server") / "data" / "bot_names.txt").read_text(encoding="utf-8").split()


@posted("bots", "no-level", "started", "taken", tag="tables")
class SeatBot(HostCommand, frozen=True):
    """Seat a bot in a free seat before the game, or change its level; null removes it. For the host."""

    seat: Number
    level: Level | None  # None removes the bot

    def changes(self, ctx: Context) -> list[AnyRecord]:
        roster = ctx.roster
        if roster.status != Status.GATHERING:
            raise Refused("started", "Bots can only be seated before the game.")
        if not 0 <= self.seat < roster.seats or roster.person_at(self.seat):
            raise Refused("taken", "This seat is taken, or there is no such seat.")
        if self.level is None:
            return [records.BotRemoved(self.seat)] if self.seat in roster.bots else []
        if self.level not in (there := levels(ctx.state.game)):
            raise Refused("no-level", f"{ctx.state.game.info.title} has no such bot; it has: {', '.join(there)}.")
        return [seated(roster, self.seat, self.level)]


def seated(roster: Roster, seat: int, level: Level) -> records.BotSeated:
    """Seat a bot. One that is there already keeps its name, unless that belongs to another level's character."""
    before = roster.bots.get(seat)
    if before and (before.level == level or before.name not in CHARACTERS.values()):
        return records.BotSeated(seat, level, before.name)
    name, taken = CHARACTERS[level], roster.taken_names()
    if distinct_name(name, taken) != name:  # the character is at the table already
        free = [other for other in NAMES if distinct_name(other, taken) == other]
        name = distinct_name(source().choice(free or NAMES), taken)
    return records.BotSeated(seat, level, name)


class Arrange(HostCommand, frozen=True):
    """Change the settings. With fewer seats, bots are removed and people move up."""

    wanted: Arranged  # checked against the rules of the game
    named: frozenset[str]  # the fields to change; others may have changed since that check

    def changes(self, ctx: Context) -> list[AnyRecord]:
        roster = ctx.roster
        wanted = changed(roster, {name: getattr(self.wanted, name) for name in self.named})
        seats = wanted.seats
        check_gathering(roster)
        if roster.forked_from and (seats, wanted.options) != (roster.seats, roster.options):
            raise Refused("forked", "A forked game keeps its seats and options.")
        if wanted.first not in (None, roster.first) and not 0 <= (wanted.first or 0) < seats:
            raise Refused("taken", "There is no such seat.")
        leaving: list[AnyRecord] = [records.BotRemoved(seat) for seat in sorted(roster.bots) if seat >= seats]
        people = [key for key, person in roster.people.items() if person.seat is not None and person.seat >= seats]
        free = [seat for seat in roster.free_seats() if seat < seats]
        if len(people) > len(free):
            raise Refused("full", "More people sit at this table than it would have seats.")
        moving = [records.SeatChanged(key, seat) for key, seat in zip(people, free, strict=False)]
        first = wanted.first
        if first is not None and first >= seats:  # the right to begin follows a player who moves up
            first = next((each.seat for each in moving if roster.people[each.person].seat == first), None)
        return [*leaving, *moving, replace(wanted, first=first)]


def changed(roster: Roster, changes: Mapping[str, Any]) -> Arranged:
    return Arranged(**{name: changes.get(name, getattr(roster, name)) for name in Arranged.__struct_fields__})


def check_gathering(roster: Roster) -> None:
    if roster.status != Status.GATHERING:
        raise Refused("started", "A table can be set up differently only before its game.")


MOST_BANS = 64


@posted("access", "in-lesson")
class SetAccess(HostCommand, frozen=True):
    """Lock the table, and choose who may watch and who may still take a seat; for the host.

    Missing fields stay unchanged. `latecomers` says whether spectators may take the seats of bots during the game.
    """

    locked: bool | None = None
    spectators: Spectators | None = None
    latecomers: bool | None = None  # whether spectators may take the seats of bots during the game

    def changes(self, ctx: Context) -> list[AnyRecord]:
        roster = ctx.roster
        if roster.learning:
            raise Refused("in-lesson", "A lesson is for one person: no one else can join.")
        now = records.AccessSet(roster.locked, roster.spectators, roster.latecomers)
        chosen = {name: value for name in now.__struct_fields__ if (value := getattr(self, name)) is not None}
        wanted = replace(now, **chosen)
        return [] if wanted == now else [wanted]


@posted("pace", tag="tables")
class SetPace(HostCommand, frozen=True):
    """Set how long bots take for their moves (`relaxed`, `quick`, `instant`); for the host."""

    pace: BotPace

    def changes(self, ctx: Context) -> list[AnyRecord]:
        return [] if ctx.roster.pace == self.pace else [records.PaceSet(self.pace)]


@posted("remove", "unknown-person", "yourself")
class Remove(HostCommand, frozen=True):
    """Remove a person; for the host. During the game, a bot takes over the seat of a player."""

    person: str

    def changes(self, ctx: Context) -> list[AnyRecord]:
        ctx.present(self.person)
        if self.person == ctx.person:
            raise Refused("yourself", "You can't send yourself away; leave the table instead.")
        seat, removed = ctx.roster.people[self.person].seat, records.Removed(self.person)
        if ctx.roster.status in (Status.SEEDING, Status.PLAYING) and seat is not None:
            return [removed, seated(ctx.roster, seat, "regular")]
        return [removed]


@posted("ban", "full", "unknown-person", "yourself")
class Ban(Remove, frozen=True):
    """Remove a person and keep them from coming back; for the host."""

    def changes(self, ctx: Context) -> list[AnyRecord]:
        leaving = super().changes(ctx)
        if len(ctx.roster.bans) >= MOST_BANS:
            raise Refused("full", "This table has the maximum number of bans; lock it instead.")
        person = ctx.roster.people[self.person]
        return [records.Banned(list(person.tokens), person.name), *leaving]


@posted("unban", "unknown-person")
class LiftBan(HostCommand, frozen=True):
    """Lift a ban, by its number; for the host."""

    ban: int

    def changes(self, ctx: Context) -> list[AnyRecord]:
        if self.ban not in ctx.roster.bans:
            raise Refused("unknown-person", "There is no such ban.")
        return [records.BanLifted(self.ban)]


def bans(ctx: Context) -> list[BanInfo]:
    """The bans by their numbers; for the host."""
    ctx.host_only()
    return [BanInfo(number, ban.name) for number, ban in ctx.roster.bans.items()]


MAX_PAUSE_SECONDS = 1800.0  # seconds for all pauses of a game


class AskPause(Message, frozen=True, tag="pause"):
    """Pause or continue the game; for the host."""

    paused: bool = True

    def decide(self, ctx: Context) -> Decision:
        over = ctx.pause_spent >= MAX_PAUSE_SECONDS
        if over and not self.paused and ctx.person != ctx.roster.host:
            ctx.player()
        else:
            ctx.host_only()
        ctx.check_playing()
        if self.paused == (ctx.roster.paused != Pause.NO):
            return Decision([], ctx.state.seq)
        if self.paused and over:
            raise Refused("no-pause", f"This game has had its {MAX_PAUSE_SECONDS / 60:.0f} minutes of pauses.")
        return Decision([records.Paused(self.paused, round(ctx.pause_spent, 3))], ctx.state.seq + 1)


LONGEST_WHY = 200
HOST_GRACE = 60.0  # seconds a host may be away and stay host
REMOTE_GRACE = 30.0  # the same at a party, where a big screen waits for its remote control


@posted("host", "host-only", "unknown-person")
class PassHost(Command, frozen=True):
    """Make another person the host.

    A player may take over once the host has been away for a minute; at a party anybody may after half a minute.
    """

    person: str

    def decide(self, ctx: Context) -> Decision:
        ctx.present(self.person)
        party = ctx.roster.party
        taking_over = ctx.person == self.person and (party or ctx.roster.people[self.person].seat is not None)
        if not (taking_over and ctx.away_for(ctx.roster.host) >= (REMOTE_GRACE if party else HOST_GRACE)):
            ctx.host_only()
        return Decision([records.HostPassed(self.person)])


@posted("refuse-name", "unknown-person")
class RefuseName(HostCommand, frozen=True):
    """Rename a person to “Guest” and a number; for the host."""

    person: str

    def changes(self, ctx: Context) -> list[AnyRecord]:
        return [records.NameRefused(ctx.present(self.person))]


@posted("mute", "unknown-person")
class Mute(HostCommand, frozen=True):
    """Keep a person from chatting and changing their name, or allow it again; for the host."""

    person: str
    muted: bool = True

    def changes(self, ctx: Context) -> list[AnyRecord]:
        return [records.Muted(ctx.present(self.person), self.muted)]


class PointTo(Command, frozen=True):
    """Record the table of the rematch, or of a party's next game."""

    table: str
    by: str = ""

    def decide(self, ctx: Context) -> Decision:
        if ctx.roster.rematch:
            return Decision([])
        if ctx.roster.status in (Status.SEEDING, Status.PLAYING):  # it was started meanwhile
            raise Refused("not-finished", "The next game can begin when this one is over.")
        gone_on: list[AnyRecord] = [records.Rematched(self.table, self.by)]
        if ctx.roster.status == Status.GATHERING:  # a party that changed its mind about the game
            gone_on.append(records.Closed("The party plays another game."))
        return Decision(gone_on)


class OperatorClose(Command, frozen=True):
    """Close a table; for the operator."""

    why: str = ""

    def decide(self, ctx: Context) -> Decision:
        if ctx.roster.status not in UNDER_WAY:
            raise Refused("finished", "This table is already closed or finished.")
        said = clean(self.why, LONGEST_WHY)
        return Decision([records.Closed(said or "The operator of this server has closed the table.")])


class Expire(Command, frozen=True):
    """Close an abandoned table."""

    def decide(self, ctx: Context) -> Decision:
        waiting = ctx.roster.status in UNDER_WAY
        return Decision([records.Closed("Nobody came back to this table.")] if waiting else [])
