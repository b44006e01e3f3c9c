"""Taking a move back: at once, when the others agree, or never."""

from typing import TYPE_CHECKING

from jamboree.core.undo import Undo

from ..errors import Refused
from ..memory.consent import UndoRequest
from ..memory.memory import PastAction
from ..memory.recall import recall_at
from ..memory.records import UndoAnswered, UndoDropped, Undone, UndoWished
from ..memory.undoable import last_move, undo_rule
from ..protocol.terms import Consent
from ..store import StoreError
from .command import player

if TYPE_CHECKING:
    from ..table.table import Table

PATIENCE = 60.0  # seconds: how long those who are there have to answer, and bots wait for that
AGAIN = 5.0  # seconds until something is tried again that could not be kept


class Undoing:
    """The wishes of one table to take moves back. One is discussed at a time, and kept like everything else.

    Who is away has not agreed. The question waits for them until somebody moves on.
    """

    def __init__(self, table: "Table") -> None:
        self.table = table
        self._held_until: float | None = None  # None: nothing is discussed
        self._waited: dict[str, int] = {}  # for which move of an asker the bots have waited, by its number
        self._refused: dict[str, int] = {}  # which move of an asker the others do not let go

    @property
    def holding(self) -> bool:
        """Tell whether bots wait because a question is fresh."""
        return self._held_until is not None and self.table.now() < self._held_until

    async def ask(self, person: str | None, name: str) -> int:
        """Take somebody's last move back, or ask the other players whether that may be."""
        memory = self.table.memory
        key, seat = player(memory, person)
        self.table.steward.hear_from(key)
        done = memory.lobby.people[key].done.get(name)
        if done is not None:
            return done
        if memory.lobby.undo_asked:
            raise Refused("undo-asked", "Somebody is already asking to take a move back.")
        taken_back, outcome = last_move(memory, seat), undo_rule(memory, seat)
        if outcome is None:
            raise Refused("no-undo", "You have no move to take back.")
        if outcome.rule == Undo.NEVER:
            raise Refused("no-undo", "This can't be taken back: something hidden was seen, or the game forbids it.")
        if outcome.rule == Undo.FREE or not set(memory.lobby.voters()) - {key}:
            return await self._take_back(taken_back[0], UndoRequest(key, name))
        if self._refused.get(key) == taken_back[0].seq:
            raise Refused("undo-refused", "The other players have refused to let you take this move back.")
        await self._enter(UndoWished(key, name))
        return memory.seq

    async def answer(self, person: str | None, agrees: bool) -> int:
        """Take in what one of those who are asked says."""
        lobby = self.table.memory.lobby
        if person is None or lobby.undo_asked is None or person not in lobby.voters():
            raise Refused("not-asked", "Nobody is asking you about taking a move back.")
        self.table.steward.hear_from(person)
        asked = lobby.undo_asked
        if person not in (asked.agreed if agrees else asked.refused):
            about = self._about(asked)
            await self._enter(UndoAnswered(person, agrees))
            if not agrees and self.table.memory.lobby.undo_asked is None:
                self._refused[asked.person] = about.seq
        return self.table.memory.seq

    async def withdraw(self, person: str | None) -> int:
        """Stop asking."""
        asked = self.table.memory.lobby.undo_asked
        if asked is None or asked.person != person:
            raise Refused("not-asked", "You are not asking to take a move back.")
        await self._enter(UndoDropped())
        return self.table.memory.seq

    async def settle(self) -> None:
        """Take the move back if that is agreed on; else see to it that nobody is kept waiting."""
        lobby = self.table.memory.lobby
        if lobby.undo_asked is None:
            self._end()
        elif lobby.undo_verdict:
            await self._carry_out(lobby.undo_asked)
        elif self._held_until is None:
            self._hold(lobby.undo_asked)
            self._set_alarm()

    def _hold(self, asked: UndoRequest) -> None:
        """Let bots wait for the answers, once for a move, so that nobody stops the game by asking again and again."""
        about, now = self._about(asked).seq, self.table.now()
        self._held_until = now if self._waited.get(asked.person) == about else now + PATIENCE
        self._waited[asked.person] = about

    def _about(self, asked: UndoRequest) -> PastAction:
        """Find the move that somebody asks to take back."""
        memory = self.table.memory
        return last_move(memory, memory.lobby.people[asked.person].seat)[0]

    def greet(self, person: str | None) -> None:
        """Give somebody who comes back time for an answer."""
        if self._held_until is not None and person in self._silent():
            self._set_alarm()

    async def _enter(self, record: UndoWished | UndoAnswered | UndoDropped) -> None:
        await self.table.enter([record])
        await self.settle()

    def _end(self) -> None:
        if self._held_until is not None:
            self._held_until = None
            self.table.inbox.clear_alarm("undo")
            self.table.show_table()

    def _set_alarm(self) -> None:
        self.table.inbox.set_alarm("undo", self.table.now() + PATIENCE, self._time_is_up)

    async def _time_is_up(self) -> None:
        """End it if those who are there do not answer; where all must agree, it waits for whoever is away."""
        lobby = self.table.memory.lobby
        if lobby.consent == Consent.EVERYBODY and not self._silent() <= self.table.here:
            return
        if lobby.undo_asked:
            await self._enter(UndoDropped(late=True))

    def _silent(self) -> set[str]:
        """List whose answers are missing."""
        lobby = self.table.memory.lobby
        asked = lobby.undo_asked
        return {*lobby.voters()} - {*asked.agreed, *asked.refused} if asked else set()

    async def _carry_out(self, asked: UndoRequest) -> None:
        """Do what was agreed on; if it can't be kept now, try again in a while."""
        try:
            await self._take_back(self._about(asked), asked)
            self._end()
        except Refused:
            self.table.inbox.set_alarm("undo", self.table.now() + AGAIN, self.settle)

    async def _take_back(self, past: PastAction, asked: UndoRequest) -> int:
        table, to = self.table, past.seq - 1
        try:
            earlier = await recall_at(table.store, table.code, table.games, to, table.offload)
        except StoreError:
            raise Refused("not-kept", "What was before can't be read at the moment.") from None
        table.memory.go_back(earlier)
        actor, state = past.actor, table.memory.hash
        assert isinstance(actor, int), "moves of people are taken back"
        await table.enter([Undone(to, actor, state, asked.person, asked.id, list(asked.agreed))])
        return table.memory.seq
