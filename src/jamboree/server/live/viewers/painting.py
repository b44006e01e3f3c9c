"""Positions as styled text, as in a terminal, for clients that cannot draw a game. Only the view is used."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame
from jamboree.core.menu import by_choice
from jamboree.core.offers import Offer
from jamboree.core.words import Language, Line, Span

from ...protocol.parts import MenuGroup, Painting

if TYPE_CHECKING:
    from ..state import TableState

MAX_LINES, MAX_SPANS, MAX_SPAN_LENGTH = 500, 500, 5000
MORE = Span("…", "dim")


def painted(state: "TableState", view: Any, offers: Sequence[Offer[Any]], language: Language | None) -> Painting:
    """Paint a view, with a menu of the offers by their numbers."""
    words, names, lang = state.game.words, state.roster.names(), language or "en"
    with using_avatars(state.roster.looks.by_seat):
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
