"""Where the luck of a game comes from: the server binds itself to a seed, then those who play add theirs."""

import re
from typing import TYPE_CHECKING

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.memory import Memory
from ..memory.records import SeedAdded
from ..protocol.terms import Status
from .command import Decision, player

if TYPE_CHECKING:
    from ..table.table import Table

PATIENCE = 5.0  # seconds to add a seed
SEED = re.compile(r"[0-9a-f]{1,64}")


class AddSeed(msgspec.Struct, frozen=True):
    """Add one's part to the luck of the game that begins. The same again changes nothing."""

    person: str | None
    seed: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        _, seat = player(memory, self.person)
        if not SEED.fullmatch(self.seed):
            raise Refused("malformed", "A seed has 1 to 64 hexadecimal digits.")
        if memory.luck.seeds and memory.luck.seeds[seat] == self.seed:
            return Decision([], memory.seq)
        if memory.lobby.status != Status.SEEDING:
            raise Refused("no-seeds", "Seeds are gathered between the host's start and the first draw.")
        if memory.luck.seeds[seat]:
            raise Refused("no-seeds", "You have already added another seed.")
        return Decision([SeedAdded(seat, self.seed)], memory.seq + 1)


class Seeding:
    """Gathers the seeds at one table, and begins when all who are there have added theirs, or time is up."""

    def __init__(self, table: "Table") -> None:
        self.table = table
        self.expected: set[str] = set()  # people who are on their way to the table
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
            self.table.inbox.set_alarm("seeds", self._until, self._begin)

    def _awaited(self) -> bool:
        """Tell whether a player who is there has not added a seed; who is not there adds none."""
        people, luck = self.table.memory.lobby.people, self.table.memory.luck
        seats = (people[key].seat for key in self.table.here | self.expected)
        return any(seat is not None and not luck.seeds[seat] for seat in seats)

    async def _begin(self) -> None:
        table = self.table
        if table.memory.lobby.status == Status.SEEDING:
            await table.enter([await table.offload.run_first(table.memory.start, table.chance)])
        table.inbox.clear_alarm("seeds")
        self._until = None
        self.expected.clear()
