"""The first records of a table: opened from nothing, as another game of the same people, for a lesson or as a fork."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple, TypeVar, cast

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
from ..protocol.terms import EveningGame, HouseRules, Seating, Spectators, TableSettings
from ..protocol.wire import encode
from ..store import Record
from ..tokens import new_id, source
from . import records
from .commands.base import Context
from .commands.host import seated
from .commands.joining import Join, Ticket
from .commands.lesson import lesson_record
from .records import AnyRecord, ChatLine, Circle, Forked, Opened
from .replay import journal_of
from .roster import Roster, SeatedBot
from .state import TableState

T = TypeVar("T")
MOST_GAMES = 50  # that a party takes along; every table of it stores them, and every frame about the table has them


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
    others = [records.BotSeated(int(seat), "rookie", called) for seat, called in common.others.items()]
    joined = Join(name, common.learner).decide(Context(state))
    began = records.Started(luck.take_picks(), state_hash(position))
    access = records.AccessSet(locked=True, spectators=Spectators.NOBODY)
    return [opened, *others, *joined.records, access, began, lesson_record(state, number, kind)], joined.answer


def seat_bots(state: TableState, bots: Mapping[int, Level]) -> list[AnyRecord]:
    sitting: list[AnyRecord] = []
    for seat, level in bots.items():
        if not 0 <= seat < state.roster.seats:
            raise Refused("taken", "There is no such seat.")
        sitting.append(seated(state.roster, seat, available_level(state.game, level)))
        state.fold(sitting[-1])
    return sitting


def carried_over(games: Sequence[EveningGame], ids: Mapping[str, str]) -> list[EveningGame]:
    """The last games, with the ids that people have at the next table; those who do not come along are left out."""
    return [
        replace(
            game,
            points={ids[key]: points for key, points in game.points.items() if key in ids},
            watched=[ids[key] for key in game.watched if key in ids],
        )
        for game in games[-MOST_GAMES:]
    ]


class Lineup(NamedTuple):
    """Who comes along to another game, and where they sit."""

    seats: int
    people: dict[str, int | None]  # by person: the seat; None: to watch
    bots: dict[int, SeatedBot]
    avatars: dict[int, int]  # by seat


def same_seats(roster: Roster, person: str, seating: Seating) -> Lineup:
    """The players of a game, and the requesting person."""
    new = _turned(list(range(roster.seats)), seating)
    seat_in = {old: seat for seat, old in enumerate(new)}
    people = {
        key: None if each.seat is None else seat_in[each.seat]
        for key, each in roster.people.items()
        if key == person or each.plays
    }
    bots = {seat_in[seat]: bot for seat, bot in roster.bots.items()}
    return Lineup(roster.seats, people, bots, {seat: roster.avatars.of(old) for old, seat in seat_in.items()})


def everybody(
    roster: Roster, game: AnyGame, here: Collection[str], watching: Collection[str], seating: Seating
) -> Lineup:
    """The people of a party, in another game or the same one.

    Whoever watched is first in line for a seat; then come the players and at last the bots, each in their order. Those
    in `watching` get no seat.
    """
    least, most = game.info.seats
    waiting = [key for key, each in roster.people.items() if each.seat is None and not each.gone and key in here]
    players = sorted(roster.players(), key=lambda key: roster.people[key].seat or 0)
    in_line = [key for key in (*waiting, *players) if key not in watching]
    chosen = in_line[:most]
    bots = sorted(roster.bots)[: most - len(chosen)]
    old = [(roster.people[key].seat or 0, key) for key in chosen if key in players] + [(seat, "") for seat in bots]
    order = _turned([*sorted(old), *((None, key) for key in chosen if key in waiting)], seating)
    seated = {key: seat for seat, (_, key) in enumerate(order) if key}
    same_game = game.info.key == roster.game
    return Lineup(
        seats=max(least, len(order)),
        people=seated | {key: None for key in (*waiting, *players) if key not in seated},
        bots={
            seat: SeatedBot(available_level(game, cast(Level, roster.bots[before].level)), roster.bots[before].name)
            for seat, (before, key) in enumerate(order)
            if before is not None and not key
        },
        avatars=_kept_avatars(roster, [before for before, _ in order]) if same_game else {},
    )


def _kept_avatars(roster: Roster, before: Sequence[int | None]) -> dict[int, int]:
    """The avatars by new seat: people who had one keep it, the others get free ones."""
    own = {seat: roster.avatars.of(old) for seat, old in enumerate(before) if old is not None}
    free = iter(avatar for avatar in range(len(before) + roster.seats) if avatar not in own.values())
    return {seat: own[seat] if seat in own else next(free) for seat in range(len(before))}


def _turned(before: list[T], seating: Seating) -> list[T]:
    """Who sits where: everyone moves up by one seat, or is shuffled."""
    if seating == Seating.ROTATED:
        return [*before[-1:], *before[:-1]]
    if seating == Seating.SHUFFLED:
        before = [*before]
        source().shuffle(before)
    return before


class NextGame:
    """The records of another game: people, bots, avatars and the host's choices. The requesting person becomes host."""

    def __init__(self, roster: Roster, person: str, lineup: Lineup, evening: Sequence[EveningGame] = ()) -> None:
        self.roster, self.person, self.lineup, self.evening = roster, person, lineup, evening
        seats = {key: -1 if seat is None else seat for key, seat in lineup.people.items()}
        coming = sorted(lineup.people, key=seats.__getitem__)
        self.keys = {key: f"p{at}" for at, key in enumerate(coming, 1)}  # new ids, by old id

    def first_records(self) -> list[AnyRecord]:
        roster, lineup, new_host = self.roster, self.lineup, self.keys[self.person]
        return [
            *(records.BotSeated(seat, bot.level, bot.name) for seat, bot in lineup.bots.items()),
            *map(self._joined, self.keys),
            *_taken(lineup.avatars),
            records.HostPassed(new_host),
            *(records.Banned(ban.tokens, ban.name) for ban in roster.bans.values()),
            *(records.Muted(new, True) for key, new in self.keys.items() if roster.people[key].muted),
            records.AccessSet(roster.locked, roster.spectators, roster.latecomers),
            records.PaceSet(roster.pace),
            *([records.EveningContinued(carried_over(self.evening, self.keys))] if self.evening else []),
        ]

    def talk(self, lines: Iterable[ChatLine]) -> list[str]:
        """The public chat of the people who come along, and of bots."""
        said = [line for line in lines if line.circle == Circle.ALL and (line.bot or line.person in self.keys)]
        there = [replace(line, id=new_id(), person=self.keys.get(line.person, "")) for line in said]
        return [encode(line).decode() for line in there]

    def _joined(self, key: str) -> records.Joined:
        each, seat = self.roster.people[key], self.lineup.people[key]
        return records.Joined(self.keys[key], seat, each.tokens, each.name, invited=key != self.person)


def avatar_records(roster: Roster) -> list[records.AvatarTaken]:
    return _taken({seat: roster.avatars.of(seat) for seat in range(roster.seats)})


def _taken(avatars: Mapping[int, int]) -> list[records.AvatarTaken]:
    return [records.AvatarTaken(seat, avatar) for seat, avatar in sorted(avatars.items()) if avatar != seat]


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
