"""Winning: most points over four jumpruns."""

from jamboree.core.game import Outcome

from .state import OVER, State


def scores(state: State) -> tuple[int, ...]:
    return tuple(state.score(seat) for seat in range(state.seats))


def winners(state: State) -> list[int]:
    """Most points over four jumpruns win; a tie is shared."""
    points = scores(state)
    return [seat for seat, score in enumerate(points) if score == max(points)]


def outcome(state: State) -> Outcome | None:
    return Outcome(winners(state), list(scores(state))) if state.phase == OVER else None
