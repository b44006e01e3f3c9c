"""Who sits where: bots by name, and perhaps one person."""

import random
from collections.abc import Sequence
from typing import Any

from jamboree.bots import LEVELS, SEARCHING, Level, Seated, bot, budget_of, character, is_own, maker
from jamboree.bots.search import await_ready, is_ready
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import Player
from jamboree.core.words import clean

from ..language import CATALOGUE

USUAL: Level = "regular"
LOADING = 10.0  # seconds that a move may wait for compiled code to be loaded; compiling takes longer
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
    named: list[str] = asked.split(",") if asked else [USUAL]
    for name in named:
        maker(game, name)
    if len(named) not in (1, count):
        raise JamboreeError(f"--bots names {len(named)} bots, but there are seats for {count}; name one, or all.")
    return named * count if len(named) == 1 else named


class WarmingUp(Seated):
    """A searching bot that plays like Regular until what it searches with is compiled."""

    plays_without = False  # whether it had to

    def __init__(self, game: AnyGame, level: Level, seed: int) -> None:
        super().__init__(bot(game, level, seed, patient=False), budget_of(game, level))
        self.game = game

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        self._warm_up(offers)
        return super().choose(view, offers)

    def in_time(self, view: Any, offers: Sequence[Offer[Any]], left: float) -> Any:
        self._warm_up(offers)
        return super().in_time(view, offers, left)

    def _warm_up(self, offers: Sequence[Offer[Any]]) -> None:
        if len(offers) > 1 and not await_ready(self.game, LOADING):
            self.plays_without = True


def make_bots(game: AnyGame, names: Sequence[str], seed: int, wait: bool = True) -> list[Player]:
    """Make bots whose luck has nothing to do with the luck of the game. Without `wait` none waits for a compiler."""
    rng = random.Random(f"bots {seed}")
    return [_make_bot(game, name, rng.getrandbits(64), wait) for name in names]


def _make_bot(game: AnyGame, name: str, seed: int, wait: bool) -> Player:
    level = next((level for level in SEARCHING if level == name), None)
    return maker(game, name)(seed) if wait or level is None else WarmingUp(game, level, seed)


def get_going(players: Sequence[Player]) -> None:
    """Have what bots search with loaded or compiled in the background, before the first of them moves."""
    for each in players:
        if isinstance(each, WarmingUp):
            is_ready(each.game.info.key)


def label(bot: str, seat: int, lang: str) -> str:
    """Call a bot by its level, as at a table, or by its class."""
    level = next((level for level in LEVELS if level == bot), None)
    name = character(level, lang).level if level else bot.rpartition(":")[2] if is_own(bot) else bot.capitalize()
    return f"{name[:LONGEST_NAME]} {seat + 1}"
