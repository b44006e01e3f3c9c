"""Levels: the strength of a bot, in words that mean the same in every game."""

from typing import Literal, get_args

from jamboree.core.game import AnyGame
from jamboree.core.play import Player

from .budget import Budget
from .champion import Champion, has_network
from .interface import Bot, BotPlayer, PlayerBot, ReplyingBot
from .random_bot import RandomBot
from .rookie import Rookie
from .search import SearchBot, can_search, search_settings

Level = Literal["rookie", "regular", "sharp", "star", "champion"]
LEVELS: tuple[Level, ...] = get_args(Level)
SEARCHING: tuple[Level, ...] = ("sharp", "star", "champion")

BASE_BOTS = ("guest", "greedy")  # names of a game's bots: one that plays among people, or else its best


def levels(game: AnyGame) -> tuple[Level, ...]:
    """Return the levels that are available here: those that search need a twin, the champion a trained network."""
    lacking: set[Level] = set() if can_search(game) else set(SEARCHING)
    if not has_network(game.info.key):
        lacking.add("champion")
    return tuple(level for level in LEVELS if level not in lacking)


def has_base_bot(game: AnyGame) -> bool:
    """Return whether a game has a bot of its own; without one, every level plays at random."""
    return any(name in game.bots() for name in BASE_BOTS)


def available_level(game: AnyGame, level: Level) -> Level:
    """Return a level, or the highest available one below it."""
    available = levels(game)
    return next(each for each in reversed(LEVELS[: LEVELS.index(level) + 1]) if each in available)


def bot(game: AnyGame, level: Level, seed: int | None = None, patient: bool = True) -> Bot:
    """Make a bot of a level. If it is not patient, the base bot plays until the game's twin is compiled."""
    own, replier = _deciding_bot(game, available_level(game, level), seed, patient), game.replier(seed)
    return ReplyingBot(replier, own) if replier else own


def _deciding_bot(game: AnyGame, level: Level, seed: int | None, patient: bool) -> Bot:
    base = base_bot(game, seed)
    if level == "rookie":
        return Rookie(game, base, seed)
    if level not in SEARCHING:
        return base
    searching = Champion if level == "champion" else SearchBot
    return searching(game.info.key, base, seed, search_settings(game.info.key)[level], patient)


def base_bot(game: AnyGame, seed: int | None = None) -> PlayerBot:
    """Make the game's own bot, which decides without a search; a random one if it has none."""
    own = game.bots()
    return PlayerBot(next((own[name] for name in BASE_BOTS if name in own), RandomBot)(seed))


def budget_of(game: AnyGame, level: Level) -> Budget:
    """Return the budget of a level for one decision."""
    level = available_level(game, level)
    return search_settings(game.info.key)[level].budget if level in SEARCHING else Budget()


def player(game: AnyGame, level: Level, seed: int | None = None, seconds: float | None = None) -> Player:
    """Make a player of a level, with the level's budget, limited to `seconds` for each decision."""
    budget = budget_of(game, level)
    return BotPlayer(bot(game, level, seed), budget if seconds is None else budget.within(seconds))
