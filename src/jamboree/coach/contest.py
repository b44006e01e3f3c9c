"""Actions compared: a race finds the best, which are then measured anew, so that none is best by luck in the race."""

from collections.abc import Iterable, Sequence
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple

from jamboree.bots import Budget
from jamboree.bots.search import manners
from jamboree.bots.search.race import Race
from jamboree.bots.search.trials import Ends, Trials
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer

LEVEL = "star"  # as which it looks at a game
AT_A_TIME = 4  # worlds
RACING = 0.5  # of the budget
CLEARLY = 2.0  # standard errors


class Standing(NamedTuple):
    """How an action fared."""

    place: int
    value: float
    chance: float  # to win
    doubt: float  # by which its value may differ from that of the best in another run
    gains: list[float]  # by seat: points more than with the first action that was named; 0 where that is not clear


class Contest:
    """Who wins among the actions of a menu, those that are `named` always measured. Best first."""

    def __init__(
        self,
        game: AnyGame,
        view: Any,
        offers: Sequence[Offer[Any]],
        number: int,
        budget: Budget,
        named: Sequence[int],
        most: int,
    ) -> None:
        self._budget, self._began, self.playouts = budget, perf_counter(), 0
        manner = manners(game.info.key)[LEVEL]
        self._trials = Trials(game.info.key, view, number, manner)
        shortlist = manner.shortlist(budget)
        menu = self._trials.shortlist(len(offers), 2 * shortlist, named[0])
        different = _different(game, view, offers, menu)[:shortlist]
        race = Race(_with(different, named), keep=most)
        while not race.is_over and self._spent() < RACING:
            values = self._trials.values(race.menu, race.tried, AT_A_TIME)
            self.playouts += values.size
            race.take(values, self._spent() / RACING)
        best = race.leaders(most)
        self.error = 0.0  # by which a chance may be off
        self.all = self._measure(_with(best, named), named[0], race.tried)

    def _measure(self, menu: list[int], usual: int, first: int) -> list[Standing]:
        """Try the last ones in worlds of their own."""
        import numpy

        ends = list[Ends]()
        while not ends or self._spent() < 1:
            ends.append(self._trials.ends(menu, first, AT_A_TIME))
            first += AT_A_TIME
            self.playouts += AT_A_TIME * len(menu)
        together = Ends(*(numpy.concatenate(parts) for parts in zip(*ends, strict=True)))
        values, worlds = self._trials.worth(together), len(together.shares)
        means, chances = values.mean(axis=0), together.shares[:, :, self._trials.viewer].mean(axis=0)
        order = numpy.argsort(-means, kind="stable")
        doubts = (values[:, order[:1]] - values).std(axis=0, ddof=1) / sqrt(worlds)
        gained = together.points - together.points[:, [menu.index(usual)]]
        gains, errors = gained.mean(axis=0), gained.std(axis=0, ddof=1) / sqrt(worlds)
        gains = numpy.where(abs(gains) > CLEARLY * errors, gains, 0.0)
        self.error = sqrt(float(chances[order[0]] * (1 - chances[order[0]])) / worlds)
        return [
            Standing(menu[at], float(means[at]), float(chances[at]), float(doubts[at]), gains[at].tolist())
            for at in order
        ]

    def _spent(self) -> float:
        """Give the part of the budget that is gone; without one, everything."""
        parts = [self.playouts / self._budget.playouts] if self._budget.playouts else []
        parts += [(perf_counter() - self._began) / self._budget.seconds] if self._budget.seconds else []
        return max(parts, default=1.0)


def _with(menu: Iterable[int], named: Sequence[int]) -> list[int]:
    return list(dict.fromkeys([*(int(place) for place in menu), *named]))


def _different(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], menu: Iterable[int]) -> list[int]:
    """Leave out actions that read the same as an earlier one: to a person they are the same."""
    anybody = [str(seat) for seat in range(view.seats)]
    told: dict[Any, int] = {}
    for place in menu:
        said = game.words.choice(offers[place].action, view, anybody, "en") if place >= 0 else None
        told.setdefault(said, int(place))
    return list(told.values())
