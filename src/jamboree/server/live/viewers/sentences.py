"""Sentences about a game in a viewer's language."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jamboree.core.avatars import using_avatars
from jamboree.core.game import Outcome
from jamboree.core.offers import Caution
from jamboree.core.seats import mentions
from jamboree.core.words import Catalogue, Language

from ...errors import IllegalAction, Refused

if TYPE_CHECKING:
    from ..state import TableState
    from ..visibility import GameStep

CATALOGUE = Catalogue("jamboree.server")


class Sentences:
    """Sentences in one language; without a language every sentence is empty.

    The player at the seat `reader` is addressed as “you”.
    """

    def __init__(self, state: "TableState", language: Language | None, reader: int | None = None) -> None:
        self.state, self.language, self.reader = state, language, reader

    def of_events(self, events: Iterable[Any]) -> list[str]:
        """Render events that a viewer has witnessed, one sentence for each."""
        if self.language is None:
            return []
        words, names = self.state.game.words, self.state.roster.names()
        with using_avatars(self.state.roster.looks.by_seat):
            return [words.sentence(event, names, self.language, self.reader) for event in events]

    def addressed(self, events: Sequence[Any], neutral: list[str]) -> list[str]:
        """Address the reader in the sentences about events that mention their seat; the others stay neutral."""
        if self.language is None or self.reader is None:
            return neutral
        own = [at for at, event in enumerate(events) if mentions(event, self.reader)]
        if not own:
            return neutral
        addressed = dict(zip(own, self.of_events(events[at] for at in own), strict=True))
        return [addressed.get(at, sentence) for at, sentence in enumerate(neutral)]

    def note(self, step: "GameStep") -> str:
        """The note that a bot acted in place of a player, and why."""
        if self.language is None or step.stand_in is None:
            return ""
        actor = int(step.actor)
        key = f"stood-in.{step.stand_in}{'.you' if actor == self.reader else ''}"
        return CATALOGUE.say(self.language, key, name=self.state.roster.names()[actor])

    def question(self, view: Any, asked: bool) -> str:
        """What the viewer has to decide."""
        if self.language is None or not asked:
            return ""
        with using_avatars(self.state.roster.looks.by_seat):
            return self.state.game.words.question(view, self.language)

    def decided(self, view: Any, outcome: Outcome | None) -> str:
        """What decided the game, by the viewer's final view; empty until it is over."""
        if self.language is None or outcome is None:
            return ""
        with using_avatars(self.state.roster.looks.by_seat):
            names = self.state.roster.names()
            return self.state.game.words.decided(view, outcome, names, self.language, self.reader)

    def warning(self, caution: Caution) -> str:
        return self.state.game.words.warning(caution, self.language) if self.language else ""

    def refusal(self, refused: Refused) -> str:
        """The reason for a refusal. Only reasons from the rules are localized; the others have codes for clients."""
        if self.language is None or not isinstance(refused, IllegalAction):
            return refused.sentence
        return self.state.game.words.reason(refused.illegal, self.language)
