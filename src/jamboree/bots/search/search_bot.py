"""A bot that searches, with another bot for the first candidate."""

import random
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from jamboree.core.errors import BadOptions
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later
from jamboree.fast.playouts import WAITING
from jamboree.games import find

from ..budget import Budget
from ..interface import Bot
from .compilation import is_ready
from .findings import Findings
from .request import SEED_BITS, SearchRequest, request_of_view
from .search_settings import SearchSettings
from .tasks import Thinking, carry_out, searching


class SearchBot:
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
        return carry_out(self.think(view, offers, budget))

    def think(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Thinking[Any]:
        """Decide, yielding the search as a task to a driver."""
        has_time = budget.seconds is None or budget.seconds > 0
        proposal = self.base.decide(view, offers, budget)
        if len(offers) < 2 or not has_time or budget.is_hurried or not (self.patient or is_ready(self.key)):
            return proposal
        if isinstance(proposal, Later):  # the base bot sets the pace
            return proposal
        try:
            request = self.request(view, offers, budget, proposal)
        except BadOptions:  # a board that is too large for the twin
            return proposal
        findings = yield from self.search(request)
        return self.action(findings.choice, view, offers)

    def request(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget, proposal: Any) -> SearchRequest:
        """Return what to search, with the base bot's proposal as the first candidate."""
        began, seed = perf_counter(), self._random.getrandbits(SEED_BITS)
        request = request_of_view(self.key, view, seed, self.settings, len(offers), self._senseless(view, offers))
        return replace(
            request,
            first=_index(offers, proposal),
            max_candidates=self.settings.shortlist(budget),
            bonus=self.settings.greedy_bonus,
            playouts=budget.playouts,
            seconds=None if budget.seconds is None else budget.seconds - (perf_counter() - began),
        )

    def search(self, request: SearchRequest) -> Thinking[Findings]:
        return searching(request)

    def action(self, choice: int, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        """Return the action of a candidate; if it is equivalent to waiting, wait, which adds no entry to the log."""
        if choice == WAITING or find(self.key).words.waits(offers[choice].action, view):
            return WAIT
        return offers[choice].action

    def _senseless(self, view: Any, offers: Sequence[Offer[Any]]) -> set[int]:
        """Return the indices of offers that no player would take."""
        sensible = find(self.key).sensible_offers(view, offers)
        if sensible is offers:
            return set()
        actions = {offer.action for offer in sensible}
        return {index for index, offer in enumerate(offers) if offer.action not in actions}


def _index(offers: Sequence[Offer[Any]], action: Any) -> int:
    if action is WAIT:
        return WAITING
    return next(index for index, offer in enumerate(offers) if offer.action == action)
