"""Adapter between views of Boogie Beasts and the rows of its twin."""

from typing import Any

from jamboree.core.play import WAIT
from jamboree.core.twin.greedy_player import Adapter, Offers, RowFunctions

from ..fast import layout as at
from ..fast.bridge import row_of, table_for
from ..fast.greedy import decide
from ..rules.actions import SayReady, action_space
from ..visibility.restore import restore
from ..visibility.views import View


def shortcut(view: View, offers: Offers) -> Any:
    """Wait for the others when done, and say ready at once before the plane."""
    if view.phase == "pulled" or view.viewer in view.ready:
        return WAIT
    return SayReady() if view.phase == "preparation" else None


FUNCTIONS = RowFunctions(table_for, row_of, decide, at.SCRATCH, at.MEMORY)
ADAPTER = Adapter(restore, lambda state: FUNCTIONS, lambda state: action_space(state.seats).all, shortcut)
