"""How the twin of this game is asked what a seat does."""

from typing import Any

from jamboree.core.kernel.player import Decider, Offers, Rows
from jamboree.core.play import WAIT

from ..fast import layout as at
from ..fast.bridge import row_of, table_for
from ..fast.greedy import decide
from ..rules.actions import SayReady, repertoire
from ..seen.restore import restore
from ..seen.views import View


def at_once(view: View, offers: Offers) -> Any:
    """Wait for the others when done; nobody needs time before the plane."""
    if view.phase == "pulled" or view.viewer in view.ready:
        return WAIT
    return SayReady() if view.phase == "preparation" else None


ROWS = Rows(table_for, row_of, decide, at.SCRATCH, at.MEMORY)
DECIDER = Decider(restore, lambda state: ROWS, lambda state: repertoire(state.seats).all, at_once)
