"""A position painted for clients that can't draw its game: as a terminal shows it, and made of the view alone."""

from collections.abc import Sequence
from typing import Any

import msgspec

from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame, Eye, Viewer
from jamboree.core.journal import steps
from jamboree.core.menu import by_choice
from jamboree.core.offers import Offer
from jamboree.core.words import Language, Line, Span

from ...protocol.parts import MenuGroup, Painting
from ...protocol.wire import encode
from ...store import Record
from ..replay import journal_of, packed
from ..state import TableState

MOST_LINES, MOST_SPANS, LONGEST = 500, 500, 5000  # of a painting, of a line, of a span in characters
MORE = Span("…", "dim")
BLOCK = 1024
MENUS = 16 * BLOCK  # how much longer a menu may be later in a game than at its beginning, when hands are full


def painted(state: TableState, view: Any, offers: Sequence[Offer[Any]], language: Language | None) -> Painting:
    """Paint what a viewer sees, and list the offers as they are put to a person, counted in their order."""
    words, names, lang = state.game.words, state.roster.names(), language or "en"
    with using_avatars(state.roster.looks.worn):
        menu = by_choice(words, view, enumerate(offers), names, lang)
        painting = picture(state.game, view, names, lang)
    groups = [MenuGroup(title, list(targets), list(targets.values())) for title, targets in menu.items()]
    return msgspec.structs.replace(painting, menu=groups)


def paintings_of(
    history: Sequence[Record], game: AnyGame, looks: Sequence[int], language: Language, viewer: Viewer = Eye.ALL
) -> bytes:
    """Paint every step of a finished game as a viewer sees it, packed like its replay."""
    journal = journal_of(history)
    views = (game.view(step.state, viewer) for step in steps(journal, game))
    with using_avatars(looks):
        return packed(picture(game, view, journal.header.names, language) for view in views)


def picture(game: AnyGame, view: Any, names: Sequence[str], lang: Language) -> Painting:
    """Paint a view by itself, without anything to choose."""
    painted = game.words.paint(view, names, lang)
    lines = [_line(line) for line in painted[:MOST_LINES]]
    return Painting([*lines, [MORE]] if len(painted) > MOST_LINES else lines, [], list(game.standing(view)))


def _line(line: Line) -> list[Span]:
    """Give a line as it is sent: no longer than anybody could read, and what has no style has an empty one."""
    spans = [Span(span.text[:LONGEST], span.style or "") for span in line[:MOST_SPANS]]
    return [*spans, MORE] if len(line) > MOST_SPANS else spans


def painted_room(state: TableState, beginning: Any, seat: int, language: Language | None) -> int:
    """Leave room for whatever a seat may be painted: it follows from what was dealt and what spectators see."""
    game, position = state.game, state.position
    dealt = painted(state, game.view(beginning, seat), game.legal(beginning, seat), language)
    watched = painted(state, game.view(position, None), (), language)
    return ((len(encode(dealt)) + len(encode(watched))) // BLOCK + 1) * BLOCK + MENUS
