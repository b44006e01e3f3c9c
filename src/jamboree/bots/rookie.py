"""The rookie: plays like a better bot, but often considers only a random sample of the offers, as beginners do."""

import random
from collections.abc import Sequence
from typing import Any

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later

from .budget import Budget
from .interface import Bot

SAMPLE = 5  # offers that a rookie considers
MAX_LAPSE_RATE = 0.75  # share of decisions made from a sample as the number of offers grows


class Rookie:
    """The more offers there are, the more often it takes the one of a sample that scores most at once."""

    def __init__(self, game: AnyGame, better: Bot, seed: int | None = None) -> None:
        self.game, self.better = game, better
        self._random = random.Random(seed)

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any:
        action = self.better.decide(view, offers, budget)
        overlooked = max(0, len(offers) - SAMPLE) / max(len(offers), 1)
        if action is WAIT or isinstance(action, Later) or self._random.random() >= MAX_LAPSE_RATE * overlooked:
            return action
        return self._best_of_sample(view, offers)

    def _best_of_sample(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        """Return the action of a random sample that scores most at once; of equals the first."""
        sample = [offers[index].action for index in self._random.sample(range(len(offers)), SAMPLE)]
        return max(sample, key=lambda action: self._points(view, action))

    def _points(self, view: Any, action: Any) -> int:
        try:
            points = self.game.preview(view, action).points
        except Illegal:
            return 0
        return int(points[view.viewer])
