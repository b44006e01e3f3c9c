"""Who sits where: bots by name, and perhaps one person."""

import random
from collections.abc import Mapping, Sequence

from jamboree.bots import Maker, roster
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.play import Player

from ..show import clean

FAVOURITES = ("greedy", "random")
LONGEST_NAME = 20


def own_seat(wanted: int | None, seats: int, seed: int) -> int:
    """Give the seat a person asked for, counted from 1, or any."""
    if wanted is None:
        return random.Random(f"seat {seed}").randrange(seats)
    if not 1 <= wanted <= seats:
        raise JamboreeError(f"There is no seat {wanted} at a table of {seats}.")
    return wanted - 1


def own_name(name: str) -> str:
    kept = clean(name.strip())[:LONGEST_NAME]
    if not kept:
        raise JamboreeError("A player needs a name.")
    return kept


def bot_names(game: AnyGame, asked: str | None, count: int) -> list[str]:
    """Read `--bots`: one name for all bots, or one for each."""
    known = roster(game)
    named = asked.split(",") if asked else [_favourite(known)]
    for name in named:
        if name not in known:
            raise JamboreeError(f"{game.info.title} has no bot called {name!r}; it has: {', '.join(known)}.")
    if len(named) not in (1, count):
        raise JamboreeError(f"--bots names {len(named)} bots, but there are seats for {count}; name one, or all.")
    return named * count if len(named) == 1 else named


def _favourite(known: Mapping[str, Maker]) -> str:
    return next((name for name in FAVOURITES if name in known), next(iter(known)))


def make_bots(game: AnyGame, names: Sequence[str], seed: int) -> list[Player]:
    """Make bots whose luck has nothing to do with the luck of the game."""
    makers, rng = roster(game), random.Random(f"bots {seed}")
    return [makers[name](rng.getrandbits(64)) for name in names]


def label(bot: str, seat: int) -> str:
    return f"{bot.capitalize()} {seat + 1}"
