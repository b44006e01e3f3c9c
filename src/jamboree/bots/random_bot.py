"""The random bot: the baseline for all others."""

import random
from collections.abc import Sequence
from typing import Any

from jamboree.core.offers import Offer
from jamboree.core.play import WAIT


class RandomBot:
    """Chooses an offer uniformly at random."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed).random

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        return offers[int(self._random() * len(offers))].action if offers else WAIT
