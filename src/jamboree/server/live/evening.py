"""An evening of a party: its score over all games, and who has a seat in the next one."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, TypeVar, cast

from msgspec.structs import replace

from jamboree.bots import Level, available_level
from jamboree.core.game import AnyGame, Outcome

from ..protocol.terms import EveningGame, Seating, Status
from ..tokens import source
from .roster import Roster, SeatedBot
from .state import TableState

T = TypeVar("T")
MOST_GAMES = 50  # that a party takes along; every table of it stores them, and every frame about the table has them


def games_of(state: TableState) -> list[EveningGame]:
    """The finished games of a party, this one included."""
    roster = state.roster
    outcome = state.outcome if roster.party and roster.status == Status.FINISHED else None
    return [*roster.evening, _result(roster, outcome)] if outcome else roster.evening


def _result(roster: Roster, outcome: Outcome) -> EveningGame:
    points = {key: points_of(outcome, person.seat) for key, person in roster.people.items() if person.seat is not None}
    watched = [key for key, person in roster.people.items() if person.seat is None and not person.gone]
    return EveningGame(roster.game, roster.seats, points, watched)


def points_of(outcome: Outcome, seat: int) -> int:
    """How many seats a seat has beaten; winning a tie on points counts, an unbroken tie does not."""
    standing = [(other in outcome.winners, score) for other, score in enumerate(outcome.scores)]
    return sum(standing[seat] > other for other in standing)


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
    roster: Roster,
    game: AnyGame,
    here: Collection[str],
    watching: Collection[str] = (),
    seating: Seating = Seating.SAME,
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
            seat: _for_game(roster.bots[before], game)
            for seat, (before, key) in enumerate(order)
            if before is not None and not key
        },
        avatars=_avatars(roster, [before for before, _ in order]) if same_game else {},
    )


def _avatars(roster: Roster, before: Sequence[int | None]) -> dict[int, int]:
    """The avatars by new seat: people who had one keep it, the others get free ones."""
    own = {seat: roster.avatars.of(old) for seat, old in enumerate(before) if old is not None}
    free = iter(avatar for avatar in range(len(before) + roster.seats) if avatar not in own.values())
    return {seat: own[seat] if seat in own else next(free) for seat in range(len(before))}


def _for_game(bot: SeatedBot, game: AnyGame) -> SeatedBot:
    return SeatedBot(available_level(game, cast(Level, bot.level)), bot.name)


def _turned(before: list[T], seating: Seating) -> list[T]:
    """Who sits where: everyone moves up by one seat, or is shuffled."""
    if seating == Seating.ROTATED:
        return [*before[-1:], *before[:-1]]
    if seating == Seating.SHUFFLED:
        before = [*before]
        source().shuffle(before)
    return before
