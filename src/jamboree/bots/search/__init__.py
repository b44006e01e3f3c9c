"""Monte Carlo search: sequential halving over common random numbers, with determinizations of the player's view."""

from .compilation import (
    COMPILE_COMMAND,
    await_ready,
    can_search,
    disable_search,
    is_compiled,
    is_ready,
    is_searchable,
    load_loops,
)
from .search_settings import SearchSettings, search_settings
from .searcher import Searcher

__all__ = [
    "COMPILE_COMMAND",
    "SearchSettings",
    "Searcher",
    "await_ready",
    "can_search",
    "disable_search",
    "is_compiled",
    "is_ready",
    "is_searchable",
    "load_loops",
    "search_settings",
]
