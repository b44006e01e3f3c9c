"""What can be taken back, said beforehand. It is free while nobody has seen or done anything since."""

from typing import Any

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.undo import Undo, open_to_all, strictest, undoable

from ..protocol.terms import Status, UndoSeen
from .memory import Memory
from .positions import PastAction


def last_move(memory: Memory, seat: int | None) -> list[PastAction]:
    """Give what a seat would take back: its last action and all that came after it. Nothing outside of a game."""
    return memory.last_move(seat) if _can_undo(memory) else []


def undo_rule(memory: Memory, seat: int | None) -> UndoSeen | None:
    """Say what would happen if a seat asked now to take its last move back."""
    if seat is None or not _can_undo(memory):
        return None
    taken_back = memory.last_move(seat)
    if not taken_back:
        return None
    others_acted = Undo.CONSENT if len(taken_back) > 1 else Undo.FREE  # the last action of a seat is the first of them
    rule = strictest([others_acted, *(past.undo for past in taken_back)])
    return UndoSeen(rule, memory.witnesses.count(seat, [past.seq for past in taken_back]))


def _can_undo(memory: Memory) -> bool:
    """Tell whether players take moves back here; in a lesson the coach does."""
    return memory.lobby.status == Status.PLAYING and not memory.lobby.learning


def foreseen(memory: Memory, seat: int, view: Any, action: Any) -> Undo:
    """Say what could be done about a move once it is made, from what the player knows."""
    game, events, luck = memory.game, list[Any](), Seeded(memory.seq)
    state, chance = game.imagine(view, luck), Recorded(luck)
    game.apply(state, seat, action, chance, events.append)
    return undoable(game, state, events, chance.picks, open_to_all(game, memory.lobby.seats, events))
