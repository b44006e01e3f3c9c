"""What a greedy player would do, which is where every comparison begins."""

from collections.abc import Sequence
from typing import Any

from jamboree.bots import bot, budget_of
from jamboree.bots.search.trials import WAITING
from jamboree.core.game import AnyGame
from jamboree.core.kit.words import never_waits
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


def _waiting_place(game: AnyGame, view: Any, offers: Sequence[Offer[Any]]) -> int:
    """Give the place of waiting; where an action says that one waits, a person knows it by that."""
    waits = getattr(game.words, "waits", never_waits)
    return next((place for place, offer in enumerate(offers) if waits(offer.action, view)), WAITING)
