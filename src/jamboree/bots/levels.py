"""How well a bot plays, by words that mean the same in every game."""

from typing import Literal, get_args

from jamboree.core.game import AnyGame
from jamboree.core.play import Player

from .budget import Budget
from .champion import Champion, has_network
from .deciding import Bot, Instinct, Seated
from .random_bot import RandomBot
from .rookie import Rookie
from .search import Searcher, can_search

Level = Literal["rookie", "regular", "sharp", "star", "champion"]
LEVELS: tuple[Level, ...] = get_args(Level)
SEARCHING: dict[Level, Budget] = {
    "sharp": Budget(playouts=60),
    "star": Budget(playouts=2400),
    "champion": Budget(playouts=2400),
}

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
    own = game.bots()
    instinct = Instinct(next((own[name] for name in FAVOURITES if name in own), RandomBot)(seed))
    level = existing(game, level)
    if level == "rookie":
        return Rookie(game, instinct, seed)
    if level not in SEARCHING:
        return instinct
    searching = Champion if level == "champion" else Searcher
    return searching(game.info.key, instinct, seed, patient=patient)


def budget_of(level: Level) -> Budget:
    """Give what a level may think about a move."""
    return SEARCHING.get(level, Budget())


def player(game: AnyGame, level: Level, seed: int | None = None, seconds: float | None = None) -> Player:
    """Seat a bot of a level, with what it may think about a move; `seconds` is the most that takes."""
    budget = budget_of(level)
    return Seated(bot(game, level, seed), budget if seconds is None else budget.within(seconds))
