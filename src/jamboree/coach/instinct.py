"""What a greedy player would do, which is where every comparison begins."""

from collections.abc import Sequence
from typing import Any

from jamboree.bots import bot, budget_of
from jamboree.bots.search.trials import WAITING
from jamboree.core.chance import Seeded, Untold
from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Later

PLAIN = "greedy"  # what a game calls a player without a temper


def greedy_place(game: AnyGame, view: Any, offers: Sequence[Offer[Any]], seed: int | None) -> int:
    """Give the place of the greedy choice among the offers, or that of waiting."""
    own = game.bots()
    if PLAIN in own:
        action = own[PLAIN](seed).choose(view, offers)
    else:
        action = bot(game, "regular", seed).decide(view, offers, budget_of(game, "regular"))
    if action is WAIT or isinstance(action, Later):
        return _waiting_place(game, view, offers)
    return next(place for place, offer in enumerate(offers) if offer.action == action)


def second_half(game: AnyGame, view: Any, action: Any) -> tuple[Any, Any] | None:
    """Find how a greedy player would go on with what an action begins, and the view then, if nothing is unsure and they
    would not rather begin anew."""
    seat, begins = view.viewer, game.words.begins
    if not begins(action, view) or game.preview(view, action).chance_follows:
        return None
    state = game.imagine(view, Seeded(0))
    game.apply(state, seat, action, Untold())
    if seat not in game.to_act(state):
        return None
    offers, later = game.legal(state, seat), game.view(state, seat)
    place = greedy_place(game, later, offers, seed=0)
    if place == _waiting_place(game, later, offers):
        return None
    after = offers[place].action
    anew = type(after) is type(action) and begins(after, later)
    return None if anew else (after, later)


def _waiting_place(game: AnyGame, view: Any, offers: Sequence[Offer[Any]]) -> int:
    """Give the place of waiting; where an action says that one waits, a person knows it by that."""
    waits = game.words.waits
    return next((place for place, offer in enumerate(offers) if waits(offer.action, view)), WAITING)
