"""The rookie: plays like a better bot, but often considers only a random sample of the offers, as beginners do.

It heeds warnings: an offer with a caution is never part of the sample.
"""

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
        if action is WAIT or isinstance(action, Later) or budget.is_hurried:
            return action
        tempting = [offer for offer in self.game.sensible_offers(view, offers) if not offer.cautions]
        overlooked = max(0, len(tempting) - SAMPLE) / max(len(tempting), 1)
        lapses = self._random.random() < MAX_LAPSE_RATE * overlooked
        if lapses or all(
            offer.action != action for offer in tempting
        ):  # earlier lapses may spoil the better bot's plan
            return self._best_of_sample(view, tempting)
        return action

    def _best_of_sample(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        """Return the action of a random sample that scores most at once; of equals the first."""
        sample = [offers[index].action for index in self._random.sample(range(len(offers)), min(SAMPLE, len(offers)))]
        return max(sample, key=lambda action: self._points(view, action))

    def _points(self, view: Any, action: Any) -> int:
        try:
            points = self.game.preview(view, action).points
        except Illegal:
            return 0
        return int(points[view.viewer])
