"""A step and its sentences, worked out once for all viewers who see the same of it."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from jamboree.core.avatars import using_avatars
from jamboree.core.game import Outcome
from jamboree.core.offers import Caution
from jamboree.core.words import Catalogue, Language

from ...errors import IllegalAction, Refused
from ...protocol.parts import Note, Step
from ..state import TableState
from ..visibility import GameStep, Seen, hides, is_noted, shows_more, witnessed

CATALOGUE = Catalogue("jamboree.server")


class Sentences:
    """Speaks one language, or none: then every sentence is empty."""

    def __init__(self, state: TableState, language: Language | None) -> None:
        self.state, self.language = state, language

    def told(self, events: Iterable[Any]) -> list[str]:
        """Tell events that a viewer has witnessed, a sentence for each."""
        if self.language is None:
            return []
        words, names = self.state.game.words, self.state.roster.names()
        with using_avatars(self.state.roster.looks.worn):
            return [words.sentence(event, names, self.language) for event in events]

    def note(self, told: GameStep) -> str:
        """Say that a bot stood in for who was to act, and why."""
        if self.language is None or told.stand_in is None:
            return ""
        name = self.state.roster.names()[int(told.actor)]
        return CATALOGUE.say(self.language, f"stood-in.{told.stand_in}", name=name)

    def question(self, view: Any, asked: bool) -> str:
        """Ask a viewer for what comes next, if it is up to them."""
        if self.language is None or not asked:
            return ""
        with using_avatars(self.state.roster.looks.worn):
            return self.state.game.words.question(view, self.language)

    def decided(self, view: Any, outcome: Outcome | None) -> str:
        """Say what decided the game, once it is over, by what a viewer sees of its end."""
        if self.language is None or outcome is None:
            return ""
        with using_avatars(self.state.roster.looks.worn):
            return self.state.game.words.decided(view, outcome, self.state.roster.names(), self.language)

    def warning(self, caution: Caution) -> str:
        return self.state.game.words.warning(caution, self.language) if self.language else ""

    def refusal(self, refused: Refused) -> str:
        """Say why something is refused; what is not about the game stays in English, and has a code."""
        if self.language is None or not isinstance(refused, IllegalAction):
            return refused.sentence
        return self.state.game.words.reason(refused.illegal, self.language)


class StepForViewers:
    """What each viewer has witnessed of a step, and the sentences for it in each language."""

    def __init__(self, state: TableState, told: GameStep) -> None:
        self.state, self.told = state, told
        self._seen: dict[Seen, list[Any]] = {}
        self._lines: dict[tuple[int, Language | None], list[str]] = {}  # by the list of what was seen
        self._steps: dict[tuple[Seen, Language | None], Step] = {}

    def seen(self, viewer: Seen) -> list[Any]:
        """Give what a viewer has witnessed: the very same list as a spectator, if it is no more and no less."""
        if self.told.is_open:
            return self.told.events
        known = self._seen.get(viewer)
        if known is None:
            known = witnessed(self.state, self.told.events, viewer)
            if viewer is not None and known == (open_to_all := self.seen(None)):
                known = open_to_all
            self._seen[viewer] = known
        return known

    def step(self, viewer: Seen, language: Language | None) -> Step:
        known = self._steps.get((viewer, language))
        if known is None:
            known = self._steps[viewer, language] = self._told_to(viewer, Sentences(self.state, language))
        return known

    def shows_more(self, seat: int) -> bool:
        """Tell whether a seat may be shown more of the step than a spectator."""
        return shows_more(self.told, seat, self.seen(seat), self.seen(None))

    @cached_property
    def hides(self) -> bool:
        """Tell whether the step has anything in it that a spectator is not shown."""
        return hides(self.told, self.seen(None))

    @cached_property
    def reveals(self) -> bool:
        """Tell whether something hidden was laid open."""
        return any(self.state.game.reveals(self.state.position, event) for event in self.told.events)

    def _told_to(self, viewer: Seen, sentences: Sentences) -> Step:
        state, told, seen = self.state, self.told, self.seen(viewer)
        note = sentences.note(told) if is_noted(state, told, viewer) else ""
        noted = Note(int(told.actor), note) if note else None
        return Step(state.number(viewer, told.seq), seen, self._said(seen, sentences), noted)

    def _said(self, seen: list[Any], sentences: Sentences) -> list[str]:
        key = (id(seen), sentences.language)
        if key not in self._lines:
            self._lines[key] = sentences.told(seen)
        return self._lines[key]
