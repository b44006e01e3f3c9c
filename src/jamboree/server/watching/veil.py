"""Spaces after a frame, so that its length does not tell what was chosen where several seats choose at once.

Each part of a frame that a sealed choice shows in is filled up to a room of its own. How large the room is follows from
what spectators see, and from what the seat was dealt before anybody chose: never from a choice.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..memory.memory import Memory
from ..protocol.actions import repertoire
from ..protocol.wire import encode

BLOCK = 1024
QUIET = 64  # how much longer a change may be to a player than to spectators where nothing of their own is in it
ASKED = 256  # the same where they are asked something, besides what they may do: the question, say
WARNED = 160  # for a warning and its sentence, besides the actions it is about
WARNINGS = 4  # that may stand beside what is legal
STEP_ROOM = 5 * BLOCK  # for an answer about one choice, with sentences that name two long songs, say


class Veil:
    """Knows how much room to leave at one table."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._watched = ("", 0)  # how long the view of a spectator is, in which position

    def needed(self) -> bool:
        """Tell whether this is a game in which several choose at once: it begins so."""
        return self.memory.state is not None and self.memory.begins_sealed

    @cached_property
    def beginning(self) -> Any:
        """Give the first position, which only games need for which a veil is needed."""
        return self.memory.set_up_anew()

    @cached_property
    def _dealt(self) -> list[int]:
        """Measure how much more each seat sees than a spectator; no hand is larger than the one first dealt."""
        seats, watched = range(self.memory.lobby.seats), self._length(self.beginning, None)
        return [self._length(self.beginning, seat) - watched for seat in seats]

    def room(self, seat: int) -> int:
        """Leave room for whatever a seat may see and do in a position."""
        if self._watched[0] != self.memory.hash:
            self._watched = (self.memory.hash, self._length(self.memory.state, None))
        return ((self._watched[1] + self._dealt[seat] + self._menu) // BLOCK + 2) * BLOCK

    def own_room(self, seat: int) -> int:
        """Leave room for whatever may change for a seat and for nobody else."""
        return ((self._dealt[seat] + self._menu) // BLOCK + 2) * BLOCK

    def step_room(self, seat: int) -> int:
        """Leave room for what a step shows a seat of what it was dealt, in events and again in their sentences."""
        return min(STEP_ROOM, ((2 * self._dealt[seat] + BLOCK // 2) // BLOCK + 1) * BLOCK)

    def asked_room(self) -> int:
        """Leave room for whatever a seat may be asked and do in its turn."""
        return ASKED + self._places

    def _length(self, state: object, viewer: int | None) -> int:
        return len(encode(self.memory.game.view(state, viewer)))

    @cached_property
    def _places(self) -> int:
        return len(repertoire(self.memory.game.actions(self.beginning)).written(0))

    @cached_property
    def _menu(self) -> int:
        """Measure what is said of legal actions: which they are, and warnings about them."""
        return self._places + WARNINGS * (WARNED + self._places)


def spaces(rooms: Sequence[tuple[int, int]]) -> bytes:
    """Fill parts up: each has a room and a length."""
    return b" " * sum(max(0, room - length) for room, length in rooms)
