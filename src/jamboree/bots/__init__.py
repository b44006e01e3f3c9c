"""Players that are no people: one for every game, and those a game brings along."""

from collections.abc import Callable, Mapping

from jamboree.core.game import AnyGame
from jamboree.core.play import Player

from .levels import LEVELS, Level, player
from .random_bot import RandomBot

__all__ = ["LEVELS", "Level", "Maker", "RandomBot", "player", "roster"]

Maker = Callable[[int | None], Player]
"""Makes a player; the same seed makes one that plays the same."""


def roster(game: AnyGame) -> Mapping[str, Maker]:
    """Name every bot that can play a game."""
    return {"random": RandomBot, **game.bots()}
