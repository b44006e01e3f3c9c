"""Looks one action ahead: lines it completes, and where the Beachball would go then."""

from typing import NamedTuple

from . import floor
from .actions import AnyAction, PlaceToken, SwapDancers
from .restore import restore
from .state import GIFT
from .views import View


class Outlook(NamedTuple):
    superfans: int  # that the lines would make if nothing changed before combos; 0 if there are no more than before
    hop: str | None  # of the Beachball, if it would go elsewhere


def outlook(seen: View, action: AnyAction) -> Outlook:
    """Tell what a move or a placement changes for the player whose fans it concerns."""
    if not isinstance(action, SwapDancers | PlaceToken) or seen.turn is None:
        return Outlook(0, None)
    state = restore(seen)
    seat = state.order[state.at] if state.phase == GIFT else seen.turn
    index = state.room.index
    if isinstance(action, SwapDancers):
        floor.swap(state, index[action.cell], index[action.other])
    else:
        floor.place(state, seat, index[action.cell])
    superfans, hop = floor.prospects(state)[seat].superfans, floor.next_hop(state)
    return Outlook(superfans if superfans > seen.lines[seat].superfans else 0, hop if hop != seen.hop else None)
