"""A beginner. Its mistakes are those people make: it overlooks most of the offers, and grabs what pays at once."""

import random
from collections.abc import Sequence
from typing import Any

from jamboree.core.errors import Illegal
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later

from .budget import Budget
from .deciding import Bot

ATTENTION = 5  # offers that a beginner has an eye for at a time
LAPSES = 0.75  # of decisions with very many offers are made by what is seen at a glance


class Rookie:
    """Plays as a better player would, unless there is more on offer than it can keep in view."""

    def __init__(self, game: AnyGame, better: Bot, seed: int | None = None) -> None:
        self.game, self.better = game, better
        self._random = random.Random(seed)

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any:
        action = self.better.decide(view, offers, budget)
        overlooked = max(0, len(offers) - ATTENTION) / max(len(offers), 1)
        if action is WAIT or isinstance(action, Later) or self._random.random() >= LAPSES * overlooked:
            return action
        return self._at_a_glance(view, offers)

    def _at_a_glance(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        """Take what pays most at once among a few offers; of equals the first that was noticed."""
        noticed = [offers[place].action for place in self._random.sample(range(len(offers)), ATTENTION)]
        return max(noticed, key=lambda action: self._pays(view, action))

    def _pays(self, view: Any, action: Any) -> int:
        try:
            points = self.game.preview(view, action).points
        except Illegal:
            return 0
        return int(points[view.viewer])
