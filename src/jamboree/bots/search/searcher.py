"""The search of strong bots: a shortlist of candidates, then sequential halving over common random numbers."""

import random
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from jamboree.core.errors import BadOptions
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later
from jamboree.games import find

from ..budget import Budget
from ..interface import Bot
from .compilation import is_ready
from .rollouts import WAITING, Rollouts
from .search_settings import SearchSettings
from .sequential_halving import SequentialHalving

BATCH = 4  # worlds


class Searcher:
    """A flat Monte Carlo search. Its base bot proposes the first candidate, and plays where the twin can't search."""

    def __init__(
        self, key: str, base: Bot, seed: int | None = None, settings: SearchSettings | None = None, patient: bool = True
    ) -> None:
        self.key = key
        self.base = base
        self.settings = settings or SearchSettings()
        self.patient = patient  # if not, the base bot plays until the twin is compiled
        self._random = random.Random(seed)

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any:
        has_time = budget.seconds is None or budget.seconds > 0
        proposal = self.base.decide(view, offers, budget)
        if len(offers) < 2 or not has_time or budget.is_hurried or not (self.patient or is_ready(self.key)):
            return proposal
        if isinstance(proposal, Later):  # the base bot sets the pace
            return proposal
        seed, began = self._random.getrandbits(62), perf_counter()
        try:
            rollouts = Rollouts(self.key, view, seed, self.settings)
        except BadOptions:  # a board that is too large for the twin
            return proposal
        first = _index(offers, proposal)
        rollouts.leave_out(self._senseless(view, offers))
        halving = SequentialHalving(self._candidates(rollouts, len(offers), budget, first))
        best = self._search(rollouts, halving, budget, began, first).best()
        return WAIT if best == WAITING or self._waits(offers[best].action, view) else offers[best].action

    def _senseless(self, view: Any, offers: Sequence[Offer[Any]]) -> set[int]:
        """Return the indices of offers that no player would take."""
        sensible = find(self.key).sensible_offers(view, offers)
        if sensible is offers:
            return set()
        actions = {offer.action for offer in sensible}
        return {index for index, offer in enumerate(offers) if offer.action not in actions}

    def _waits(self, action: Any, view: Any) -> bool:
        """Return whether an action is equivalent to waiting; waiting adds no entry to the log."""
        return find(self.key).words.waits(action, view)

    def _search(
        self, rollouts: Rollouts, halving: SequentialHalving, budget: Budget, began: float, first: int
    ) -> SequentialHalving:
        playouts, spent = 0, 0.0
        while not halving.is_over and spent < 1:
            worlds, done = BATCH, halving.worlds
            if budget.playouts is not None:
                worlds = max(1, min(worlds, (budget.playouts - playouts) // len(halving.candidates)))
            values = self._values(rollouts, halving.candidates, done, worlds)
            playouts += values.size
            spent = _spent(budget, playouts, perf_counter() - began)
            halving.add(values + self._bonuses(halving.candidates, first), spent)
        return halving

    def _candidates(self, rollouts: Rollouts, offers: int, budget: Budget, first: int) -> Any:
        """Return the candidates as indices into the menu."""
        return rollouts.shortlist(offers, self.settings.shortlist(budget), first)

    def _values(self, rollouts: Rollouts, candidates: Any, first: int, worlds: int) -> Any:
        """Return the value of each candidate in each of some worlds."""
        return rollouts.values(candidates, first, worlds)

    def _bonuses(self, candidates: Any, first: int) -> Any:
        """Return what is added to the value of each candidate, whatever the playouts find."""
        return self.settings.greedy_bonus * (candidates == first)


def _index(offers: Sequence[Offer[Any]], action: Any) -> int:
    if action is WAIT:
        return WAITING
    return next(index for index, offer in enumerate(offers) if offer.action == action)


def _spent(budget: Budget, playouts: int, seconds: float) -> float:
    """Return the used share of a budget; all of it if the budget has no limit."""
    parts = [playouts / budget.playouts] if budget.playouts else []
    parts += [seconds / budget.seconds] if budget.seconds else []
    return max(parts, default=1.0)
