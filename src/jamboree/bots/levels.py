"""How well a bot plays, by words that mean the same in every game."""

from typing import Literal, get_args

from jamboree.core.game import AnyGame
from jamboree.core.play import Player

from .budget import Budget
from .champion import Champion, has_network
from .deciding import Bot, Instinct, Seated
from .random_bot import RandomBot
from .rookie import Rookie
from .search import Searcher, can_search, manners

Level = Literal["rookie", "regular", "sharp", "star", "champion"]
LEVELS: tuple[Level, ...] = get_args(Level)
SEARCHING: tuple[Level, ...] = ("sharp", "star", "champion")

FAVOURITES = ("guest", "greedy")  # what a game calls a player that sits among people, or else its best one


def levels(game: AnyGame) -> tuple[Level, ...]:
    """List the levels a game has here: those that search need a fast twin of it, the champion what it has learnt."""
    lacking: set[Level] = set() if can_search(game) else set(SEARCHING)
    if not has_network(game.info.key):
        lacking.add("champion")
    return tuple(level for level in LEVELS if level not in lacking)


def thinks(game: AnyGame) -> bool:
    """Tell whether a game brings along a player; without one, every level plays at random."""
    return any(name in game.bots() for name in FAVOURITES)


def existing(game: AnyGame, level: Level) -> Level:
    """Give a level, or the best one below it that a game has here."""
    there = levels(game)
    return next(each for each in reversed(LEVELS[: LEVELS.index(level) + 1]) if each in there)


def bot(game: AnyGame, level: Level, seed: int | None = None, patient: bool = True) -> Bot:
    """Make a bot of a level; without players of its own a game has random ones. One that is not patient plays by
    instinct while what it searches with is being compiled."""
    level, first = existing(game, level), instinct(game, seed)
    if level == "rookie":
        return Rookie(game, first, seed)
    if level not in SEARCHING:
        return first
    searching = Champion if level == "champion" else Searcher
    return searching(game.info.key, first, seed, manners(game.info.key)[level], patient)


def instinct(game: AnyGame, seed: int | None = None) -> Instinct:
    """Make what a game's own player would do at once."""
    own = game.bots()
    return Instinct(next((own[name] for name in FAVOURITES if name in own), RandomBot)(seed))


def budget_of(game: AnyGame, level: Level) -> Budget:
    """Give what a level may think about a move."""
    level = existing(game, level)
    return manners(game.info.key)[level].budget if level in SEARCHING else Budget()


def player(game: AnyGame, level: Level, seed: int | None = None, seconds: float | None = None) -> Player:
    """Seat a bot of a level, with what it may think about a move; `seconds` is the most that takes."""
    budget = budget_of(game, level)
    return Seated(bot(game, level, seed), budget if seconds is None else budget.within(seconds))
