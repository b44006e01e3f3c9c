"""Waiting for seeds: a game begins when all players who are there have added theirs, or time is up."""

from ..commands.seeding import Begin
from ..errors import Refused
from ..protocol.terms import Status
from .idle_players import NOBODY
from .inbox import Inbox
from .steward import Minded

PATIENCE = 5.0  # seconds to add a seed


class Gathering:
    """Waits at one table for seeds, and has the game begin."""

    __slots__ = ("_until", "expected", "inbox", "table")

    def __init__(self, table: Minded, inbox: Inbox) -> None:
        self.table, self.inbox = table, inbox
        self.expected = NOBODY  # people who are on their way to the table
        self._until: float | None = None

    def expect_all(self) -> None:
        """Wait for the seeds that are missing, if the server went away while they were gathered."""
        lobby = self.table.memory.lobby
        if lobby.status == Status.SEEDING:
            self.expected |= {key for key, each in lobby.people.items() if each.seat is not None and not each.gone}

    async def settle(self) -> None:
        """Begin, or see to it that the game begins in a moment."""
        if self.table.memory.lobby.status != Status.SEEDING or not self.table.memory.has_rules:
            self._until = None
        elif not self._awaited():
            await self._begin()
        elif self._until is None:
            self._until = self.table.now() + PATIENCE
            self.inbox.set_alarm("seeds", self._until, self._begin)

    def _awaited(self) -> bool:
        """Tell whether a player who is there has not added a seed; one who is away adds none."""
        people, luck = self.table.memory.lobby.people, self.table.memory.luck
        seats = (people[key].seat for key in self.table.answering | self.expected)
        return any(seat is not None and not luck.seeds[seat] for seat in seats)

    async def _begin(self) -> None:
        try:
            await self.table.decide(Begin())
        except Refused:  # the seeds are kept all the same, so whoever added one is told that
            self.inbox.try_again("seeds", self._begin)
        else:
            self.inbox.clear_alarm("seeds")
            self._until = None
            self.expected = NOBODY
