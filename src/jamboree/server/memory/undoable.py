"""What can be taken back, said beforehand. It is free while nobody has seen or done anything since."""

from typing import Any

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.undo import Undo, strictest, undoable

from ..protocol.terms import Status, UndoSeen
from .memory import Memory
from .positions import PastAction


def last_move(memory: Memory, seat: int | None) -> list[PastAction]:
    """Give what a seat would take back: its last action and all that came after it. Nothing outside of a game.

    In a lesson the coach takes moves back.
    """
    if memory.lobby.status != Status.PLAYING or memory.lobby.learning:
        return []
    return memory.last_move(seat)


def undo_rule(memory: Memory, seat: int | None) -> UndoSeen | None:
    """Say what would happen if a seat asked now to take its last move back."""
    taken_back = last_move(memory, seat)
    if not taken_back:
        return None
    others_acted = Undo.CONSENT if any(past.actor != seat for past in taken_back) else Undo.FREE
    steps = sum(memory.witnesses.saw(seat, past.seq) for past in taken_back)
    return UndoSeen(strictest([*(past.undo for past in taken_back), others_acted]), steps)


def foreseen(memory: Memory, seat: int, view: Any, action: Any) -> Undo:
    """Say what could be done about a move once it is made, from what the player knows."""
    game, events, luck = memory.game, list[Any](), Seeded(memory.seq)
    state, chance = game.imagine(view, luck), Recorded(luck)
    game.apply(state, seat, action, chance, events.append)
    return undoable(game, state, memory.lobby.seats, events, chance.picks)
