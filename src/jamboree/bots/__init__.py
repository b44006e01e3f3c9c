"""Players that are no people: one for every game, those a game brings along, and the levels people choose from."""

from .budget import Budget
from .characters import Character, character
from .deciding import Bot, Seated
from .finding import Maker, check_numba, is_own, maker, roster
from .levels import LEVELS, SEARCHING, Level, bot, budget_of, existing, levels, player, thinks
from .random_bot import RandomBot

__all__ = [
    "LEVELS",
    "SEARCHING",
    "Bot",
    "Budget",
    "Character",
    "Level",
    "Maker",
    "RandomBot",
    "Seated",
    "bot",
    "budget_of",
    "character",
    "check_numba",
    "existing",
    "is_own",
    "levels",
    "maker",
    "player",
    "roster",
    "thinks",
]
