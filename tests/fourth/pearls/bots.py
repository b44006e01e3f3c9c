"""A player that is content with little."""

from collections.abc import Sequence

from jamboree.core.offers import Offer

from .rules import COLOURS, AnyAction, BringUp, Dive
from .views import View


class Greedy:
    """Brings up a colour when three pearls of it are held, or two that pay double."""

    def choose(self, view: View, offers: Sequence[Offer[AnyAction]]) -> AnyAction:
        mine = view.buyers[view.turn]
        enough = [c for c, held in zip(COLOURS, view.held, strict=True) if held >= (2 if c == mine else 3)]
        return BringUp(enough[0]) if enough else Dive()
