"""Players for this game, by name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .greedy import GreedyBot
from .weights import WEIGHTS

BOTS: Mapping[str, Callable[[int | None], Any]] = {
    name: partial(GreedyBot, weights=weights) for name, weights in WEIGHTS.items()
}
