"""Positions drawn as text, and helpers to act on them.

A drawing is written as `jamboree.games.bebop.words.notation` explains; the board under it is read off its map, so a
small board needs no file of its own. Billie and Louis are the players of the rulebook's examples.
"""

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import TypeVar

import pytest

from jamboree.core.chance import Chance, Scripted
from jamboree.core.errors import Illegal
from jamboree.core.game import Actor, Eye, dump
from jamboree.games import bebop
from jamboree.games.bebop.rules.actions import AnyAction
from jamboree.games.bebop.rules.events import AnyEvent
from jamboree.games.bebop.rules.state import State
from jamboree.games.bebop.visibility.restore import restore
from jamboree.games.bebop.visibility.views import View
from jamboree.games.bebop.words.notation import HALF_PITCH

from .boards import board_text

BEBOP = bebop.game
BILLIE, LOUIS, ELLA = range(3)

COLOURS = {"g": "green", "a": "aqua", "p": "purple", "r": "red", "y": "yellow"}
FACES = {"k": "keys", "b": "brass", "p": "percussion"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"

SCREENS = """
    options: hidden
    seat 1: hand rk gb yp
    seat 2: hand ak ab ap
    queue: gk pb yk rp
    map:
    .     1.    2.    .     Ak
"""

E = TypeVar("E")


def position(drawing: str, board: str = "", centre: str = "") -> State:
    """Restore the state of a drawing, on the board derived from its map unless another is given."""
    return restore(parse_drawing(drawing, board, centre))


def parse_drawing(drawing: str, board: str = "", centre: str = "") -> View:
    return BEBOP.words.parse(complete_drawing(drawing, board, centre))


def complete_drawing(drawing: str, board: str = "", centre: str = "") -> str:
    """Prefix a drawing with its board."""
    text = dedent(drawing).strip("\n")
    if text.startswith("board:"):
        return text
    source = board or board_under(text.rpartition("map:\n")[2], centre)
    return "\n".join(["festival:", *(f"| {line}" for line in source.split("\n")), text])


def board_under(picture: str, centre: str = "") -> str:
    """Derive the empty board from a drawn map."""
    rows, dice = [], list[str]()
    for row in picture.split("\n"):
        symbols = {word.start() // HALF_PITCH: _symbol(word.group(), dice) for word in re.finditer(r"\S+", row)}
        rows.append("".join(symbols.get(x, " ") for x in range(max(symbols, default=-1) + 1)))
    return board_text("\n".join(rows), dice="\n".join(dice), centre=centre)


def _symbol(mark: str, dice: list[str]) -> str:
    if mark[0] == "=":
        dice.append(f"{LETTERS[len(dice)]} {COLOURS[mark[1]]} {FACES[mark[2]]}")
        return LETTERS[len(dice) - 1]
    if mark[0].isdigit():
        assert mark[1] != "s", "which stage is under a Backstage Pass can't be seen: give a board"
        return "*" if mark[1] == "v" else "."
    return mark[0]


def act(state: State, action: AnyAction, *values: str) -> list[AnyEvent]:
    """Apply an action of the player whose turn it is with scripted picks, all of which must be used."""
    script, events = Scripted(*values), list[AnyEvent]()
    BEBOP.apply(state, state.turn, action, script, events.append)
    assert script.values == [], f"unused picks: {script.values}"
    return events


def refused(state: State, action: AnyAction, actor: Actor | None = None) -> Illegal:
    """Assert that an action is refused and leaves the state unchanged; return the refusal."""
    before = dump(state)
    with pytest.raises(Illegal) as caught:
        BEBOP.apply(state, state.turn if actor is None else actor, action, Chance())
    assert dump(state) == before
    return caught.value


def offered(state: State) -> list[AnyAction]:
    return [offer.action for offer in BEBOP.legal(state, state.turn)]


def only_event(events: Sequence[AnyEvent], kind: type[E]) -> E:
    (event,) = events_of(events, kind)
    return event


def events_of(events: Sequence[AnyEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def scores(state: State) -> tuple[int, ...]:
    return BEBOP.scores(state)


def phase(state: State) -> str:
    return BEBOP.view(state, Eye.ALL).phase


def picture(state: State) -> str:
    """Return the drawn map of a state."""
    return _squeezed(BEBOP.words.draw(BEBOP.view(state, Eye.ALL)).rpartition("map:\n")[2])


def shows(state: State, expected: str) -> bool:
    """Assert that the drawn map equals this one."""
    assert picture(state) == _squeezed(expected)
    return True


def _squeezed(rows: str) -> str:
    return "\n".join(line.rstrip() for line in dedent(rows).strip("\n").split("\n"))
