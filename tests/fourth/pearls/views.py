"""Views, and states restored from them."""

import msgspec

from jamboree.core.chance import Chance
from jamboree.core.game import Eye, Viewer
from jamboree.core.kit.game import Visibility
from jamboree.core.seats import BySeat, Seat

from .rules import COLOURS, OVER, AnyEvent, Colour, GameEnded, State


class View(msgspec.Struct, frozen=True):
    """An allow-list: a field that is not named here is not shown."""

    viewer: Seat | str | None
    turn: Seat
    left: int
    sea: list[int]
    held: list[int]
    chests: BySeat[list[int]]
    buyers: BySeat[Colour | None]  # one's own; all of them when the game is over
    phase: int


def view(state: State, viewer: Viewer) -> View:
    who, shown = viewer.value if isinstance(viewer, Eye) else viewer, state.clone()
    for seat in range(state.seats):
        if viewer != seat and viewer is not Eye.ALL and state.phase != OVER:
            shown.buyers[seat] = None
    return View(who, shown.turn, shown.left, shown.sea, shown.held, shown.chests, shown.buyers, shown.phase)


def restore(view: View) -> State:
    """Build the state as far as the viewer knows it."""
    known = State(len(view.chests), view.turn, view.left, view.sea, view.held, view.chests, view.buyers, view.phase)
    return known.clone()


def imagine(view: View, chance: Chance) -> State:
    """Fill in what the viewer does not know."""
    state = restore(view)
    state.buyers = [buyer or COLOURS[chance.roll(COLOURS)] for buyer in state.buyers]
    return state


def reveals(state: State, event: AnyEvent) -> bool:
    return isinstance(event, GameEnded)


VISIBILITY: Visibility[State, AnyEvent, View] = Visibility(view=view, reveals=reveals, restore=restore, imagine=imagine)
