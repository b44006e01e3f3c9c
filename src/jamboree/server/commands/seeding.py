"""Where the luck of a game comes from: the server binds itself to a seed, then those who play add theirs."""

import re
from typing import Any

import msgspec

from jamboree.core.chance import Chance, Recorded

from ..errors import Refused
from ..memory.memory import Memory
from ..memory.records import SeedAdded, Started
from ..protocol.terms import Status
from .command import Decision, player

SEED = re.compile(r"[0-9a-f]{1,64}")


class AddSeed(msgspec.Struct, frozen=True):
    """Add one's part to the luck of the game that begins. The same again changes nothing."""

    person: str | None
    seed: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        _, seat = player(memory, self.person)
        seat = (seat - memory.lobby.turned) % memory.lobby.seats  # where they sat while seeds were gathered
        if not SEED.fullmatch(self.seed):
            raise Refused("malformed", "A seed has 1 to 64 hexadecimal digits.")
        if memory.luck.seeds and memory.luck.seeds[seat] == self.seed:
            return Decision([], memory.seq)
        if memory.lobby.status != Status.SEEDING:
            raise Refused("no-seeds", "Seeds are gathered between the host's start and the first draw.")
        if memory.luck.seeds[seat]:
            raise Refused("no-seeds", "You have already added another seed.")
        return Decision([SeedAdded(seat, self.seed)], memory.seq + 1)


class Begin(msgspec.Struct, frozen=True):
    """Set the game up with the seeds there are."""

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        if memory.lobby.status != Status.SEEDING:
            return Decision([])
        recorded = Recorded(chance)
        then = memory.begun(recorded)
        return Decision([Started(recorded.handed_over(), then.hash, _turned(memory, then.state))], then=then)


def _turned(memory: Memory, state: Any) -> int:
    """Say by how many seats people move up, so that the dice have chosen whom the table named: seats are alike."""
    lobby, begins = memory.lobby, memory.game.info.begins
    if lobby.first is None or begins is None or memory.inherited is not None:
        return 0
    return (begins(state) - lobby.first) % lobby.seats
