"""Comparison of actions: sequential halving finds the best, which are then measured again without selection bias."""

from collections.abc import Iterable, Sequence
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple

from jamboree.bots import Budget
from jamboree.bots.search import search_settings
from jamboree.bots.search.rollouts import Outcomes, Rollouts
from jamboree.bots.search.sequential_halving import SequentialHalving
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer

LEVEL = "star"  # whose search settings are used
BATCH = 4  # worlds
HALVING = 0.5  # share of the budget for sequential halving
CLEARLY = 2.0  # standard errors


class Estimate(NamedTuple):
    """The measured value of an action."""

    offer: int  # its index in the menu, or WAITING
    value: float
    chances: list[float]  # every seat's chance to win
    chance: float  # the deciding seat's
    error: float  # standard error of the difference between its value and the best one
    gains: list[float]  # by seat: points more than with the greedy choice; 0 where that is not clear


class Comparison:
    """Estimates of the best actions of a menu, and of those that are `required`; best first."""

    def __init__(
        self,
        game: AnyGame,
        view: Any,
        offers: Sequence[Offer[Any]],
        seed: int,
        budget: Budget,
        required: Sequence[int],  # the greedy choice first
        most: int,
    ) -> None:
        self._budget = budget
        self._began = perf_counter()
        self.playouts = 0
        settings = search_settings(game.info.key)[LEVEL]
        self._rollouts = Rollouts(game.info.key, view, seed, settings)
        shortlist = settings.shortlist(budget)
        candidates = self._rollouts.shortlist(len(offers), 2 * shortlist, required[0])
        distinct = _distinct(game, view, offers, candidates)[:shortlist]
        halving = SequentialHalving(_union(distinct, required), keep=most)
        while not halving.is_over and self._spent() < HALVING:
            values = self._rollouts.values(halving.candidates, halving.worlds, BATCH)
            self.playouts += values.size
            halving.add(values, self._spent() / HALVING)
        best = halving.leaders(most)
        self.error = 0.0  # standard error of the chances
        self.estimates = self._measure(_union(best, required), required[0], halving.worlds)

    def _measure(self, candidates: list[int], greedy: int, first: int) -> list[Estimate]:
        """Estimate the remaining candidates in worlds that the halving did not use."""
        import numpy

        parts = list[Outcomes]()
        while not parts or self._spent() < 1:
            parts.append(self._rollouts.outcomes(candidates, first, BATCH))
            first += BATCH
            self.playouts += BATCH * len(candidates)
        outcomes = Outcomes(*(numpy.concatenate(arrays) for arrays in zip(*parts, strict=True)))
        values, worlds, viewer = self._rollouts.value(outcomes), len(outcomes.shares), self._rollouts.viewer
        means, shares = values.mean(axis=0), outcomes.shares.mean(axis=0)
        order = numpy.argsort(-means, kind="stable")
        value_errors = (values[:, order[:1]] - values).std(axis=0, ddof=1) / sqrt(worlds)
        gained = outcomes.points - outcomes.points[:, [candidates.index(greedy)]]
        gains, errors = gained.mean(axis=0), gained.std(axis=0, ddof=1) / sqrt(worlds)
        gains = numpy.where(abs(gains) > CLEARLY * errors, gains, 0.0)
        chance = float(shares[order[0], viewer])
        self.error = sqrt(chance * (1 - chance) / worlds)
        return [
            Estimate(
                offer=candidates[at],
                value=float(means[at]),
                chances=shares[at].tolist(),
                chance=float(shares[at, viewer]),
                error=float(value_errors[at]),
                gains=gains[at].tolist(),
            )
            for at in order
        ]

    def _spent(self) -> float:
        """Return the used share of the budget; all of it if the budget has no limit."""
        parts = [self.playouts / self._budget.playouts] if self._budget.playouts else []
        parts += [(perf_counter() - self._began) / self._budget.seconds] if self._budget.seconds else []
        return max(parts, default=1.0)


def _union(candidates: Iterable[int], required: Sequence[int]) -> list[int]:
    return list(dict.fromkeys([*(int(index) for index in candidates), *required]))


def _distinct(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], candidates: Iterable[int]) -> list[int]:
    """Drop actions with the same text as an earlier one: people can't tell them apart."""
    names = [str(seat) for seat in range(view.seats)]
    by_text: dict[Any, int] = {}
    for index in candidates:
        text = game.words.choice(offers[index].action, view, names, "en") if index >= 0 else None
        by_text.setdefault(text, int(index))
    return list(by_text.values())
