"""After the songs: the Beachball's superfans, the Crowd Bonus, and combos."""

from jamboree.core.chance import Chance
from jamboree.core.geometry import bits
from jamboree.core.kit.events import EventSink

from ..box.dancers import DANCERS
from ..box.texts import refuse
from . import floor
from .events import AnyEvent, BallCaught, BonusScored, ComboScored
from .songs import cell_of, check_empty, put_token
from .state import NONE, State


def ball_bonus(state: State, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Give the player or players with most fans around the ball the top dancer of the draw pile, in song order."""
    around, catching = state.room.around[state.ball], catchers(state)
    for seat in state.order:
        if seat in catching:
            dancer = floor.draw_dancer(state, chance, emit)
            if dancer == NONE:  # while there are any
                return
            state.superfans[seat][dancer] += 1
            if emit.enabled:
                fans = [state.room.names[cell] for cell in bits(state.fans[seat] & around)]
                emit(BallCaught, seat, fans, DANCERS[dancer])


def catchers(state: State) -> list[int]:
    """Return the players with the most fans around the ball, if they have any."""
    if state.ball == NONE:
        return []
    around = state.room.around[state.ball]
    counts = [(fans & around).bit_count() for fans in state.fans]
    return [seat for seat, count in enumerate(counts) if count and count == max(counts)]


def bonus_fans(state: State, seat: int) -> int:
    """Return the mask of a player's fans in the area of the Crowd Bonus."""
    area = state.bends.bonus
    return state.fans[seat] & state.room.areas[area] if area else 0


def make_superfan(state: State, seat: int, name: str, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    cell = cell_of(state, name)
    if not bonus_fans(state, seat) >> cell & 1:
        raise refuse("crowd-bonus", "no-bonus-fan", cell=name)
    score_bonus(state, seat, cell, chance, emit)


def score_bonus(state: State, seat: int, cell: int, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Turn one fan in the area into a superfan; the floor is filled after each player."""
    dancer = floor.to_superfan(state, seat, cell)
    emit(BonusScored, seat, state.room.names[cell], DANCERS[dancer])
    floor.fill(state, chance, emit)


def keep_fan(state: State, seat: int, name: str, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Pick one fan across all of your combos to remain on the floor."""
    cell = cell_of(state, name)
    if not state.in_lines(seat) >> cell & 1:
        raise refuse("combos", "not-in-a-line", cell=name)
    score_combo(state, seat, cell, chance, emit)


def score_combo(state: State, seat: int, kept: int, chance: Chance, emit: EventSink[AnyEvent]) -> None:
    """Keep the others as superfans; their tokens come home, and the floor is filled."""
    lines = state.in_lines(seat)
    cells = list(bits(lines if kept == NONE else lines & ~(1 << kept)))
    dancers = [floor.to_superfan(state, seat, cell) for cell in cells]
    if emit.enabled:
        names = state.room.names
        every = [names[cell] for cell in bits(lines)]
        stays = None if kept == NONE else names[kept]
        emit(ComboScored, seat, every, stays, [DANCERS[dancer] for dancer in dancers])
    floor.fill(state, chance, emit)


def can_give(state: State, owner: int) -> bool:
    return bool(state.tokens[owner] and state.empty)


def give_token(state: State, seat: int, owner: int, name: str, emit: EventSink[AnyEvent]) -> None:
    """Let the player on the left put one of the scorer's tokens on any empty dancer."""
    cell = cell_of(state, name)
    check_empty(state, cell, "gift")
    put_token(state, seat, owner, cell, emit)
