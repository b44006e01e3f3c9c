"""A position painted for clients that can't draw its game: as a terminal shows it, and made of the view alone."""

from collections.abc import Sequence
from typing import Any

from jamboree.core.menu import by_choice
from jamboree.core.offers import Offer
from jamboree.core.words import Language

from ..memory.memory import Memory
from ..protocol.parts import MenuGroup, Painting, by_type
from ..protocol.wire import encode

BLOCK = 1024
MENUS = 16 * BLOCK  # how much longer a menu may be later in a game than at its beginning, when hands are full


def painted(memory: Memory, view: Any, offers: Sequence[Offer[Any]], language: Language | None) -> Painting:
    words, names, lang = memory.game.words, memory.lobby.names(), language or "en"
    in_order = [offer for rows in by_type(offers).values() for offer, _ in rows]  # as the client counts them
    menu = by_choice(words, view, enumerate(in_order), lang)
    return Painting(
        lines=[list(line) for line in words.paint(view, names, lang)],
        menu=[MenuGroup(title, list(targets), list(targets.values())) for title, targets in menu.items()],
        scores=list(memory.game.standing(view)),
    )


def painted_room(memory: Memory, beginning: Any, seat: int, language: Language | None) -> int:
    """Leave room for whatever a seat may be painted: it follows from what was dealt and what spectators see."""
    game, state = memory.game, memory.state
    dealt = painted(memory, game.view(beginning, seat), game.legal(beginning, seat), language)
    watched = painted(memory, game.view(state, None), (), language)
    return ((len(encode(dealt)) + len(encode(watched))) // BLOCK + 1) * BLOCK + MENUS
