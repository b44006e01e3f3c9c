"""Bots: the levels that every game has, the bots of single games, and custom classes."""

from .budget import Budget
from .characters import Character, character
from .factories import BotFactory, bot_factories, bot_factory, check_numba, is_class_name
from .interface import Bot, BotPlayer, PlayerBot, think
from .levels import LEVELS, SEARCHING, Level, available_level, bot, budget_of, has_base_bot, levels, player
from .random_bot import RandomBot

__all__ = [
    "LEVELS",
    "SEARCHING",
    "Bot",
    "BotFactory",
    "BotPlayer",
    "Budget",
    "Character",
    "Level",
    "PlayerBot",
    "RandomBot",
    "available_level",
    "bot",
    "bot_factories",
    "bot_factory",
    "budget_of",
    "character",
    "check_numba",
    "has_base_bot",
    "is_class_name",
    "levels",
    "player",
    "think",
]
