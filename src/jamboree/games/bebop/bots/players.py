"""Players for this game, by name."""

import random
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Any

from jamboree.core.kernel.player import Decider, Rows, TwinPlayer

from .. import fast
from ..fast import layout as at
from ..rules.state import State
from ..seen.restore import restore

MIXED_WEIGHTS = (0.2, 0.8)  # of a place next to stages, against certain points; usually it is 0.5
LONG_WORD = 1024  # hexes; the largest map that can be drawn has fewer than twice as many


def rows(state: State) -> Rows:
    return rows_in(fast.__name__ if len(state.ground.names) <= at.MOST_HEXES else with_long_words())


@cache
def rows_in(package: str) -> Rows:
    layout, bridge, greedy = (import_module(f"{package}.{name}") for name in ("layout", "bridge", "greedy"))
    return Rows(bridge.table_for, bridge.row_of, greedy.choose_greedily, layout.SCRATCH)


@cache
def with_long_words() -> str:
    """Load the twin's modules once more, with words that plain Python can have and compiled code can't: for boards with
    more hexes than compiled rows have room for. Give the package they are in."""
    package, size = ModuleType(f"{fast.__name__}_long"), ModuleType(f"{fast.__name__}_long.size")
    package.__path__ = fast.__path__
    vars(size)["WORD"] = LONG_WORD
    sys.modules.update({package.__name__: package, size.__name__: size})
    return package.__name__


PLAYER = partial(TwinPlayer, Decider(restore, rows, actions=lambda state: state.ground.repertoire.all))


def mixed(seed: int | None = None) -> TwinPlayer:
    """Make a greedy player with a taste of its own, for tables where not everybody thinks alike."""
    rng = random.Random(seed)
    weight = round(1000 * rng.uniform(*MIXED_WEIGHTS))
    return PLAYER(rng.getrandbits(64), weigh=partial(weigh_places, weight))


def weigh_places(weight: int, table: list[int]) -> None:
    table[-1] = weight  # PLACE_WEIGHT, wherever it is in a layout


BOTS: Mapping[str, Callable[[int | None], Any]] = {"greedy": PLAYER, "mixed": mixed}
