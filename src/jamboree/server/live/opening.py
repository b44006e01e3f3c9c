"""The first records of a table: opened from nothing, as another game of the same people, for a lesson or as a fork."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

import msgspec
from msgspec.structs import replace

from jamboree.bots import Level, available_level
from jamboree.core.chance import Recorded, Seeded
from jamboree.core.errors import BadJournal, BadOptions
from jamboree.core.game import AnyGame, Nature
from jamboree.core.journal import state_hash, steps
from jamboree.core.learning import CourseKind, course_of
from jamboree.core.table_options import read_options

from ..errors import Refused
from ..offload import Offload
from ..protocol.terms import EveningGame, HouseRules, Spectators, TableSettings
from ..protocol.wire import encode
from ..store import Record
from ..tokens import new_id
from .commands.base import Context
from .commands.host import seated
from .commands.joining import Join, Ticket
from .commands.lesson import lesson_record
from .evening import Lineup, carried_over
from .records import (
    AccessSet,
    AnyRecord,
    AvatarTaken,
    Banned,
    BotSeated,
    ChatLine,
    Circle,
    EveningContinued,
    Forked,
    HostPassed,
    Joined,
    Muted,
    Opened,
    PaceSet,
    Started,
)
from .replay import journal_of
from .roster import Roster
from .state import TableState


def forked(history: Sequence[Record], table: str, step: int, game: AnyGame) -> Forked:
    """Copy a game up to a step, with its seeds."""
    journal = journal_of(history, table)
    try:
        then = next(islice(steps(journal, game), step, None), None) if step >= 0 else None
    except BadJournal:
        raise Refused("outdated", "The rules have changed since this game was played, so it can't be forked.") from None
    if then is None or game.outcome(then.state):
        raise Refused("no-step", f"This game can be forked after steps 0 to {len(journal.entries) - 1}.")
    parts = [part for part in journal.fairness if part.since <= step]
    return Forked(table, step, journal.setup, journal.entries[:step], parts, state_hash(then.state))


async def opened_with(offload: Offload, game: AnyGame, settings: TableSettings, party: bool = False) -> Opened:
    """Check settings by a trial setup, and complete the options and the house rules."""
    typed, clock_runs = await offload.set_up(game.info.key, lambda: _tried(game, settings))
    checked = settings.settings() | {
        "options": msgspec.to_builtins(typed),
        "house_rules": settings.house_rules or HouseRules(wait=30 if clock_runs else 120),
    }
    return Opened(game.info.key, game.info.rules_version, **checked, party=party)


async def for_next_game(offload: Offload, roster: Roster, game: AnyGame, seats: int) -> Opened:
    """The opening record of a party's next game: with the settings of this one if it is the same game and fits."""
    if game.info.key == roster.game:
        with suppress(Refused):  # a board, for example, that is not for so many players
            return await opened_with(offload, game, replace(roster, seats=seats), party=True)
    return await for_party(offload, game, seats, {})


async def for_party(offload: Offload, game: AnyGame, seats: int | None, options: dict[str, Any]) -> Opened:
    """The opening record of an unlisted table for a big screen."""
    info = game.info
    seats = info.seats[1] if seats is None else seats
    settings = TableSettings(seats=seats, options={**info.party, **options}, listed=False)
    return await opened_with(offload, game, settings, party=True)


def for_lessons(game: AnyGame, kind: CourseKind, name: str, number: int) -> tuple[list[AnyRecord], Ticket]:
    """The records of a private table with a lesson."""
    course = course_of(game, kind)
    if course is None:
        raise Refused("no-lesson", "There are no lessons of this kind for this game.")
    common, luck = course.common, Recorded(Seeded(0))
    options = read_options(game, common.options)
    position = game.setup(common.seats, options, luck)
    opened = Opened(
        game.info.key,
        game.info.rules_version,
        seats=common.seats,
        options=msgspec.to_builtins(options),
        listed=False,
        house_rules=HouseRules(wait=None),
    )
    state = TableState(game, Roster.opened(opened), seq=1)
    others = [BotSeated(int(seat), "rookie", called) for seat, called in common.others.items()]
    joined = Join(name, common.learner).decide(Context(state))
    began = Started(luck.take_picks(), state_hash(position))
    access = AccessSet(locked=True, spectators=Spectators.NOBODY)
    return [opened, *others, *joined.records, access, began, lesson_record(state, number, kind)], joined.answer


def seat_bots(state: TableState, bots: Mapping[int, Level]) -> list[AnyRecord]:
    """The records that seat bots at a new table."""
    sitting: list[AnyRecord] = []
    for seat, level in bots.items():
        if not 0 <= seat < state.roster.seats:
            raise Refused("taken", "There is no such seat.")
        sitting.append(seated(state.roster, seat, available_level(state.game, level)))
        state.fold(sitting[-1])
    return sitting


class NextGame:
    """The records of another game: people, bots, avatars and the host's choices. The requesting person becomes host."""

    def __init__(self, roster: Roster, person: str, lineup: Lineup, evening: Sequence[EveningGame] = ()) -> None:
        self.roster, self.person, self.lineup, self.evening = roster, person, lineup, evening
        coming = sorted(lineup.people, key=self._order)
        self.keys = {key: f"p{at}" for at, key in enumerate(coming, 1)}  # new ids, by old id

    def records(self) -> list[AnyRecord]:
        roster, lineup = self.roster, self.lineup
        bots = [BotSeated(seat, bot.level, bot.name) for seat, bot in lineup.bots.items()]
        banned = [Banned(ban.tokens, ban.name) for ban in roster.bans.values()]
        muted = [Muted(new, True) for key, new in self.keys.items() if roster.people[key].muted]
        chosen: list[AnyRecord] = [AccessSet(roster.locked, roster.spectators, roster.latecomers), PaceSet(roster.pace)]
        avatars = _taken(lineup.avatars)
        passed = HostPassed(self.keys[self.person])
        evening = [EveningContinued(carried_over(self.evening, self.keys))] if self.evening else []
        return [*bots, *map(self._joined, self.keys), *avatars, passed, *banned, *muted, *chosen, *evening]

    def talk(self, lines: Iterable[ChatLine]) -> list[str]:
        """The public chat of the people who come along, and of bots."""
        said = [line for line in lines if line.circle == Circle.ALL and (line.bot or line.person in self.keys)]
        there = [replace(line, id=new_id(), person=self.keys.get(line.person, "")) for line in said]
        return [encode(line).decode() for line in there]

    def _joined(self, key: str) -> Joined:
        each = self.roster.people[key]
        return Joined(self.keys[key], self.lineup.people[key], each.tokens, each.name, invited=key != self.person)

    def _order(self, key: str) -> int:
        seat = self.lineup.people[key]
        return -1 if seat is None else seat


def avatar_records(roster: Roster) -> list[AvatarTaken]:
    """The avatars of another table."""
    return _taken({seat: roster.avatars.of(seat) for seat in range(roster.seats)})


def _taken(avatars: Mapping[int, int]) -> list[AvatarTaken]:
    return [AvatarTaken(seat, avatar) for seat, avatar in sorted(avatars.items()) if avatar != seat]


def _tried(game: AnyGame, settings: TableSettings) -> tuple[Any, bool]:
    """Validate options by a trial setup; return them as the game reads them, and whether the game has a clock."""
    try:
        typed = read_options(game, settings.options)
    except BadOptions as error:
        raise Refused("bad-options", str(error)) from None
    try:
        state = game.setup(settings.seats, typed, Seeded(0))
    except BadOptions as error:
        raise Refused("bad-options", f"The game can't be set up like this: {error}.") from None
    if settings.seconds and _has_clock(game):
        raise Refused("bad-options", "This game has a clock of its own, so its decisions are not timed.")
    return typed, bool(settings.seconds) or Nature.CLOCK in game.to_act(state)


def _has_clock(game: AnyGame) -> bool:
    """Whether a game can be played in real time, by its own rules."""
    seats = game.info.seats[0]
    return any(Nature.CLOCK in game.to_act(game.setup(seats, sample, Seeded(0))) for sample in game.info.samples)
