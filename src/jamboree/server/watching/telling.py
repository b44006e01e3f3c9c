"""One step as it is told: worked out once for all who see the same of it."""

from functools import cached_property
from typing import Any

from jamboree.core.words import Language

from ..memory.memory import Memory
from ..memory.witnesses import Seen, Told
from ..protocol.parts import Note, Step
from .sentences import Sentences, hides, is_noted, shows_more, witnessed


class Telling:
    """What each viewer has witnessed of a step, and the sentences for it in each language."""

    def __init__(self, memory: Memory, told: Told) -> None:
        self.memory, self.told = memory, told
        self._seen: dict[Seen, list[Any]] = {}
        self._lines: dict[tuple[int, Language | None], list[str]] = {}  # by the list of what was seen
        self._steps: dict[tuple[Seen, Language | None], Step] = {}

    def seen(self, viewer: Seen) -> list[Any]:
        """Give what a viewer has witnessed: the very same list as a spectator, if it is no more and no less."""
        if self.told.is_open:
            return self.told.events
        known = self._seen.get(viewer)
        if known is None:
            known = witnessed(self.memory, self.told.events, viewer)
            if viewer is not None and known == (open_to_all := self.seen(None)):
                known = open_to_all
            self._seen[viewer] = known
        return known

    def step(self, viewer: Seen, language: Language | None) -> Step:
        known = self._steps.get((viewer, language))
        if known is None:
            known = self._steps[viewer, language] = self._told_to(viewer, Sentences(self.memory, language))
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
        return any(self.memory.game.reveals(self.memory.state, event) for event in self.told.events)

    def _told_to(self, viewer: Seen, sentences: Sentences) -> Step:
        memory, told, seen = self.memory, self.told, self.seen(viewer)
        note = sentences.note(told) if is_noted(memory, told, viewer) else ""
        noted = Note(int(told.actor), note) if note else None
        return Step(memory.number(viewer, told.seq), seen, self._said(seen, sentences), noted)

    def _said(self, seen: list[Any], sentences: Sentences) -> list[str]:
        key = (id(seen), sentences.language)
        if key not in self._lines:
            self._lines[key] = sentences.told(seen)
        return self._lines[key]
