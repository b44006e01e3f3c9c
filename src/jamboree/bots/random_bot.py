"""A player without a thought: the yardstick for every other."""

import random
from collections.abc import Sequence
from typing import Any

from jamboree.core.offers import Offer
from jamboree.core.play import WAIT


class RandomBot:
    """Takes any of the actions on offer, each as likely as the others."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed).random

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        return offers[int(self._random() * len(offers))].action if offers else WAIT
