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
    search_elsewhere,
)
from .findings import Findings
from .native import NativeSearch
from .request import SEED_BITS, SearchRequest, request_of_state, request_of_view
from .search_bot import SearchBot
from .search_settings import SearchSettings, search_settings
from .tasks import Run, Shortlist, Task, Thinking, carry_out, searching

__all__ = [
    "COMPILE_COMMAND",
    "SEED_BITS",
    "Findings",
    "NativeSearch",
    "Run",
    "SearchBot",
    "SearchRequest",
    "SearchSettings",
    "Shortlist",
    "Task",
    "Thinking",
    "await_ready",
    "can_search",
    "carry_out",
    "disable_search",
    "is_compiled",
    "is_ready",
    "is_searchable",
    "load_loops",
    "request_of_state",
    "request_of_view",
    "search_elsewhere",
    "search_settings",
    "searching",
]
