"""The dance floor: dancers swap, leave, step forward and come in, with the tokens on them."""

from collections.abc import Sequence

from jamboree.core.chance import Chance
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink

from ..box.dancers import ARROW_OF, COLOUR_OF, DANCERS
from .events import AnyEvent, FloorFilled, FloorShifted, Newcomer, PileReshuffled, Prospect
from .state import NONE, State


def swap(state: State, one: int, other: int) -> None:
    """Two dancers change places; they keep any tokens they have on them."""
    floor = state.floor
    here, there = floor[one], floor[other]
    floor[one], floor[other] = there, here
    both = 1 << one | 1 << other
    if COLOUR_OF[here] != COLOUR_OF[there]:
        state.colours[COLOUR_OF[here]] ^= both
        state.colours[COLOUR_OF[there]] ^= both
    token, their_token = state.taken >> one & 1, state.taken >> other & 1
    if token != their_token:
        state.taken ^= both
    if token or their_token:
        fans = state.fans
        for seat, mask in enumerate(fans):
            if (mask >> one ^ mask >> other) & 1:
                fans[seat] = mask ^ both


def enter(state: State, cell: int, dancer: int) -> None:
    bit = 1 << cell
    state.floor[cell] = dancer
    state.present |= bit
    state.colours[COLOUR_OF[dancer]] |= bit


def leave(state: State, cell: int) -> int:
    """Take a dancer off the floor; its token, if any, comes home to its owner."""
    bit, dancer = 1 << cell, state.floor[cell]
    state.floor[cell] = NONE
    state.present ^= bit
    state.colours[COLOUR_OF[dancer]] ^= bit
    if state.taken & bit:
        seat = owner(state, cell)
        state.taken ^= bit
        state.fans[seat] ^= bit
        state.tokens[seat] += 1
    return dancer


def owner(state: State, cell: int) -> int:
    return next(seat for seat, mask in enumerate(state.fans) if mask >> cell & 1)


def place(state: State, seat: int, cell: int) -> None:
    """Put a token of a player on a dancer."""
    bit = 1 << cell
    state.tokens[seat] -= 1
    state.fans[seat] |= bit
    state.taken |= bit


def to_superfan(state: State, seat: int, cell: int) -> int:
    dancer = leave(state, cell)
    state.superfans[seat][dancer] += 1
    return dancer


def discard(state: State, cell: int) -> int:
    """Remove a dancer to the discard pile."""
    dancer = leave(state, cell)
    state.gone[dancer] += 1
    return dancer


def draw_dancer(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> int:
    """Draw from the pile; the discard pile is shuffled in only when the pile is empty. Return NONE if both are."""
    pile = state.pile
    if not pile.total:
        if not any(state.gone):
            return NONE
        for kind, count in enumerate(state.gone):
            pile.put(kind, count)
        state.gone = [0] * len(DANCERS)
        emit(PileReshuffled, pile.total)
    return chance.draw(pile)


def fill(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Move all dancers towards the stage; new ones come in at the back, in the left column first."""
    newcomers: list[int] = []
    for column, mask in zip(state.room.columns, state.room.column_masks, strict=True):
        if state.present & mask != mask:
            step_forward(state, column)
            for cell in column:  # and in a column the place nearest the stage first
                if not state.present >> cell & 1 and (dancer := draw_dancer(state, chance, emit)) != NONE:
                    enter(state, cell, dancer)
                    newcomers.append(cell)
    if emit.enabled:
        names, gaps = state.room.names, state.room.all & ~state.present
        came = [Newcomer(names[cell], DANCERS[state.floor[cell]]) for cell in newcomers]
        emit(FloorFilled, came, [names[cell] for cell in bits(gaps)], prospects(state), next_hop(state))


def step_forward(state: State, column: Sequence[int]) -> None:
    """Close the gaps in a column, so that they are at the back."""
    free = 0
    for cell in column:
        if state.present >> cell & 1:
            if cell != column[free]:
                move(state, cell, column[free])
            free += 1


def move(state: State, start: int, to: int) -> None:
    """Move a dancer into a gap."""
    both, dancer = 1 << start | 1 << to, state.floor[start]
    state.floor[to], state.floor[start] = dancer, NONE
    state.present ^= both
    state.colours[COLOUR_OF[dancer]] ^= both
    if state.taken >> start & 1:
        state.fans[owner(state, start)] ^= both
        state.taken ^= both


def rearrange(state: State, sources: Sequence[int]) -> None:
    """Permute the floor: every cell gets the dancer of its source, with any token."""
    floor, to = state.floor, [0] * len(sources)
    for cell, source in enumerate(sources):
        to[source] = 1 << cell
    state.floor = [floor[source] for source in sources]
    state.fans = [_moved(mask, to) for mask in state.fans]
    state.colours = [_moved(mask, to) for mask in state.colours]
    state.taken, state.present = sum(state.fans), sum(state.colours)


def _moved(mask: int, to: Sequence[int]) -> int:
    """Permute the cells of a mask."""
    moved = 0
    while mask:
        low = mask & -mask
        moved |= to[low.bit_length() - 1]
        mask ^= low
    return moved


def crowd_surf(state: State) -> None:
    """The front row goes to the back and everyone steps forward; with gaps, to the end of its own column."""
    sources = list(range(state.room.grid.size))
    for column in state.room.columns:
        dancers = [cell for cell in column if state.present >> cell & 1]
        for cell, source in zip(dancers, dancers[1:] + dancers[:1], strict=True):
            sources[cell] = source
    rearrange(state, sources)


def mosh_pit(state: State) -> None:
    """Every row shifts one to the right, wrapping."""
    grid = state.room.grid
    columns = (grid.column(cell) for cell in range(grid.size))
    rearrange(state, [cell - 1 if column else cell + grid.columns - 1 for cell, column in enumerate(columns)])


SHIFTS = {"surf": crowd_surf, "mosh": mosh_pit}


def shift(state: State, how: str, emit: EventSink[AnyEvent]) -> None:
    SHIFTS[how](state)
    emit(FloorShifted, how)


def prospects(state: State) -> list[Prospect]:
    """Return each player's fans in lines, and the superfans they make if nothing changes before combos."""
    return [_prospect(state, fans) for fans in state.fans]


def _prospect(state: State, fans: int) -> Prospect:
    room, row_line = state.room, state.bends.row_line
    cells = [room.names[cell] for cell in bits(room.in_lines(fans, row_line))]
    runs = [[room.names[cell] for cell in run] for run in room.runs(fans, row_line)] if cells else []
    return Prospect(cells, superfans_of(state, fans), runs)


def superfans_of(state: State, fans: int) -> int:
    """Return the number of superfans that these fans would make."""
    in_lines = state.room.in_lines(fans, state.bends.row_line).bit_count()
    return in_lines - int(state.bends.one_stays) if in_lines else 0


def next_corner(state: State) -> int:
    """Return where the Beachball goes: along the arrow of the dancer front-left of it; at a gap it stays."""
    dancer = state.floor[state.ball]
    return state.ball if dancer == NONE else state.room.hops[state.ball][ARROW_OF[dancer]]


def next_hop(state: State) -> str | None:
    return None if state.ball == NONE else state.room.names[next_corner(state)]
