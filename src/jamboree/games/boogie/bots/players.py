"""The bots of Boogie Beasts by name, all of them greedy players on the twin's decision function."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from jamboree.core.twin.greedy_player import GreedyPlayer

from ..fast import layout as at
from .adapter import ADAPTER
from .temperaments import TEMPERAMENTS
from .tempered import TemperedPlayer


def forbid_promises(table: list[int]) -> None:
    table[at.PROMISING] = 0


def lie_half_the_time(table: list[int]) -> None:
    table[at.LYING] = 500


def guest(seed: int | None) -> TemperedPlayer:
    """Seat a player of any temperament, which its seed decides."""
    chosen = random.Random(None if seed is None else f"temperament {seed}").choice(list(TEMPERAMENTS))
    return TemperedPlayer(TEMPERAMENTS[chosen], seed)


BOTS: Mapping[str, Callable[[int | None], Any]] = {
    "greedy": partial(GreedyPlayer, ADAPTER),
    "silent": partial(GreedyPlayer, ADAPTER, set_weights=forbid_promises),
    "liar": partial(GreedyPlayer, ADAPTER, set_weights=lie_half_the_time),
    **{name: partial(TemperedPlayer, temper) for name, temper in TEMPERAMENTS.items()},
    "guest": guest,
}
