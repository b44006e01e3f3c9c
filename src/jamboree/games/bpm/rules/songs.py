"""Playing a song: an action, a placement, both or neither; the action comes first."""

from jamboree.core.chance import Chance
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink
from jamboree.core.offers import Block, Menu

from ..box.components import ACTIONS, BREAK
from ..box.dancers import DANCERS
from ..box.texts import refuse
from . import floor
from .actions import AnyAction, SwapDancers, action_space
from .events import (
    AnyEvent,
    DancerLeft,
    DancersSwapped,
    Opening,
    SongFinished,
    SongStarted,
    TokenPlaced,
    TokenRecovered,
)
from .state import RECOVER, SONG, State


def start(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    """Begin a turn; a player without tokens at its start may discard a fan to get one."""
    state.turn = seat
    bends, song = state.bends, state.playing[seat]
    state.moves = bends.breaks if state.crate.actions[song] == BREAK else bends.moves
    state.places, state.limit = bends.placements, state.room.all
    state.phase = SONG if state.tokens[seat] or not state.fans[seat] else RECOVER
    emit(SongStarted, seat, state.crate.songs[song])


def spots(state: State, seat: int) -> int:
    """Mark where a token can go: an empty dancer of the song's colour, and after a move one that moved."""
    if not state.places or not state.tokens[seat]:
        return 0
    cells = state.limit & state.present & ~state.taken
    if cells and not state.bends.any_colour:
        cells &= state.colours[state.crate.colours[state.playing[seat]]]
    return cells


def action_blocks(state: State, seat: int) -> list[Block[AnyAction]]:
    """Lay out what the song's action can do now."""
    if not state.moves:
        return []
    actions, kind, present = action_space(state.room), state.crate.actions[state.playing[seat]], state.present
    if kind == BREAK:
        return [(actions.send_home, present & ~state.taken)]
    # never off the floor, and no swap with a gap; hopping over one is fine
    return [(offers, starts & present & present >> distance) for offers, distance, starts in actions.swaps[kind]]


def has_choice(state: State, seat: int) -> bool:
    """Tell whether anything is left to do in this song; on a full floor with a free dancer every action can be done."""
    if state.moves and state.present == state.room.all and state.present != state.taken:
        return True
    return spots(state, seat) != 0 or any(mask for _, mask in action_blocks(state, seat))


def menu(state: State, seat: int) -> Menu[AnyAction]:
    actions, blocks = action_space(state.room), action_blocks(state, seat)
    blocks.append((actions.place, spots(state, seat)))
    blocks.append((actions.finish, 1))
    return Menu(blocks)


def recover_menu(state: State, seat: int) -> Menu[AnyAction]:
    actions = action_space(state.room)
    return Menu([(actions.recover, state.fans[seat]), (actions.decline, 1)])


def cell_of(state: State, name: str) -> int:
    cell = state.room.index.get(name, -1)
    if cell < 0:
        raise refuse("floor", "no-such-cell", cell=name)
    return cell


def recover(state: State, seat: int, name: str, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Discard one of your fans to get its token; it is no superfan. Fill the floor immediately."""
    cell = cell_of(state, name)
    if not state.fans[seat] >> cell & 1:
        raise refuse("no-tokens", "not-your-fan", cell=name)
    dancer = floor.discard(state, cell)
    emit(TokenRecovered, seat, name, DANCERS[dancer])
    floor.fill(state, chance, emit)


def check_action(state: State, seat: int, kind: int) -> None:
    """Refuse an action this song does not have, or has no more."""
    own = state.crate.actions[state.playing[seat]]
    if not (state.bends.breaks if own == BREAK else state.bends.moves):
        raise refuse("hype", "no-actions")
    if own != kind:
        raise refuse("action", f"other-action.{ACTIONS[own]}")
    if not state.moves:
        raise refuse("action", "action-done")


def swap(state: State, seat: int, action: SwapDancers, emit: EventSink[AnyEvent]) -> None:
    """Move a dancer by swapping it with another; whose tokens they carry does not matter."""
    one, other = cell_of(state, action.cell), cell_of(state, action.other)
    kind = action_space(state.room).pairs.get((one, other))
    if kind is None:
        raise refuse("moving", "no-such-swap", cell=action.cell, other=action.other)
    check_action(state, seat, kind)
    both = 1 << one | 1 << other
    if state.present & both != both:
        raise refuse("moving", "swap-with-gap", cell=action.cell, other=action.other)
    floor.swap(state, one, other)
    if state.bends.only_moved:  # if you moved a dancer you cannot place on dancers you didn't move
        state.limit = both if state.limit == state.room.all else state.limit | both
    state.moves -= 1
    if emit.enabled:
        lines, hop = floor.prospects(state), floor.next_hop(state)
        emit(DancersSwapped, seat, action.cell, action.other, lines, hop, openings(state, seat))


def openings(state: State, seat: int) -> list[Opening]:
    """List where a token can go now, with the superfans it would make."""
    fans, names = state.fans[seat], state.room.names
    return [Opening(names[cell], floor.superfans_of(state, fans | 1 << cell)) for cell in bits(spots(state, seat))]


def send_on_break(state: State, seat: int, name: str, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Remove a dancer with no token and fill the floor; tokens can then go anywhere, on newcomers too."""
    cell = cell_of(state, name)
    check_action(state, seat, BREAK)
    check_empty(state, cell, "break")
    dancer = floor.discard(state, cell)
    state.moves -= 1
    emit(DancerLeft, seat, name, DANCERS[dancer])
    floor.fill(state, chance, emit)


def check_empty(state: State, cell: int, rule: str) -> None:
    """Refuse a gap, and a dancer that has a token: dancers cannot have more than one."""
    name = state.room.names[cell]
    if not state.present >> cell & 1:
        raise refuse(rule, "gap", cell=name)
    if state.taken >> cell & 1:
        raise refuse(rule, "has-token", cell=name)


def check_spot(state: State, seat: int, cell: int) -> None:
    """Refuse a placement that this song does not allow."""
    name = state.room.names[cell]
    if not state.tokens[seat]:
        raise refuse("no-tokens", "no-token-left")
    check_empty(state, cell, "placing")
    if not state.limit >> cell & 1:
        raise refuse("placing", "not-moved", cell=name)
    if not spots(state, seat) >> cell & 1:
        raise refuse("placing", f"other-colour.{state.crate.songs[state.playing[seat]].colour}", cell=name)


def place(state: State, seat: int, name: str, emit: EventSink[AnyEvent]) -> None:
    """Place a token; after that no action can follow, since the action comes first."""
    cell = cell_of(state, name)
    check_spot(state, seat, cell)
    state.moves = 0
    state.places -= 1
    put_token(state, seat, seat, cell, emit)


def put_token(state: State, seat: int, owner: int, cell: int, emit: EventSink[AnyEvent]) -> None:
    floor.place(state, owner, cell)
    if emit.enabled:
        dancer = DANCERS[state.floor[cell]]
        emit(TokenPlaced, seat, owner, state.room.names[cell], dancer, floor.prospects(state))


def finish(state: State, seat: int, emit: EventSink[AnyEvent]) -> None:
    emit(SongFinished, seat)
