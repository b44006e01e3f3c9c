"""What a table says in the language of a connection: the words are the game's, the names are those at the table."""

from collections.abc import Iterable, Sequence
from typing import Any

from jamboree.core.game import Viewer
from jamboree.core.offers import Caution
from jamboree.core.words import Language

from .errors import AgainstTheRules, Refused
from .memory import Memory


class Speech:
    """Speaks one language, or none: then every sentence is empty."""

    def __init__(self, memory: Memory, language: Language | None) -> None:
        self.memory, self.language = memory, language

    def told(self, events: Iterable[Any]) -> list[str]:
        """Tell events that a viewer has witnessed, a sentence for each."""
        if self.language is None:
            return []
        words, names = self.memory.game.words, self.memory.lobby.names()
        return [words.sentence(event, names, self.language) for event in events]

    def question(self, view: Any, asked: bool) -> str:
        """Ask a viewer for what comes next, if it is up to them."""
        return self.memory.game.words.question(view, self.language) if self.language and asked else ""

    def warning(self, caution: Caution) -> str:
        return self.memory.game.words.warning(caution, self.language) if self.language else ""

    def refusal(self, refused: Refused) -> str:
        """Say why something is refused; what is not about the game stays in English, and has a code."""
        if self.language is None or not isinstance(refused, AgainstTheRules):
            return refused.sentence
        return self.memory.game.words.reason(refused.illegal, self.language)


def witnessed(memory: Memory, events: Sequence[Any], viewer: Viewer) -> list[Any]:
    """Give what a viewer sees of events."""
    seen = (memory.game.witness(event, viewer) for event in events)
    return [event for event in seen if event is not None]
