"""The searching player: a shortlist, a race between its actions, the winner."""

import random
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from jamboree.core.errors import BadOptions
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later
from jamboree.games import find

from ..budget import Budget
from ..deciding import Bot
from .manner import Manner
from .race import Race
from .ready import is_ready
from .trials import WAITING, Trials

AT_A_TIME = 4  # worlds


class Searcher:
    """Decides by trying actions out in imagined worlds. Where the twin can't follow it plays as another would."""

    def __init__(
        self, key: str, instinct: Bot, seed: int | None = None, manner: Manner | None = None, patient: bool = True
    ) -> None:
        self.key, self.instinct, self.manner = key, instinct, manner or Manner()
        self.patient = patient  # otherwise it plays by instinct until everything is compiled
        self._random = random.Random(seed)

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any:
        has_time = budget.seconds is None or budget.seconds > 0
        if len(offers) < 2 or not has_time or not (self.patient or is_ready(self.key)):
            return self.instinct.decide(view, offers, budget)
        at_first = self.instinct.decide(view, offers, budget)
        if isinstance(at_first, Later):  # its pace is that of the player it searches for
            return at_first
        number, began = self._random.getrandbits(62), perf_counter()
        try:
            trials = Trials(self.key, view, number, self.manner)
        except BadOptions:  # a board the twin has no room for
            return at_first
        first = _place(offers, at_first)
        menu = self._menu(trials, len(offers), budget, first)
        best = self._race(trials, Race(menu), budget, began, first).best()
        return WAIT if best == WAITING or self._waits(offers[best].action, view) else offers[best].action

    def _waits(self, action: Any, view: Any) -> bool:
        """Tell whether an action says no more than waiting does: then nobody needs to hear it."""
        return find(self.key).words.waits(action, view)

    def _race(self, trials: Trials, race: Race, budget: Budget, began: float, first: int) -> Race:
        playouts, spent = 0, 0.0
        while not race.is_over and spent < 1:
            worlds, tried = AT_A_TIME, race.tried
            if budget.playouts is not None:
                worlds = max(1, min(worlds, (budget.playouts - playouts) // len(race.menu)))
            values = self._values(trials, race.menu, tried, worlds)
            playouts += values.size
            spent = _spent(budget, playouts, perf_counter() - began)
            race.take(values + self._leaning(race.menu, first), spent)
        return race

    def _menu(self, trials: Trials, offers: int, budget: Budget, first: int) -> Any:
        """Name the actions to try, by their places in the menu."""
        return trials.shortlist(offers, self.manner.shortlist(budget), first)

    def _values(self, trials: Trials, menu: Any, first: int, worlds: int) -> Any:
        """Say what each action came to in each of some worlds."""
        return trials.values(menu, first, worlds)

    def _leaning(self, menu: Any, first: int) -> Any:
        """Say what speaks for each action before it is tried."""
        return self.manner.lean * (menu == first)


def _place(offers: Sequence[Offer[Any]], action: Any) -> int:
    if action is WAIT:
        return WAITING
    return next(place for place, offer in enumerate(offers) if offer.action == action)


def _spent(budget: Budget, playouts: int, seconds: float) -> float:
    """Give the part of a budget that is gone; without one, everything."""
    parts = [playouts / budget.playouts] if budget.playouts else []
    parts += [seconds / budget.seconds] if budget.seconds else []
    return max(parts, default=1.0)
