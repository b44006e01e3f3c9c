"""The bot interface, and the adapters between bots and players."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from jamboree.core.game import Replier
from jamboree.core.offers import Offer
from jamboree.core.play import Player, ask

from .budget import Budget

if TYPE_CHECKING:
    from .search import Thinking


class Bot(Protocol):
    """Decides from a view and its offers, within a budget for the decision."""

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any: ...


@runtime_checkable
class SearchingBot(Bot, Protocol):
    """A bot whose searches others may carry out."""

    def think(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> "Thinking[Any]": ...


class PlayerBot:
    """A player as a bot that decides at once and ignores its budget."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any:
        return ask(self.player, view, offers, budget.left)


class ReplyingBot:
    """A bot that answers proposals of other players before it makes its own moves."""

    def __init__(self, replier: Replier, bot: Bot) -> None:
        self.replier, self.bot = replier, bot

    def decide(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> Any:
        reply = self.replier(view, offers)
        return self.bot.decide(view, offers, budget) if reply is None else reply

    def think(self, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> "Thinking[Any]":
        reply = self.replier(view, offers)
        return (yield from think(self.bot, view, offers, budget)) if reply is None else reply


def think(bot: Bot, view: Any, offers: Sequence[Offer[Any]], budget: Budget) -> "Thinking[Any]":
    """Decide as a bot does, with its search, if it has any, as a task."""
    if isinstance(bot, SearchingBot):
        return (yield from bot.think(view, offers, budget))
    return bot.decide(view, offers, budget)


class BotPlayer:
    """A bot as a player that has the same budget for each decision."""

    def __init__(self, bot: Bot, budget: Budget) -> None:
        self.bot, self.budget = bot, budget

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        return self.bot.decide(view, offers, self.budget)

    def in_time(self, view: Any, offers: Sequence[Offer[Any]], left: float) -> Any:
        return self.bot.decide(view, offers, self.budget.with_time_left(left))
