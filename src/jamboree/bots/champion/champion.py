"""The champion: a search in which a network says what to look at, and has a say in the end."""

from math import exp, log
from typing import Any

from ..budget import Budget
from ..search import Searcher
from ..search.trials import WAITING, Trials
from .foresight import Foresight
from .network import network

LEAST = -6.0  # what is less likely than that, in logarithms, is as good as this


class Champion(Searcher):
    """Where the network has not learnt the set-up, it is a searching player like any other."""

    def _menu(self, trials: Trials, offers: int, budget: Budget, first: int) -> Any:
        self._says: dict[int, float] | None = None
        knows = network(self.key)
        if first == WAITING or trials.seats != 2 or not knows.knows(trials.table):
            return super()._menu(trials, offers, budget, first)
        self._foresight = Foresight(knows, trials)
        logits = knows.logits(trials.observed(), trials.viewer)[trials.legal_ids(offers)].tolist()
        logits[first] += knows.instinct
        highest = max(logits)
        total = highest + log(sum(exp(each - highest) for each in logits))
        order = sorted(range(offers), key=lambda place: -logits[place])
        self._says = {place: max(LEAST, logits[place] - total) for place in order}
        named = [first, *(place for place in order if place != first)]
        return trials.menu(named[: self.manner.shortlist(budget)])

    def _values(self, trials: Trials, menu: Any, first: int, worlds: int) -> Any:
        played, part = super()._values(trials, menu, first, worlds), self.manner.foresight
        if self._says is None or not part:
            return played
        return (1 - part) * played + part * self._foresight.expected(menu, first, worlds)

    def _leaning(self, menu: Any, first: int) -> Any:
        if self._says is None:
            return super()._leaning(menu, first)
        return [self.manner.leaning * self._says[int(place)] for place in menu]
