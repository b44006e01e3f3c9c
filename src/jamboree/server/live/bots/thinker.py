"""Whoever thinks for the bots of all tables: worker processes, or a web worker in a page."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from jamboree.bots import Level
from jamboree.coach import AdviceText
from jamboree.core.game import GameInfo
from jamboree.core.play import Later, Whisper

from ...errors import trace
from ...protocol.wire import encode
from .worker import Question


class BotFailed(Exception):
    """A bot gave no usable answer."""


def failure_text(failure: Exception) -> str:
    """A failure for the log, without values, which may be secrets of a game."""
    return str(failure) if isinstance(failure, BotFailed) else trace(failure)


def question_for(info: GameInfo, bot: str, level: Level, view: Any, offers: Sequence[Any], **more: Any) -> Question:
    """A question with a seat's view and offers, and nothing else of the position."""
    seen, offered = msgspec.Raw(encode(view)), msgspec.Raw(encode(offers))
    return Question(bot, info.key, info.rules_version, level, seen, offered, **more)


Renewed = Callable[[], Question | None]
Choice = dict[str, Any] | Later | Whisper | None
"""An action, when to ask again, or words to another player; None: nothing for now."""


class Thinker(ABC):
    """Answers questions about positions. Each bot's plans are remembered by its id."""

    @abstractmethod
    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        """What a bot does. `renewed` gives the latest question."""

    @abstractmethod
    async def advise(self, question: Question) -> AdviceText:
        """Advice for a person."""

    @abstractmethod
    def before(self, bot: str) -> int:
        """The number of questions before this bot's."""

    @abstractmethod
    async def close(self) -> None: ...
