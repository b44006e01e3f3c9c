"""Assigns seats and names to people and bots."""

import random
from collections.abc import Sequence
from typing import Any

from jamboree.bots import LEVELS, SEARCHING, BotPlayer, Level, bot, bot_factory, budget_of, character, is_class_name
from jamboree.bots.search import await_ready, is_ready
from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import Player
from jamboree.core.words import clean

from ..language import CATALOGUE

DEFAULT_LEVEL: Level = "regular"
LOADING_TIME = 10.0  # seconds that a move may wait for compiled code to load; compiling takes longer
MAX_NAME_LENGTH = 20


def own_seat(requested: int | None, seats: int, seed: int) -> int:
    """Return the index of the requested seat, which counts from 1, by default a random one."""
    if requested is None:
        return random.Random(f"seat {seed}").randrange(seats)
    if not 1 <= requested <= seats:
        raise JamboreeError(f"There is no seat {requested} at a table of {seats}.")
    return requested - 1


def own_name(name: str) -> str:
    name = clean(name.strip())[:MAX_NAME_LENGTH]
    if not name:
        raise JamboreeError("A player needs a name.")
    return name


def people_names(people: int, names: str | None, lang: str) -> list[str]:
    """Return the names of the people at one terminal: those in `--name`, separated by commas, or numbered ones."""
    named = names.split(",") if names else [CATALOGUE.say(lang, "player", number=at + 1) for at in range(people)]
    if len(named) != people:
        raise JamboreeError(f"--name has {len(named)} names for {people} people; give one for each, or none.")
    if len({name.strip().casefold() for name in named}) != people:
        raise JamboreeError("People at one terminal need different names.")
    return [own_name(name) for name in named]


def bot_names(game: AnyGame, names: str | None, count: int) -> list[str]:
    """Parse `--bots`: one name for all bots, or one for each."""
    named: list[str] = names.split(",") if names else [DEFAULT_LEVEL]
    for name in named:
        bot_factory(game, name)
    if len(named) not in (1, count):
        raise JamboreeError(f"--bots names {len(named)} bots for {count} seats; name one, or one for each seat.")
    return named * count if len(named) == 1 else named


class WarmingUpBot(BotPlayer):
    """A searching bot that plays like Regular until its compiled code is ready."""

    played_without_search = False

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
        if len(offers) > 1 and not await_ready(self.game, LOADING_TIME):
            self.played_without_search = True


def make_bots(game: AnyGame, names: Sequence[str], seed: int, wait: bool = True) -> list[Player]:
    """Create bots whose randomness is independent of the game's; without `wait` they don't wait for the compiler."""
    rng = random.Random(f"bots {seed}")
    return [_make_bot(game, name, rng.getrandbits(64), wait) for name in names]


def _make_bot(game: AnyGame, name: str, seed: int, wait: bool) -> Player:
    level = next((level for level in SEARCHING if level == name), None)
    return bot_factory(game, name)(seed) if wait or level is None else WarmingUpBot(game, level, seed)


def warm_up(players: Sequence[Player]) -> None:
    """Start loading or compiling the code of searching bots in the background."""
    for player in players:
        if isinstance(player, WarmingUpBot):
            is_ready(player.game.info.key)


def label(bot: str, seat: int, lang: str) -> str:
    """Name a bot by its level or class and its seat."""
    level = next((level for level in LEVELS if level == bot), None)
    name = character(level, lang).level if level else bot.rpartition(":")[2] if is_class_name(bot) else bot.capitalize()
    return f"{name[:MAX_NAME_LENGTH]} {seat + 1}"
