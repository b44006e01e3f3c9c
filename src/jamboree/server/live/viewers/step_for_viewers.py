"""A step and its sentences, worked out once for all viewers who see the same of it."""

from collections.abc import Iterable, Sequence
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
    """Sentences in one language; without a language every sentence is empty.

    The player at the seat `reader` is addressed as “you”.
    """

    def __init__(self, state: TableState, language: Language | None, reader: int | None = None) -> None:
        self.state, self.language, self.reader = state, language, reader

    def of_events(self, events: Iterable[Any]) -> list[str]:
        """Render events that a viewer has witnessed, one sentence for each."""
        if self.language is None:
            return []
        words, names = self.state.game.words, self.state.roster.names()
        with using_avatars(self.state.roster.looks.worn):
            return [words.sentence(event, names, self.language, self.reader) for event in events]

    def addressed(self, events: Sequence[Any], neutral: list[str]) -> list[str]:
        """Address the reader in sentences that name everybody; those that do not name the reader stay the same."""
        if self.language is None or self.reader is None:
            return neutral
        name = self.state.roster.names()[self.reader]
        naming = [at for at, sentence in enumerate(neutral) if name in sentence]
        if not naming:
            return neutral
        addressed = dict(zip(naming, self.of_events(events[at] for at in naming), strict=True))
        return [addressed.get(at, sentence) for at, sentence in enumerate(neutral)]

    def note(self, step: GameStep) -> str:
        """Say that a bot acted in place of a player, and why."""
        if self.language is None or step.stand_in is None:
            return ""
        actor = int(step.actor)
        key = f"stood-in.{step.stand_in}{'.you' if actor == self.reader else ''}"
        return CATALOGUE.say(self.language, key, name=self.state.roster.names()[actor])

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
            names = self.state.roster.names()
            return self.state.game.words.decided(view, outcome, names, self.language, self.reader)

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
        self._neutral: dict[tuple[int, Language | None], list[str]] = {}  # sentences, by the list of what was seen
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
            known = self._steps[viewer, language] = self._build(viewer, Sentences(self.state, language, viewer))
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

    def _build(self, viewer: Seen, sentences: Sentences) -> Step:
        state, told, seen = self.state, self.told, self.seen(viewer)
        note = sentences.note(told) if is_noted(state, told, viewer) else ""
        noted = Note(int(told.actor), note) if note else None
        return Step(
            state.number(viewer, told.seq),
            seen,
            sentences.addressed(seen, self._neutral_sentences(seen, sentences)),
            noted,
        )

    def _neutral_sentences(self, seen: list[Any], sentences: Sentences) -> list[str]:
        """Render what was seen for nobody in particular, once for all viewers who saw the same."""
        key = (id(seen), sentences.language)
        if key not in self._neutral:
            self._neutral[key] = Sentences(self.state, sentences.language).of_events(seen)
        return self._neutral[key]
