"""What a greedy player would do, which is where every comparison begins."""

from collections.abc import Sequence
from typing import Any

from jamboree.bots import bot, budget_of
from jamboree.bots.search.trials import WAITING
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
        return WAITING
    return next(place for place, offer in enumerate(offers) if offer.action == action)
