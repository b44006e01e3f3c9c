"""Commands to take a move back: at once, when the others agree, or never. Whoever is away has not agreed."""

from typing import Any

import msgspec

from jamboree.core.chance import Chance, Recorded, Seeded
from jamboree.core.undo import Undo, open_to_all, strictest, undoable

from ...errors import Refused
from ...protocol.terms import Status, UndoSeen
from ..positions import PastAction
from ..records import UndoAnswered, UndoDropped, Undone, UndoWished
from ..roster import UndoRequest
from ..state import Memory
from .base import Decision, player


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


class AskUndo(msgspec.Struct, frozen=True):
    """Take somebody's last move back, or ask the other players whether that may be."""

    person: str | None
    id: str
    earlier: Memory | None = None  # the table before that move, once that was looked up

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        key, seat = player(memory, self.person)
        done = memory.lobby.people[key].done.get(self.id)
        if done is not None:
            return Decision([], done)
        if memory.lobby.undo_asked:
            raise Refused("undo-asked", "Somebody is already asking to take a move back.")
        seen = undo_rule(memory, seat)
        if seen is None:
            raise Refused("no-undo", "You have no move to take back.")
        if seen.rule == Undo.NEVER:
            raise Refused("no-undo", "This can't be taken back: something hidden was seen, or the game forbids it.")
        move = last_move(memory, seat)[0]
        if seen.rule == Undo.FREE or not set(memory.lobby.voters()) - {key}:
            return _taken_back(memory, self.earlier, move, UndoRequest(key, self.id))
        if memory.refused.get(key) == move.seq:
            raise Refused("undo-refused", "The other players have refused to let you take this move back.")
        return Decision([UndoWished(key, self.id)], memory.seq + 1)


class AnswerUndo(msgspec.Struct, frozen=True):
    """Say whether somebody may take a move back."""

    person: str | None
    agrees: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        if self.person is None or lobby.undo_asked is None or self.person not in lobby.voters():
            raise Refused("not-asked", "Nobody is asking you about taking a move back.")
        if self.person in (lobby.undo_asked.agreed if self.agrees else lobby.undo_asked.refused):
            return Decision([], memory.seq)
        return Decision([UndoAnswered(self.person, self.agrees)], memory.seq + 1)


class WithdrawUndo(msgspec.Struct, frozen=True):
    """Stop asking."""

    person: str | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        asked = memory.lobby.undo_asked
        if asked is None or asked.person != self.person:
            raise Refused("not-asked", "You are not asking to take a move back.")
        return Decision([UndoDropped()], memory.seq + 1)


class DropUndo(msgspec.Struct, frozen=True):
    """Give up on those who were asked: they have not answered in time."""

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        return Decision([UndoDropped(late=True)] if memory.lobby.undo_asked else [])


class CarryOutUndo(msgspec.Struct, frozen=True):
    """Take a move back as was agreed on."""

    earlier: Memory | None = None  # the table before that move, once that was looked up

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        asked = memory.lobby.undo_asked
        if asked is None or not memory.lobby.undo_verdict:
            return Decision([])
        return _taken_back(memory, self.earlier, move_asked_about(memory, asked), asked)


def move_asked_about(memory: Memory, asked: UndoRequest) -> PastAction:
    """Find the move that somebody asks to take back."""
    return last_move(memory, memory.lobby.people[asked.person].seat)[0]


def _taken_back(memory: Memory, earlier: Memory | None, move: PastAction, asked: UndoRequest) -> Decision:
    """Go back to before a move; how it was then must be looked up first."""
    to, actor = move.seq - 1, move.actor
    if earlier is None or earlier.seq != to:
        return Decision([], looks_back=to)
    assert isinstance(actor, int), "moves of people are taken back"
    then = memory.back_at(earlier)
    record = Undone(to, actor, then.hash, asked.person, asked.id, list(asked.agreed))
    return Decision([record], memory.seq + 1, then=then)
