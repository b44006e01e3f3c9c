"""A player that looks ahead: what is worth a thought is tried in many positions that fit what the player sees."""

from .manner import Manner, manners
from .ready import COMMAND, await_ready, can_search, get_ready, give_up, is_compiled, is_ready, is_searchable
from .searcher import Searcher

__all__ = [
    "COMMAND",
    "Manner",
    "Searcher",
    "await_ready",
    "can_search",
    "get_ready",
    "give_up",
    "is_compiled",
    "is_ready",
    "is_searchable",
    "manners",
]
