"""The host's pause. It waits for the next turn or phase, so that nobody is cut off in the middle of one."""

import msgspec

from jamboree.core.chance import Chance

from .commands import Decision, host_only
from .errors import Refused
from .lobby import Pause, Status
from .memory import Memory
from .records import Paused


class PauseGame(msgspec.Struct, frozen=True):
    person: str | None
    paused: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person or "")
        if memory.lobby.status != Status.PLAYING:
            raise Refused("not-playing", "No game is being played here now.")
        if self.paused == (memory.lobby.paused != Pause.NO):
            return Decision([], memory.seq)
        return Decision([Paused(self.paused)], memory.seq + 1)
