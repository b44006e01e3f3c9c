"""Advice: the best actions for a seat, computed from its view alone, with their values and their certain points."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from jamboree.bots import Budget
from jamboree.bots.search import SEED_BITS, Thinking, can_search, carry_out, is_ready
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer

from .comparison import Comparison, Estimate, compare
from .greedy import greedy_index

MAX_MOVES = 3
CLOSE = 0.01  # a smaller difference in the chance to win does not matter to a person


class RatedMove(msgspec.Struct, frozen=True, kw_only=True):
    """One of the best actions."""

    offer: int  # index in the menu; -1 is to wait
    rank: int  # from 1; close calls share a rank
    certain: list[int]  # points by seat that certainly follow
    chance: float | None = None  # to win; None without a search
    expected: float | None = None  # own points at the end, compared with the greedy choice; 0 where that is not clear
    others: list[float] = []  # the same for the other seats


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    moves: list[RatedMove]  # best first
    chance: float | None = None  # to win with the greedy choice
    error: float = 0.0  # standard error of the chances
    playouts: int = 0
    soon: bool = False  # the search is still being compiled: ask again in a while


def advise(
    game: AnyGame,
    view: Any,
    offers: Sequence[Offer[Any]],
    budget: Budget,
    seed: int | None = None,
    patient: bool = True,
) -> Advice:
    """Return the best actions; only the greedy choice if the game can't be searched, or if the caller is not patient
    and the search is still being compiled."""
    return carry_out(advising(game, view, offers, budget, seed, patient))


def advising(
    game: AnyGame,
    view: Any,
    offers: Sequence[Offer[Any]],
    budget: Budget,
    seed: int | None = None,
    patient: bool = True,
) -> Thinking[Advice]:
    """Advise, yielding searches as tasks to a driver."""
    if not offers:
        return Advice(moves=[])
    greedy = greedy_index(game, view, offers, seed)
    ready = patient or is_ready(game.info.key)
    comparison = (yield from _comparing(game, view, offers, greedy, budget, seed)) if ready else None
    if comparison is None:
        obvious = RatedMove(offer=greedy, rank=1, certain=certain_points(game, view, offers, greedy))
        return Advice(moves=[obvious], soon=not ready and len(offers) > 1 and can_search(game))
    baseline = next(each for each in comparison.estimates if each.offer == greedy)
    best = comparison.estimates[:MAX_MOVES]
    moves = [
        RatedMove(
            offer=each.offer,
            rank=_rank(best, at),
            certain=certain_points(game, view, offers, each.offer),
            chance=each.chance,
            expected=each.gains[view.viewer],
            others=[0.0 if seat == view.viewer else gain for seat, gain in enumerate(each.gains)],
        )
        for at, each in enumerate(best)
    ]
    return Advice(moves=moves, chance=baseline.chance, error=comparison.error, playouts=comparison.playouts)


def compare_actions(
    game: AnyGame,
    view: Any,
    offers: Sequence[Offer[Any]],
    greedy: int,
    budget: Budget,
    seed: int | None,
    also: Sequence[int] = (),
    most: int = MAX_MOVES,
) -> Comparison | None:
    """Compare the most promising actions, the greedy choice and others; None if the game can't be searched."""
    return carry_out(_comparing(game, view, offers, greedy, budget, seed, also, most))


def _comparing(
    game: AnyGame,
    view: Any,
    offers: Sequence[Offer[Any]],
    greedy: int,
    budget: Budget,
    seed: int | None,
    also: Sequence[int] = (),
    most: int = MAX_MOVES,
) -> Thinking[Comparison | None]:
    if len(offers) < 2 or not can_search(game):
        return None
    number = random.Random(seed).getrandbits(SEED_BITS)
    try:
        return (yield from compare(game, view, offers, number, budget, required=(greedy, *also), most=most))
    except BadOptions:  # a board that is too large for the twin
        return None


def certain_points(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], index: int) -> list[int]:
    if index < 0:
        return [0] * view.seats
    try:
        return list(game.preview(view, offers[index].action).points)
    except Illegal:
        return [0] * view.seats


def _rank(best: Sequence[Estimate], at: int) -> int:
    """Return the rank of an action; it shares that of the first action that is hardly better."""
    for other in range(at):
        if best[other].value - best[at].value <= best[at].error or abs(best[other].chance - best[at].chance) < CLOSE:
            return _rank(best, other) if other else 1
    return at + 1
