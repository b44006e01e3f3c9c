"""What people at a live table ask of each other beside the game: to take a move back, to pause, to go on."""

from collections.abc import Callable, Coroutine
from typing import Any

from jamboree.client import Seat
from jamboree.server.protocol.parts import Seated, TableSeen, UndoAsked

from ..language import CATALOGUE
from ..show import clean

SlashCommand = Callable[[Seat], Coroutine[Any, Any, None]]

SLASH_COMMANDS: dict[str, SlashCommand] = {
    "/undo": lambda seat: seat.undo(),
    "/withdraw": lambda seat: seat.withdraw(),
    "/yes": lambda seat: seat.agree(True),
    "/no": lambda seat: seat.agree(False),
    "/pause": lambda seat: seat.pause(True),
    "/resume": lambda seat: seat.pause(False),
}


def discussed(table: TableSeen, me: str | None, lang: str) -> str:
    """Say who asks to take a move back and whose answers are missing; nothing while nobody asks."""
    asked = table.undo_asked
    if asked is None:
        return ""
    silent = [person for person in table.people if person.person in _silent(asked)]
    name = next((clean(person.name) for person in table.people if person.person == asked.person), "?")
    names = ", ".join(_named(person, lang) for person in silent)
    if me in _silent(asked):
        return CATALOGUE.say(lang, "live.undo.asked", name=name)
    return CATALOGUE.say(lang, "live.undo.mine" if asked.person == me else "live.undo.waiting", name=name, names=names)


def _silent(asked: UndoAsked) -> set[str]:
    return {*asked.needed} - {*asked.agreed, *asked.refused}


def _named(person: Seated, lang: str) -> str:
    name = clean(person.name)
    return name if person.here else CATALOGUE.say(lang, "live.away", name=name)
