"""The bots of BPMs Per Minute by name, all of them greedy players on the twin's decision function."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from jamboree.core.play import WAIT
from jamboree.core.twin.greedy_player import Adapter, GreedyPlayer, Offers, RowFunctions, only_offer

from ..fast import layout as at
from ..fast.bridge import row_of, table_for, weigh_by
from ..fast.greedy import choose_greedily
from ..fast.weights import WEIGHTS
from ..rules.actions import action_space
from ..visibility.restore import restore
from ..visibility.views import View


def shortcut(view: View, offers: Offers) -> Any:
    """Leave a sealed choice as it is, and take the only offer there is."""
    if isinstance(view.viewer, int) and view.sealed[view.viewer].done:
        return WAIT
    return only_offer(view, offers)


FUNCTIONS = RowFunctions(table_for, row_of, choose_greedily, at.SCRATCH)
ADAPTER = Adapter(restore, lambda state: FUNCTIONS, lambda state: action_space(state.room).all, shortcut)
BOTS: Mapping[str, Callable[[int | None], Any]] = {
    name: partial(GreedyPlayer, ADAPTER, set_weights=partial(weigh_by, name=name)) for name in WEIGHTS
}
