"""Ending the game: points, extra rounds, and who won."""

from jamboree.core.kit.events import EventSink
from jamboree.core.kit.rulebook import leaders

from ..box.components import BOX, QUESTS
from .events import AnyEvent, GameEnded, QuestsRevealed, TieFound
from .state import OVER, State

MOST_ROUNDS = BOX.rounds + BOX.most_extra_rounds


def scores(state: State) -> tuple[int, ...]:
    """Two points a superfan, one more if it matches the Fan Quest."""
    return tuple(state.superfan_points(seat) + state.quest_points(seat) for seat in range(state.seats))


def is_decided(state: State, emit: EventSink[AnyEvent]) -> bool:
    """Reveal the quests after the last round; return whether the game ends, else an extra round follows."""
    points = list(scores(state))
    first = leaders(points)
    if emit.enabled and state.round == BOX.rounds:
        emit(QuestsRevealed, [QUESTS[quest] for quest in state.quests], points)
    if len(first) == 1 or state.round == MOST_ROUNDS:  # the tie stands, so that no game is endless
        state.phase = OVER
        emit(GameEnded, first, points)
        return True
    emit(TieFound, first, points)
    return False
