"""While people are asked whether a move may be taken back: bots wait a while for their answers, and nobody for ever."""

from ..commands.undoing import CarryOutUndo, DropUndo, move_asked_about
from ..errors import Refused
from ..memory.consent import UndoRequest
from ..protocol.terms import Consent
from .inbox import Inbox
from .steward import Minded

PATIENCE = 60.0  # seconds: how long those who are there have to answer, and bots wait for that


class Deliberation:
    """Minds the question of one table. It waits for those who are away until somebody moves on."""

    __slots__ = ("_held_until", "_waited", "inbox", "table")

    def __init__(self, table: Minded, inbox: Inbox) -> None:
        self.table, self.inbox = table, inbox
        self._held_until: float | None = None  # None: nothing is discussed
        self._waited: dict[str, int] = {}  # for which move of an asker the bots have waited, by its number

    @property
    def holding(self) -> bool:
        """Tell whether bots wait because a question is fresh."""
        return self._held_until is not None and self.table.now() < self._held_until

    async def settle(self) -> None:
        """Take the move back if that is agreed on; else see to it that nobody is kept waiting."""
        lobby = self.table.memory.lobby
        if lobby.undo_asked is None:
            self._end()
        elif lobby.undo_verdict:
            await self._carry_out()
        elif self._held_until is None:
            self._hold(lobby.undo_asked)
            self._set_alarm()

    def greet(self, person: str | None) -> None:
        """Give somebody who comes back time for an answer."""
        if self._held_until is not None and person in self._silent():
            self._set_alarm()

    def _hold(self, asked: UndoRequest) -> None:
        """Let bots wait for the answers, once for a move, so that nobody stops the game by asking again and again."""
        about, now = move_asked_about(self.table.memory, asked).seq, self.table.now()
        self._held_until = now if self._waited.get(asked.person) == about else now + PATIENCE
        self._waited[asked.person] = about

    def _end(self) -> None:
        if self._held_until is not None:
            self._held_until = None
            self.inbox.clear_alarm("undo")
            self.table.show_table()

    def _set_alarm(self) -> None:
        self.inbox.set_alarm("undo", self.table.now() + PATIENCE, self._time_is_up)

    async def _time_is_up(self) -> None:
        """End it if those who are there do not answer; where all must agree, it waits for whoever is away."""
        if self.table.memory.lobby.consent == Consent.EVERYBODY and not self._silent() <= self.table.here:
            return
        try:
            await self.table.decide(DropUndo())
        except Refused:
            self.inbox.try_again("undo", self._time_is_up)

    def _silent(self) -> set[str]:
        """List whose answers are missing."""
        lobby = self.table.memory.lobby
        asked = lobby.undo_asked
        return {*lobby.voters()} - {*asked.agreed, *asked.refused} if asked else set()

    async def _carry_out(self) -> None:
        """Do what was agreed on; if it can't be kept now, try again in a while."""
        try:
            await self.table.decide(CarryOutUndo())
            self._end()
        except Refused:
            self.inbox.try_again("undo", self.settle)
