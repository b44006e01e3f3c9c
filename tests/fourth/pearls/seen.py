"""What each viewer sees, and the way back from there to a state."""

import msgspec

from jamboree.core.chance import Bag, Chance
from jamboree.core.game import Eye, Viewer
from jamboree.core.seats import BySeat, Seat

from .rules import BUYERS_EACH, COLOURS, DIVING, OVER, SEA, UNKNOWN, AnyEvent, Colour, GameEnded, State


class View(msgspec.Struct, frozen=True):
    """What is not named here is not seen."""

    viewer: Seat | str | None
    turns: int
    turn: Seat
    left: int
    over: bool
    sea: list[int]
    held: list[int]
    chests: BySeat[list[int]]
    buyers: BySeat[Colour | None]  # the own one; all when the game is over


def view(state: State, viewer: Viewer) -> View:
    over, every = state.phase == OVER, state.phase == OVER or viewer is Eye.ALL
    buyers = [COLOURS[buyer] if every or seat == viewer else None for seat, buyer in enumerate(state.buyers)]
    chests = [chest[:] for chest in state.chests]
    who = viewer.value if isinstance(viewer, Eye) else viewer
    return View(who, state.turns, state.turn, state.left, over, state.sea.counts[:], state.held[:], chests, buyers)


def witness(event: AnyEvent, viewer: Viewer) -> AnyEvent:
    return event  # all see all that happens


def reveals(state: State, event: AnyEvent) -> bool:
    return isinstance(event, GameEnded)


def restore(seen: View) -> State:
    """Build the state as far as the viewer knows it."""
    buyers = [UNKNOWN if buyer is None else COLOURS.index(buyer) for buyer in seen.buyers]
    deck = Bag.of(COLOURS, [BUYERS_EACH - buyers.count(colour) for colour in range(len(COLOURS))])
    chests, sea = [chest[:] for chest in seen.chests], Bag.of(SEA, seen.sea)
    phase = OVER if seen.over else DIVING
    return State(seen.turns, seen.turn, seen.left, sea, seen.held[:], chests, buyers, deck, phase)


def imagine(seen: View, chance: Chance) -> State:
    """Fill in what the viewer does not know."""
    state = restore(seen)
    state.buyers = [chance.draw(state.deck) if buyer == UNKNOWN else buyer for buyer in state.buyers]
    return state
