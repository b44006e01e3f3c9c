"""The best actions for a seat, from its view alone: what each is worth, and what it pays for certain."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from jamboree.bots import Budget
from jamboree.bots.search import can_search, is_ready
from jamboree.core.errors import BadOptions, Illegal
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer

from .contest import Contest, Standing
from .instinct import greedy_place

NAMED = 3  # actions
CLOSE = 0.01  # of the chance to win: less is no difference to a person


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """One of the best actions, by its place among the offers; -1 is to wait."""

    place: int
    rank: int  # from 1; close calls share one
    certain: list[int]  # points by seat that follow for sure
    chance: float | None = None  # to win; None where nothing could be tried out
    expected: float | None = None  # own points at the end, more than with the greedy choice; 0 where that is not clear
    others: list[float] = []  # the same for the other seats


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    moves: list[Move]  # best first
    chance: float | None = None  # to win with the greedy choice
    error: float = 0.0  # by which a chance may be off
    playouts: int = 0
    soon: bool = False  # it could not be searched for yet: what that takes is being compiled


def advise(
    game: AnyGame,
    view: Any,
    offers: Sequence[Offer[Any]],
    budget: Budget,
    seed: int | None = None,
    patient: bool = True,
) -> Advice:
    """Name the best actions. Where nothing can be tried out, name the greedy choice; likewise, for those who are not
    patient, while what is tried out with is being compiled."""
    if not offers:
        return Advice(moves=[])
    greedy = greedy_place(game, view, offers, seed)
    ready = patient or is_ready(game.info.key)
    standings = compared(game, view, offers, greedy, budget, seed) if ready else None
    if standings is None:
        obvious = Move(place=greedy, rank=1, certain=certain_points(game, view, offers, greedy))
        return Advice(moves=[obvious], soon=not ready and len(offers) > 1 and can_search(game))
    usual = next(each for each in standings.all if each.place == greedy)
    best = standings.all[:NAMED]
    moves = [
        Move(
            place=each.place,
            rank=_rank(best, at),
            certain=certain_points(game, view, offers, each.place),
            chance=each.chance,
            expected=each.gains[view.viewer],
            others=[0.0 if seat == view.viewer else gain for seat, gain in enumerate(each.gains)],
        )
        for at, each in enumerate(best)
    ]
    return Advice(moves=moves, chance=usual.chance, error=standings.error, playouts=standings.playouts)


def compared(
    game: AnyGame,
    view: Any,
    offers: Sequence[Offer[Any]],
    greedy: int,
    budget: Budget,
    seed: int | None,
    also: Sequence[int] = (),
    most: int = NAMED,
) -> Contest | None:
    """Try out what looks best, with the greedy choice and others that are named; None where that can't be done."""
    if len(offers) < 2 or not can_search(game):
        return None
    number = random.Random(seed).getrandbits(62)
    try:
        return Contest(game, view, offers, number, budget, named=(greedy, *also), most=most)
    except BadOptions:  # a board the twin has no room for
        return None


def certain_points(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], place: int) -> list[int]:
    if place < 0:
        return [0] * view.seats
    try:
        return list(game.preview(view, offers[place].action).points)
    except Illegal:
        return [0] * view.seats


def _rank(best: Sequence[Standing], at: int) -> int:
    """Let an action share the rank of the first one that is hardly better."""
    for other in range(at):
        if best[other].value - best[at].value <= best[at].doubt or abs(best[other].chance - best[at].chance) < CLOSE:
            return _rank(best, other) if other else 1
    return at + 1
