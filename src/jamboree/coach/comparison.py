"""Comparison of actions: sequential halving finds the best, which are then measured again without selection bias."""

from collections.abc import Iterable, Sequence
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple

from msgspec.structs import replace

from jamboree.bots import Budget
from jamboree.bots.search import Findings, Run, Shortlist, Thinking, request_of_view, search_settings
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.fast.search import BATCH

LEVEL = "star"  # whose search settings are used
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


class Comparison(NamedTuple):
    """Estimates of the best actions of a menu, best first."""

    estimates: list[Estimate]
    error: float  # standard error of the chances
    playouts: int


def compare(
    game: AnyGame,
    view: Any,
    offers: Sequence[Offer[Any]],
    seed: int,
    budget: Budget,
    required: Sequence[int],
    most: int,
) -> Thinking[Comparison]:
    """Estimate the best actions, at most so many, and those that are `required`, of which the greedy choice is first;
    raise BadOptions if the twin can't hold the board."""
    began = perf_counter()
    settings = search_settings(game.info.key)[LEVEL]
    shortlist = settings.shortlist(budget)
    request = request_of_view(game.info.key, view, seed, settings, len(offers))
    request = replace(request, first=required[0], max_candidates=2 * shortlist)
    listed = yield Shortlist(request)
    candidates = _union(_distinct(game, view, offers, listed)[:shortlist], required)
    playouts, seconds = budget.playouts, budget.seconds
    halving: Findings = yield Run(
        request,
        candidates,
        None if playouts is None else int(HALVING * playouts),
        None if seconds is None else HALVING * seconds,
        keep=most,
    )
    measuring = _union(required, (candidates[k] for k in halving.leaders[:most]))
    measured: Findings = yield Run(
        request,
        measuring,
        None if playouts is None else max(playouts - halving.playouts, BATCH * len(measuring)),
        None if seconds is None else seconds - (perf_counter() - began),
        keep=0,
        first_world=halving.worlds,
    )
    estimates = _estimates(measured, view.viewer)
    chance = estimates[0].chance
    error = sqrt(chance * (1 - chance) / measured.visits(0))
    return Comparison(estimates, error, halving.playouts + measured.playouts)


def _estimates(measured: Findings, viewer: int) -> list[Estimate]:
    """Return the estimates of all candidates, the best first. The first candidate is the greedy choice."""
    return [
        Estimate(
            offer=measured.candidates[k],
            value=measured.mean(k),
            chances=measured.chances(k),
            chance=measured.chances(k)[viewer],
            error=measured.error(k, measured.best),
            gains=[_clear_gain(measured, k, seat) for seat in range(len(measured.by_seat[k]))],
        )
        for k in measured.leaders
    ]


def _clear_gain(measured: Findings, k: int, seat: int) -> float:
    gain = measured.gain(k, seat)
    return gain if abs(gain) > CLEARLY * measured.gain_error(k, seat) else 0.0


def _union(candidates: Iterable[int], others: Iterable[int]) -> list[int]:
    return list(dict.fromkeys([*candidates, *others]))


def _distinct(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], candidates: Iterable[int]) -> list[int]:
    """Drop actions with the same text as an earlier one: people can't tell them apart."""
    names = [str(seat) for seat in range(view.seats)]
    by_text: dict[Any, int] = {}
    for index in candidates:
        text = game.words.choice(offers[index].action, view, names, "en") if index >= 0 else None
        by_text.setdefault(text, index)
    return list(by_text.values())
