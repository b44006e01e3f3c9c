"""Positions drawn as text, and what players do there.

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

from .boards import drawn

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
    """Set up what a drawing shows, on the board under it unless another is given."""
    return restore(seen(drawing, board, centre))


def seen(drawing: str, board: str = "", centre: str = "") -> View:
    return BEBOP.words.parse(full(drawing, board, centre))


def full(drawing: str, board: str = "", centre: str = "") -> str:
    """Write a whole drawing, with its board in front."""
    text = dedent(drawing).strip("\n")
    if text.startswith("board:"):
        return text
    source = board or board_under(text.rpartition("map:\n")[2], centre)
    return "\n".join(["festival:", *(f"| {line}" for line in source.split("\n")), text])


def board_under(picture: str, centre: str = "") -> str:
    """Draw the empty board under a position."""
    rows, dice = [], list[str]()
    for row in picture.split("\n"):
        symbols = {word.start() // HALF_PITCH: _symbol(word.group(), dice) for word in re.finditer(r"\S+", row)}
        rows.append("".join(symbols.get(x, " ") for x in range(max(symbols, default=-1) + 1)))
    return drawn("\n".join(rows), dice="\n".join(dice), centre=centre)


def _symbol(mark: str, dice: list[str]) -> str:
    if mark[0] == "=":
        dice.append(f"{LETTERS[len(dice)]} {COLOURS[mark[1]]} {FACES[mark[2]]}")
        return LETTERS[len(dice) - 1]
    if mark[0].isdigit():
        assert mark[1] != "s", "which stage is under a Backstage Pass can't be seen: give a board"
        return "*" if mark[1] == "v" else "."
    return mark[0]


def act(state: State, action: AnyAction, *values: str) -> list[AnyEvent]:
    """Let the player whose turn it is act; chance says these values, all of them."""
    script, events = Scripted(*values), list[AnyEvent]()
    BEBOP.apply(state, state.turn, action, script, events.append)
    assert script.values == [], "chance was not asked for all of this"
    return events


def refused(state: State, action: AnyAction, actor: Actor | None = None) -> Illegal:
    """Try what is not allowed; the position stays as it was."""
    before = dump(state)
    with pytest.raises(Illegal) as caught:
        BEBOP.apply(state, state.turn if actor is None else actor, action, Chance())
    assert dump(state) == before
    return caught.value


def offered(state: State) -> list[AnyAction]:
    return [offer.action for offer in BEBOP.legal(state, state.turn)]


def only(events: Sequence[AnyEvent], kind: type[E]) -> E:
    (event,) = every(events, kind)
    return event


def every(events: Sequence[AnyEvent], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def scores(state: State) -> tuple[int, ...]:
    return BEBOP.scores(state)


def phase(state: State) -> str:
    return BEBOP.view(state, Eye.ALL).phase


def picture(state: State) -> str:
    """Draw the map of a position."""
    return _squeezed(BEBOP.words.draw(BEBOP.view(state, Eye.ALL)).rpartition("map:\n")[2])


def shows(state: State, expected: str) -> bool:
    """Tell whether the map looks like this."""
    assert picture(state) == _squeezed(expected)
    return True


def _squeezed(rows: str) -> str:
    return "\n".join(line.rstrip() for line in dedent(rows).strip("\n").split("\n"))
