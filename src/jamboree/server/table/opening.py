"""How a table begins: set up from nothing, or like one there was."""

from collections.abc import Mapping
from typing import Any

import msgspec

from jamboree.bots import Level, existing
from jamboree.core.chance import Chance, Recorded, Seeded
from jamboree.core.errors import BadOptions
from jamboree.core.game import AnyGame, Nature
from jamboree.core.journal import state_hash
from jamboree.core.learning import course_of

from ..commands.bot_seats import seated
from ..commands.command import Join, Ticket
from ..commands.lessons import laid_for
from ..errors import Refused
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.people import Person
from ..memory.records import (
    AccessSet,
    AnyRecord,
    Banned,
    BotSeated,
    HostPassed,
    Joined,
    LookTaken,
    Opened,
    PaceSet,
    Started,
)
from ..offload import Offload
from ..protocol.terms import Consent, HouseRules, Spectators


async def opened_as(
    offload: Offload,
    game: AnyGame,
    seats: int,
    options: dict[str, Any],
    listed: bool,
    seconds: int | None = None,
    consent: Consent = Consent.EVERYBODY,
    house: HouseRules | None = None,
    party: bool = False,
) -> Opened:
    """Check that a game can be played like this by setting it up for nobody."""
    typed, runs = await offload.set_up(game.info.key, lambda: _tried(game, seats, options, seconds))
    info, fields = game.info, msgspec.to_builtins(typed)
    return Opened(info.key, info.rules_version, seats, fields, listed, seconds, consent, house or _usual(runs), party)


async def like(offload: Offload, lobby: Lobby, game: AnyGame) -> Opened:
    """Open another table that is set up like one there was."""
    chosen = (lobby.listed, lobby.seconds, lobby.consent, lobby.house, lobby.party)
    return await opened_as(offload, game, lobby.seats, lobby.options, *chosen)


async def for_party(offload: Offload, game: AnyGame, seats: int | None, options: dict[str, Any]) -> Opened:
    """Open a table for a big screen: nobody finds it who does not see its code."""
    info = game.info
    return await opened_as(
        offload, game, info.seats[1] if seats is None else seats, {**info.party, **options}, False, party=True
    )


def for_lessons(game: AnyGame, name: str, number: int) -> tuple[list[AnyRecord], Ticket]:
    """Open a table for one who learns: nobody else finds it, comes in or looks on."""
    course = course_of(game)
    if course is None:
        raise Refused("no-lesson", "There are no lessons for this game.")
    common, luck = course.common, Recorded(Seeded(0))
    options = msgspec.convert(common.options, game.info.options)
    state = game.setup(common.seats, options, luck)
    fields = msgspec.to_builtins(options)
    opened = Opened(game.info.key, game.info.rules_version, common.seats, fields, False, house=HouseRules(wait=None))
    memory = Memory(game, Lobby.opened(opened), seq=1)
    others = [BotSeated(int(seat), "rookie", called) for seat, called in common.others.items()]
    joined = Join(name, common.learner).decide(memory, Chance())
    began = Started(luck.handed_over(), state_hash(state))
    access = AccessSet(locked=True, spectators=Spectators.NOBODY)
    return [opened, *others, *joined.records, access, began, laid_for(memory, number)], joined.answer


def _usual(clock_runs: bool) -> HouseRules:
    """Wait longer for people where no clock does."""
    return HouseRules(wait=30 if clock_runs else 120)


def seat_bots(nobody_there: Memory, bots: Mapping[int, Level]) -> list[AnyRecord]:
    """Have bots sit down at a table that is not open yet."""
    sitting: list[AnyRecord] = []
    for seat, level in bots.items():
        if not 0 <= seat < nobody_there.lobby.seats:
            raise Refused("taken", "There is no such seat.")
        sitting.append(seated(nobody_there.lobby, seat, existing(nobody_there.game, level)))
        nobody_there.fold(sitting[-1])
    return sitting


def rematched(lobby: Lobby, person: str) -> list[AnyRecord]:
    """Bring those who sit at a table to another one, where the person who asks is host; the host's choices go along."""
    bots = [BotSeated(seat, bot.level, bot.name) for seat, bot in lobby.bots.items()]
    people = [each for key, each in lobby.people.items() if (each.seat is not None and not each.gone) or key == person]
    people.sort(key=_seat)
    joined = [
        Joined(f"p{at}", each.seat, each.tokens, each.name, invited=each is not lobby.people[person])
        for at, each in enumerate(people, 1)
    ]
    banned = [Banned(ban.tokens, ban.name) for ban in lobby.bans.values()]
    host = HostPassed(f"p{people.index(lobby.people[person]) + 1}")
    chosen: list[AnyRecord] = [AccessSet(lobby.locked, lobby.spectators, lobby.latecomers), PaceSet(lobby.pace)]
    return [*bots, *joined, *looks_of(lobby), host, *banned, *chosen]


def looks_of(lobby: Lobby) -> list[AnyRecord]:
    """Bring along what the seats of another table look like."""
    return [LookTaken(seat, lobby.looks.of(seat)) for seat in range(lobby.seats) if lobby.looks.of(seat) != seat]


def _tried(game: AnyGame, seats: int, options: dict[str, Any], seconds: int | None) -> tuple[Any, bool]:
    """Set a game up for nobody; give the options as the game reads them, and whether a clock runs."""
    try:
        typed = msgspec.convert(options, game.info.options)
        state = game.setup(seats, typed, Seeded(0))
    except (BadOptions, msgspec.ValidationError) as error:
        raise Refused("bad-options", f"The game can't be set up like this: {error}.") from None
    if seconds and _has_clock(game):
        raise Refused("bad-options", "This game has a clock of its own, so its decisions are not timed.")
    return typed, bool(seconds) or Nature.CLOCK in game.to_act(state)


def _has_clock(game: AnyGame) -> bool:
    """Tell whether a game can be played in real time, by its own rules."""
    seats = game.info.seats[0]
    return any(Nature.CLOCK in game.to_act(game.setup(seats, sample, Seeded(0))) for sample in game.info.samples)


def _seat(person: Person) -> int:
    return -1 if person.seat is None else person.seat
