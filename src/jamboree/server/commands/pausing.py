"""The host's pause. It waits for the next turn or phase, so that nobody is cut off in the middle of one.

A game has so much time for pauses in all. It runs while some player has to wait; once it is used up, any
player may go on, and nobody can pause again. A pause does not end by itself: a bot would play for those who trusted it
and went away.
"""

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.memory import Memory
from ..memory.records import Paused
from ..protocol.terms import Pause, Status
from .command import Decision, host_only, player

PAUSES = 1800.0  # seconds for all pauses of a game


class PauseGame(msgspec.Struct, frozen=True):
    person: str | None
    paused: bool
    spent: float = 0.0  # seconds of this and all earlier pauses

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        over = self.spent >= PAUSES
        if over and not self.paused and self.person != memory.lobby.host:
            player(memory, self.person)
        else:
            host_only(memory, self.person or "")
        if memory.lobby.status != Status.PLAYING:
            raise Refused("not-playing", "No game is being played here now.")
        if self.paused == (memory.lobby.paused != Pause.NO):
            return Decision([], memory.seq)
        if self.paused and over:
            raise Refused("no-pause", f"This game has had its {PAUSES / 60:.0f} minutes of pauses.")
        return Decision([Paused(self.paused, round(self.spent, 3))], memory.seq + 1)
