"""Players for this game, by name."""

from collections.abc import Callable, Mapping
from typing import Any

from .greedy import GreedyBot, mixed

BOTS: Mapping[str, Callable[[int | None], Any]] = {"greedy": GreedyBot, "mixed": mixed}
