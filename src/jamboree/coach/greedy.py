"""The greedy choice, with which every comparison of actions begins, and its continuation."""

from collections.abc import Sequence
from typing import Any

from jamboree.bots import bot, budget_of
from jamboree.core.chance import NoPicks, Seeded
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later
from jamboree.fast.playouts import WAITING

GREEDY = "greedy"  # the name of a game's bot without a temperament


def greedy_index(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], seed: int | None) -> int:
    """Return the index of the greedy choice among the offers, or WAITING."""
    own = game.bots()
    if GREEDY in own:
        action = own[GREEDY](seed).choose(view, offers)
    else:
        action = bot(game, "regular", seed).decide(view, offers, budget_of(game, "regular"))
    if action is WAIT or isinstance(action, Later):
        return _waiting_index(game, view, offers)
    return next(index for index, offer in enumerate(offers) if offer.action == action)


def follow_up(game: AnyGame, view: Any, action: Any) -> tuple[Any, Any] | None:
    """Return the greedy continuation of an action that begins a move of two parts, and the view at that point; None if
    chance intervenes, or if the continuation would begin another move instead."""
    seat, begins = view.viewer, game.words.begins
    if not begins(action, view) or game.preview(view, action).chance_follows:
        return None
    state = game.imagine(view, Seeded(0))
    game.apply(state, seat, action, NoPicks())
    if seat not in game.to_act(state):
        return None
    offers, later = game.legal(state, seat), game.view(state, seat)
    index = greedy_index(game, later, offers, seed=0)
    if index == _waiting_index(game, later, offers):
        return None
    after = offers[index].action
    begins_another = type(after) is type(action) and begins(after, later)
    return None if begins_another else (after, later)


def _waiting_index(game: AnyGame, view: Any, offers: Sequence[Offer[Any]]) -> int:
    """Return the index of an action that is equivalent to waiting, or WAITING if there is none."""
    waits = game.words.waits
    return next((index for index, offer in enumerate(offers) if waits(offer.action, view)), WAITING)
