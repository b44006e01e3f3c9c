"""Players that are no people: one for every game, those a game brings along, and the levels people choose from."""

from collections.abc import Callable, Mapping
from functools import partial

from jamboree.core.game import AnyGame
from jamboree.core.play import Player

from .budget import Budget
from .characters import Character, character
from .deciding import Bot
from .levels import LEVELS, Level, bot, budget_of, existing, levels, player
from .random_bot import RandomBot

__all__ = [
    "LEVELS",
    "Bot",
    "Budget",
    "Character",
    "Level",
    "Maker",
    "RandomBot",
    "bot",
    "budget_of",
    "character",
    "existing",
    "levels",
    "player",
    "roster",
]

Maker = Callable[[int | None], Player]
"""Makes a player; the same seed makes one that plays the same."""


def roster(game: AnyGame) -> Mapping[str, Maker]:
    """Name every bot that can play a game: by level, by the game's own name for it, or random."""
    return {**{level: partial(player, game, level) for level in levels(game)}, "random": RandomBot, **game.bots()}
