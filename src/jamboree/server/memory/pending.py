"""Whom a position asks, and what its turn is."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from jamboree.core.game import Actor, AnyGame

Turn = tuple[str, int]


class Pending(NamedTuple):
    """A decision of one seat."""

    since: int  # the record that asked for it
    offers: int  # how many


def pending_now(
    game: AnyGame, state: Any, before: Mapping[int, Pending], actor: Actor | None, seq: int, silent: bool
) -> dict[int, Pending]:
    """Say what each seat is asked after a step.

    A seat that acts in its turn is asked anew. Where several choose at once they have one decision, also who may still
    change their mind, until something else is offered. A step that somebody does not see asks nothing anew.
    """
    own_turn = len(before) == 1
    now = {}
    for seat in seats_asked(game, state):
        offers, known = len(game.legal(state, seat)), before.get(seat)
        same = silent or (known is not None and known.offers == offers and not (own_turn and seat == actor))
        now[seat] = Pending(known.since if known and same else seq, offers)
    return now


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
