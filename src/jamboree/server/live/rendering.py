"""Renders a game as text: sentences in a viewer's language, and positions as styled lines for clients without a UI."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame, Outcome
from jamboree.core.menu import by_choice
from jamboree.core.offers import Caution, Offer
from jamboree.core.seats import mentions
from jamboree.core.words import Catalogue, Language, Line, Span

from ..errors import IllegalAction, Refused
from ..protocol.parts import MenuGroup, Painting

if TYPE_CHECKING:
    from .state import TableState
    from .visibility import GameStep

CATALOGUE = Catalogue("jamboree.server")
MAX_LINES, MAX_SPANS, MAX_SPAN_LENGTH = 500, 500, 5000
MORE = Span("…", "dim")


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
        with using_avatars(self.state.roster.avatars.by_seat):
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
        with using_avatars(self.state.roster.avatars.by_seat):
            return self.state.game.words.question(view, self.language)

    def decided(self, view: Any, outcome: Outcome | None) -> str:
        """What decided the game, by the viewer's final view; empty until it is over."""
        if self.language is None or outcome is None:
            return ""
        with using_avatars(self.state.roster.avatars.by_seat):
            names = self.state.roster.names()
            return self.state.game.words.decided(view, outcome, names, self.language, self.reader)

    def warning(self, caution: Caution) -> str:
        return self.state.game.words.warning(caution, self.language) if self.language else ""

    def refusal(self, refused: Refused) -> str:
        """The reason for a refusal. Only reasons from the rules are localized; the others have codes for clients."""
        if self.language is None or not isinstance(refused, IllegalAction):
            return refused.sentence
        return self.state.game.words.reason(refused.illegal, self.language)


def painted(state: "TableState", view: Any, offers: Sequence[Offer[Any]], language: Language | None) -> Painting:
    """Paint a view, with a menu of the offers by their numbers."""
    words, names, lang = state.game.words, state.roster.names(), language or "en"
    with using_avatars(state.roster.avatars.by_seat):
        menu = by_choice(words, view, enumerate(offers), names, lang)
        painting = picture(state.game, view, names, lang)
    groups = [MenuGroup(title, list(targets), list(targets.values())) for title, targets in menu.items()]
    return msgspec.structs.replace(painting, menu=groups)


def picture(game: AnyGame, view: Any, names: Sequence[str], lang: Language) -> Painting:
    """Paint a view without a menu."""
    painted = game.words.paint(view, names, lang)
    lines = [_line(line) for line in painted[:MAX_LINES]]
    return Painting([*lines, [MORE]] if len(painted) > MAX_LINES else lines, [], list(game.standing(view)))


def _line(line: Line) -> list[Span]:
    """A line with its length limited, and the empty style for unstyled spans."""
    spans = [Span(span.text[:MAX_SPAN_LENGTH], span.style or "") for span in line[:MAX_SPANS]]
    return [*spans, MORE] if len(line) > MAX_SPANS else spans
