"""What a table says in the language of a connection: the words are the game's, the names are those at the table."""

from collections.abc import Iterable, Sequence
from typing import Any

from jamboree.core.avatars import using_avatars
from jamboree.core.game import Outcome, Viewer
from jamboree.core.offers import Caution
from jamboree.core.words import Catalogue, Language

from ..errors import AgainstTheRules, Refused
from ..memory.memory import Memory
from ..memory.records import StandIn
from ..memory.witnesses import Seen, Told

CATALOGUE = Catalogue("jamboree.server")


class Sentences:
    """Speaks one language, or none: then every sentence is empty."""

    def __init__(self, memory: Memory, language: Language | None) -> None:
        self.memory, self.language = memory, language

    def told(self, events: Iterable[Any]) -> list[str]:
        """Tell events that a viewer has witnessed, a sentence for each."""
        if self.language is None:
            return []
        words, names = self.memory.game.words, self.memory.lobby.names()
        with using_avatars(self.memory.lobby.looks.worn):
            return [words.sentence(event, names, self.language) for event in events]

    def note(self, told: Told) -> str:
        """Say that a bot stood in for who was to act, and why."""
        if self.language is None or told.stand_in is None:
            return ""
        name = self.memory.lobby.names()[int(told.actor)]
        return CATALOGUE.say(self.language, f"stood-in.{told.stand_in}", name=name)

    def question(self, view: Any, asked: bool) -> str:
        """Ask a viewer for what comes next, if it is up to them."""
        if self.language is None or not asked:
            return ""
        with using_avatars(self.memory.lobby.looks.worn):
            return self.memory.game.words.question(view, self.language)

    def decided(self, view: Any, outcome: Outcome | None) -> str:
        """Say what decided the game, once it is over, by what a viewer sees of its end."""
        if self.language is None or outcome is None:
            return ""
        with using_avatars(self.memory.lobby.looks.worn):
            return self.memory.game.words.decided(view, outcome, self.memory.lobby.names(), self.language)

    def warning(self, caution: Caution) -> str:
        return self.memory.game.words.warning(caution, self.language) if self.language else ""

    def refusal(self, refused: Refused) -> str:
        """Say why something is refused; what is not about the game stays in English, and has a code."""
        if self.language is None or not isinstance(refused, AgainstTheRules):
            return refused.sentence
        return self.memory.game.words.reason(refused.illegal, self.language)


def witnessed(memory: Memory, events: Sequence[Any], viewer: Viewer) -> list[Any]:
    """Give what a viewer sees of events."""
    witness = memory.game.witness
    return [seen for event in events if (seen := witness(event, viewer)) is not None]


def shows_more(told: Told, seat: int, seen: Sequence[Any], open_to_all: Sequence[Any]) -> bool:
    """Tell whether a seat may be shown more of a step than a spectator, by what each of them has witnessed.

    Its own always may, but for a turn in which nobody else had to choose and of which everybody sees all.
    """
    return seen != open_to_all or (told.actor == seat and not (told.alone and seen))


def hides(told: Told, open_to_all: Sequence[Any]) -> bool:
    """Tell whether a step has anything in it that a spectator is not shown."""
    return open_to_all != told.events


def is_noted(memory: Memory, told: Told, viewer: Seen) -> bool:
    """Tell whether a viewer is told that a bot stood in: who saw nothing of the step is told nothing of it.

    That somebody is away is said once, as long as the same is asked of them.
    """
    if told.stand_in is None or viewer in told.unseen_by:
        return False
    return told.stand_in == "time" or _last_heard(memory, told, viewer) != told.stand_in


def _last_heard(memory: Memory, told: Told, viewer: Seen) -> StandIn | None:
    """Find who chose when the viewer last saw the same seat act, unless something else was asked since."""
    before: list[Told] = [each for each in memory.recent(viewer).steps if each.seq < told.seq]
    for earlier in before[::-1]:
        if told.actor not in earlier.asked:
            return None
        if earlier.actor == told.actor:
            return earlier.stand_in
    return None
