"""Looks one action ahead: lines it completes, and where the Beachball would go then."""

from typing import NamedTuple

from ..box.components import BOX
from ..rules import floor
from ..rules.actions import AnyAction, PlaceToken, SwapDancers
from ..rules.state import GIFT, State
from .restore import restore
from .views import View


class Completed(NamedTuple):
    """A player for whom a line is completed, and what all lines of that player would make before combos."""

    seat: int
    superfans: int


class Lookahead(NamedTuple):
    lines: list[Completed]
    hop: str | None  # of the Beachball, if it would go elsewhere


def look_ahead(view: View, action: AnyAction) -> Lookahead:
    """Tell what a move or a placement changes, for whoever has fans there."""
    if not isinstance(action, SwapDancers | PlaceToken) or view.turn is None:
        return Lookahead([], None)
    state = restore(view)
    before, index = [_lines(state, seat) for seat in range(state.seats)], state.room.index
    if isinstance(action, SwapDancers):
        floor.swap(state, index[action.cell], index[action.other])
    else:
        floor.place(state, state.order[state.at] if state.phase == GIFT else view.turn, index[action.cell])
    prospects, hop = floor.prospects(state), floor.next_hop(state)
    completed = [
        Completed(seat, prospects[seat].superfans) for seat, old in enumerate(before) if _lines(state, seat) - old
    ]
    return Lookahead(completed, hop if hop != view.hop else None)


def _lines(state: State, seat: int) -> set[int]:
    """Find the lines a player has, each as a mask; a longer one counts as several."""
    room, fans, row_line = state.room, state.fans[seat], state.bends.row_line
    windows = room.windows if row_line >= BOX.line else (*room.windows, *room.row_windows(row_line))
    return {window for window in windows if fans & window == window}
