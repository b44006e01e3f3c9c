"""The one thing every bot does, whatever its level: decide, from what its seat sees and may do, within a budget."""

from collections.abc import Sequence
from typing import Any, Protocol

from jamboree.core.offers import Offer
from jamboree.core.play import Player, ask

from .budget import Budget


class Bot(Protocol):
    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any: ...


class Instinct:
    """A player that chooses at once, however long it might think."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any:
        return ask(self.player, view, offers, budget.left)


class Seated:
    """A bot on a seat, with the budget it has for every move."""

    def __init__(self, bot: Bot, budget: Budget) -> None:
        self.bot, self.budget = bot, budget

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        return self.bot.decide(view, offers, self.budget)

    def in_time(self, view: Any, offers: Sequence[Offer[Any]], left: float) -> Any:
        return self.bot.decide(view, offers, self.budget.before(left))
