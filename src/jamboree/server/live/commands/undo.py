"""Commands to undo a move: at once, by consent of the others, or never. Absent players have not agreed."""

from typing import Any

from msgspec import UNSET

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.undo import Undo, open_to_all, strictest, undoable

from ...errors import Refused
from ...protocol.terms import Status, UndoInfo
from ..positions import PastAction
from ..records import UndoAnswered, UndoDropped, Undone, UndoRequested
from ..roster import UndoRequest
from ..state import TableState
from .base import Command, Context, Decision, Message


def last_move(state: TableState, seat: int | None) -> list[PastAction]:
    """What a seat would undo: its last move and all later ones; nothing outside of a game."""
    return state.last_move(seat) if _can_undo(state) else []


def undo_rule(state: TableState, seat: int | None) -> UndoInfo | None:
    """What an undo request of a seat would do now."""
    if seat is None or not _can_undo(state):
        return None
    undone = state.last_move(seat)
    if not undone:
        return None
    later = [past for past in undone if past.actor != seat]
    rule = strictest([Undo.CONSENT if later else Undo.FREE, *(past.undo for past in undone)])
    moves = [past.seq for past in later if not past.continues]
    count = state.witnesses.count
    return UndoInfo(rule, count(seat, [past.seq for past in undone]), count(seat, moves) or UNSET)


def _can_undo(state: TableState) -> bool:
    """Whether players can undo moves; in a lesson only the coach can."""
    return state.roster.status == Status.PLAYING and not state.roster.learning


def foreseen(state: TableState, seat: int, view: Any, action: Any) -> Undo:
    """Whether a move could be undone after this action, predicted from the player's view."""
    game, events, luck = state.game, list[Any](), Seeded(state.seq)
    position, chance = game.imagine(view, luck), Recorded(luck)
    begun = [past.undo for past in state.last_move(seat)] if game.in_move(position) else []
    game.apply(position, seat, action, chance, events.append)
    rule = undoable(game, position, events, chance.picks, open_to_all(game, state.roster.seats, events))
    return rule if Undo.NEVER in begun else strictest([rule, *begun])


class TakeBack(Message, frozen=True, tag="undo"):
    """Undo my last move, or ask the others to agree to it."""

    def decide(self, ctx: Context) -> Decision:
        key, seat = ctx.player()
        done = ctx.roster.people[key].done.get(self.id)
        if done is not None:
            return Decision([], done)
        if ctx.roster.undo_asked:
            raise Refused("undo-asked", "Another request to take a move back is pending.")
        seen = undo_rule(ctx.state, seat)
        if seen is None:
            raise Refused("no-undo", "You have no move to take back.")
        if seen.rule == Undo.NEVER:
            raise Refused("no-undo", "This can't be taken back: something hidden was seen, or the game forbids it.")
        move = last_move(ctx.state, seat)[0]
        if seen.rule == Undo.FREE or not set(ctx.roster.voters()) - {key}:
            return _undone(ctx, move, UndoRequest(key, self.id))
        if ctx.state.refused.get(key) == move.seq:
            raise Refused("undo-refused", "The other players have refused to let you take this move back.")
        return Decision([UndoRequested(key, self.id)], ctx.state.seq + 1)


class AnswerUndo(Message, frozen=True, tag="answer-undo"):
    """Vote on an undo request."""

    agrees: bool

    def decide(self, ctx: Context) -> Decision:
        roster = ctx.roster
        if ctx.person is None or roster.undo_asked is None or ctx.person not in roster.voters():
            raise Refused("not-asked", "Nobody is asking you about taking a move back.")
        if ctx.person in (roster.undo_asked.agreed if self.agrees else roster.undo_asked.refused):
            return Decision([], ctx.state.seq)
        return Decision([UndoAnswered(ctx.person, self.agrees)], ctx.state.seq + 1)


class WithdrawUndo(Message, frozen=True, tag="withdraw-undo"):
    """Withdraw my undo request."""

    def decide(self, ctx: Context) -> Decision:
        asked = ctx.roster.undo_asked
        if asked is None or asked.person != ctx.person:
            raise Refused("not-asked", "You are not asking to take a move back.")
        return Decision([UndoDropped()], ctx.state.seq + 1)


class DropUndo(Command, frozen=True):
    """Fail an undo request that was not answered in time."""

    def decide(self, ctx: Context) -> Decision:
        return Decision([UndoDropped(late=True)] if ctx.roster.undo_asked else [])


class CarryOutUndo(Command, frozen=True):
    """Undo a move that the others agreed to undo."""

    def decide(self, ctx: Context) -> Decision:
        asked = ctx.roster.undo_asked
        if asked is None or not ctx.roster.undo_verdict:
            return Decision([])
        return _undone(ctx, move_asked_about(ctx.state, asked), asked)


def move_asked_about(state: TableState, asked: UndoRequest) -> PastAction:
    return last_move(state, state.roster.seat_of(asked.person))[0]


def _undone(ctx: Context, move: PastAction, asked: UndoRequest) -> Decision:
    """Return to the position before a move, which must be loaded first."""
    to, actor, earlier = move.seq - 1, move.actor, ctx.earlier
    if earlier is None or earlier.seq != to:
        return Decision([], needs_state_after=to)
    assert isinstance(actor, int), "moves of people are taken back"
    then = ctx.state.back_at(earlier)
    record = Undone(to, actor, then.hash, asked.person, asked.id, list(asked.agreed))
    return Decision([record], ctx.state.seq + 1, then=then)
