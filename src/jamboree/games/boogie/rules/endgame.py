"""Winning: most points over four jumpruns; a tie is shared."""

from .state import State


def scores(state: State) -> tuple[int, ...]:
    return tuple(state.score(seat) for seat in range(state.seats))
