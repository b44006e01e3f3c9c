"""Policy- and value-guided search: a network chooses the candidates and has a share in their values."""

from math import exp, log
from typing import Any

from ..budget import Budget
from ..search import Searcher
from ..search.rollouts import WAITING, Rollouts
from .network import load_network
from .value_estimates import ValueEstimates

MIN_LOG_PROBABILITY = -6.0  # lower ones count as this


class Champion(Searcher):
    """A searcher that uses a network where it fits the set-up, and is an ordinary searcher elsewhere."""

    def _candidates(self, rollouts: Rollouts, offers: int, budget: Budget, first: int) -> Any:
        self._policy: dict[int, float] | None = None  # log-probabilities by index of the menu
        network = load_network(self.key)
        if first == WAITING or rollouts.seats != 2 or not network.fits(rollouts.table):
            return super()._candidates(rollouts, offers, budget, first)
        self._estimates = ValueEstimates(network, rollouts)
        logits = network.logits(rollouts.observed(), rollouts.viewer)[rollouts.legal_ids(offers)].tolist()
        logits[first] += network.greedy_logit
        highest = max(logits)
        total = highest + log(sum(exp(each - highest) for each in logits))
        order = sorted(range(offers), key=lambda index: -logits[index])
        self._policy = {index: max(MIN_LOG_PROBABILITY, logits[index] - total) for index in order}
        candidates = [first, *(index for index in order if index != first)]
        return rollouts.candidates(candidates[: self.settings.shortlist(budget)])

    def _values(self, rollouts: Rollouts, candidates: Any, first: int, worlds: int) -> Any:
        values, weight = super()._values(rollouts, candidates, first, worlds), self.settings.value_weight
        if self._policy is None or not weight:
            return values
        return (1 - weight) * values + weight * self._estimates.means(candidates, first, worlds)

    def _bonuses(self, candidates: Any, first: int) -> Any:
        if self._policy is None:
            return super()._bonuses(candidates, first)
        return [self.settings.policy_weight * self._policy[int(index)] for index in candidates]
