"""Who sits where: bots by name, and perhaps one person."""

import random
from collections.abc import Sequence

from jamboree.bots import LEVELS, character, is_own, maker
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.play import Player
from jamboree.core.words import clean

from ..language import CATALOGUE

USUAL = "regular"
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


def people_names(people: int, names: str | None, lang: str) -> list[str]:
    """Name the people at one terminal: as `--name` has them, separated by commas, or by their numbers."""
    named = names.split(",") if names else [CATALOGUE.say(lang, "player", number=at + 1) for at in range(people)]
    if len(named) != people:
        raise JamboreeError(f"--name has {len(named)} names, but there are {people} people; name all, or nobody.")
    if len({name.strip().casefold() for name in named}) != people:
        raise JamboreeError("Two people with the same name could not tell whose turn it is.")
    return [own_name(name) for name in named]


def bot_names(game: AnyGame, asked: str | None, count: int) -> list[str]:
    """Read `--bots`: one name for all bots, or one for each."""
    named = asked.split(",") if asked else [USUAL]
    for name in named:
        maker(game, name)
    if len(named) not in (1, count):
        raise JamboreeError(f"--bots names {len(named)} bots, but there are seats for {count}; name one, or all.")
    return named * count if len(named) == 1 else named


def make_bots(game: AnyGame, names: Sequence[str], seed: int) -> list[Player]:
    """Make bots whose luck has nothing to do with the luck of the game."""
    rng = random.Random(f"bots {seed}")
    return [maker(game, name)(rng.getrandbits(64)) for name in names]


def label(bot: str, seat: int, lang: str) -> str:
    """Call a bot by its level, as at a table, or by its class."""
    level = next((level for level in LEVELS if level == bot), None)
    name = character(level, lang).level if level else bot.rpartition(":")[2] if is_own(bot) else bot.capitalize()
    return f"{name[:LONGEST_NAME]} {seat + 1}"
