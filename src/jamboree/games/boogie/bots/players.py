"""Players for this game, by name."""

import random
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .greedy import GreedyBot
from .temperaments import TEMPERAMENTS
from .tempered_bot import TemperedBot


def guest(seed: int | None) -> TemperedBot:
    """Seat a player of any temperament, which its seed decides."""
    chosen = random.Random(None if seed is None else f"temperament {seed}").choice(list(TEMPERAMENTS))
    return TemperedBot(TEMPERAMENTS[chosen], seed)


BOTS: Mapping[str, Callable[[int | None], Any]] = {
    "greedy": GreedyBot,
    "silent": lambda seed: GreedyBot(seed, talks=False),
    "liar": lambda seed: GreedyBot(seed, lies=0.5),
    **{name: partial(TemperedBot, temper) for name, temper in TEMPERAMENTS.items()},
    "guest": guest,
}
