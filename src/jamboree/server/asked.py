"""Whom a position asks, and what its turn is."""

from typing import Any

from jamboree.core.game import AnyGame

Turn = tuple[str, int]


def seats_asked(game: AnyGame, state: Any) -> list[int]:
    """List the seats that may act; the clock is not one of them."""
    return sorted(actor for actor in game.to_act(state) if isinstance(actor, int))


def turn_of(game: AnyGame, state: Any) -> Turn | None:
    """Name the phase that is timed, or the seat whose turn it is; None where several choose without a timer."""
    timer = game.timer(state)
    if timer:
        return ("timer", timer.number)
    seats = seats_asked(game, state)
    return ("seat", seats[0]) if len(seats) == 1 else None
