"""Players for this game, by name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from jamboree.core.kernel.player import Decider, Offers, Rows, TwinPlayer, only_offer
from jamboree.core.play import WAIT

from ..fast import layout as at
from ..fast.bridge import row_of, table_for, weigh_by
from ..fast.greedy import choose_greedily
from ..fast.weights import WEIGHTS
from ..rules.actions import repertoire
from ..seen.restore import restore
from ..seen.views import View


def at_once(view: View, offers: Offers) -> Any:
    """Leave a choice that is sealed as it is; take the only offer there is."""
    if isinstance(view.viewer, int) and view.sealed[view.viewer].done:
        return WAIT
    return only_offer(view, offers)


ROWS = Rows(table_for, row_of, choose_greedily, at.SCRATCH)
DECIDER = Decider(restore, lambda state: ROWS, lambda state: repertoire(state.room).all, at_once)
BOTS: Mapping[str, Callable[[int | None], Any]] = {
    name: partial(TwinPlayer, DECIDER, weigh=partial(weigh_by, name=name)) for name in WEIGHTS
}
