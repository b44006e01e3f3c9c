"""A player that is content with little."""

from collections.abc import Sequence
from typing import Any

from jamboree.core.offers import Offer

from .rules import COLOURS, AnyAction, BringUp, Dive
from .seen import View

ENOUGH = 3  # points that are worth no further risk


class Greedy:
    """Dives until some colour is worth enough."""

    def __init__(self, seed: int | None = None) -> None:
        pass

    def choose(self, seen: View, offers: Sequence[Offer[Any]]) -> AnyAction:
        mine = seen.buyers[seen.turn]
        worth = {c: held * (2 if c == mine else 1) for c, held in zip(COLOURS, seen.held, strict=True)}
        best = max(COLOURS, key=worth.__getitem__)
        return BringUp(best) if worth[best] >= ENOUGH else Dive()
