"""Reads the drawn floor of a position."""

import re
from collections.abc import Sequence

from jamboree.core.kit.drawing import BadDrawing, read_seat

from ..box.components import ARROWS, COLOURS
from ..box.dancers import NUMBER, Dancer
from ..rules import floor
from ..rules.state import State
from .notation import ARROW_MARKS, BALL_MARK, COLOUR_MARKS, GAP_MARK, PITCH

CELL = re.compile(r"([a-z])([\^v<>])([1-9]?)")


def read_floor(state: State, rows: Sequence[str]) -> None:
    row = 0
    for line in rows:
        if line.strip() == BALL_MARK:
            corner = state.room.grid.columns * (row - 1) + line.index(BALL_MARK) // PITCH
            if corner not in state.room.around:
                raise BadDrawing("the ball does not lie between four dancers")
            state.ball = corner
        elif line.strip():
            for column, mark in enumerate(line.split()):
                _read_cell(state, state.room.grid.cell(column, row), mark)
            row += 1


def _read_cell(state: State, cell: int, mark: str) -> None:
    if mark == GAP_MARK:
        return
    match = CELL.fullmatch(mark)
    if not match:
        raise BadDrawing(f"{mark!a} is neither a dancer like 'r^' or 'gv2' nor a gap '{GAP_MARK}'")
    floor.enter(state, cell, read_dancer(mark[:2]))
    if match[3]:
        floor.place(state, read_seat(match[3], state.seats), cell)


def read_dancer(mark: str) -> int:
    if len(mark) != 2 or mark[0] not in COLOUR_MARKS or mark[1] not in ARROW_MARKS:
        raise BadDrawing(f"{mark!a} is not a dancer like 'r^'")
    return NUMBER[Dancer(COLOURS[COLOUR_MARKS.index(mark[0])], ARROWS[ARROW_MARKS.index(mark[1])])]
