"""The bots of Bebop by name, all of them greedy players on the twin's decision function."""

import random
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Any

from jamboree.core.twin.greedy_player import Adapter, GreedyPlayer, RowFunctions

from .. import fast
from ..fast import layout as at
from ..rules.state import State
from ..visibility.restore import restore

MIXED_WEIGHTS = (0.2, 0.8)  # of a place next to stages, against certain points; the usual weight is 0.5
LONG_WORD = 1024  # bits, one for each hex; the largest map that can be drawn needs fewer than two such words


def functions(state: State) -> RowFunctions:
    large = len(state.ground.names) > at.MOST_HEXES
    return functions_of(load_with_long_words() if large else fast.__name__)


@cache
def functions_of(package: str) -> RowFunctions:
    layout, bridge, greedy = (import_module(f"{package}.{name}") for name in ("layout", "bridge", "greedy"))
    return RowFunctions(bridge.table_for, bridge.row_of, greedy.choose_greedily, layout.SCRATCH)


@cache
def load_with_long_words() -> str:
    """Import the twin's modules a second time, with words for boards that have more hexes than compiled rows hold.

    Integers of plain Python have no bound. Returns the name of the second package.
    """
    package, size = ModuleType(f"{fast.__name__}_long"), ModuleType(f"{fast.__name__}_long.size")
    package.__path__ = fast.__path__
    vars(size)["WORD"] = LONG_WORD
    sys.modules.update({package.__name__: package, size.__name__: size})
    return package.__name__


GREEDY = partial(GreedyPlayer, Adapter(restore, functions, actions=lambda state: state.ground.action_space.all))


def mixed(seed: int | None = None) -> GreedyPlayer:
    """Make a greedy player with a place weight of its own, so that the players of a table differ."""
    rng = random.Random(seed)
    weight = round(1000 * rng.uniform(*MIXED_WEIGHTS))
    return GREEDY(rng.getrandbits(64), set_weights=partial(set_place_weight, weight))


def set_place_weight(weight: int, table: list[int]) -> None:
    table[-1] = weight  # PLACE_WEIGHT, which comes last in every layout


BOTS: Mapping[str, Callable[[int | None], Any]] = {"greedy": GREEDY, "mixed": mixed}
