"""Players for this game, by name."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from jamboree.core.kernel.player import TwinPlayer

from ..fast import layout as at
from .deciding import DECIDER
from .temperaments import TEMPERAMENTS
from .tempered import TemperedPlayer


def silent(table: list[int]) -> None:
    table[at.PROMISING] = 0  # as if nobody could promise anything


def lying(table: list[int]) -> None:
    table[at.LYING] = 500


def guest(seed: int | None) -> TemperedPlayer:
    """Seat a player of any temperament, which its seed decides."""
    chosen = random.Random(None if seed is None else f"temperament {seed}").choice(list(TEMPERAMENTS))
    return TemperedPlayer(TEMPERAMENTS[chosen], seed)


BOTS: Mapping[str, Callable[[int | None], Any]] = {
    "greedy": partial(TwinPlayer, DECIDER),
    "silent": partial(TwinPlayer, DECIDER, weigh=silent),
    "liar": partial(TwinPlayer, DECIDER, weigh=lying),
    **{name: partial(TemperedPlayer, temper) for name, temper in TEMPERAMENTS.items()},
    "guest": guest,
}
