"""What each viewer of a table is sent."""

from typing import Any, Protocol

import msgspec

from .memory import Memory
from .outlook import outlook
from .talk import Line, may_hear
from .wire import Position, Seated, Step, TableSeen, UndoAsked, Update, Welcome, You, encode, grouped

BLOCK = 1024
SPARE = 2 * BLOCK  # what a choice may add to a frame


class Watcher(Protocol):
    """One connection of somebody who looks at a table; to deliver never waits."""

    person: str | None

    def deliver(self, frame: bytes) -> None: ...
    def hang_up(self) -> None: ...  # this table has stopped; a new connection opens it again


def seat_of(memory: Memory, person: str | None) -> int | None:
    return memory.lobby.people[person].seat if person else None


class Showing:
    """The frames of one table. A position is written once for all who see the same."""

    def __init__(self, table: str, memory: Memory) -> None:
        self.table, self.memory = table, memory
        self._positions: dict[int | None, bytes] = {}

    def welcome(self, person: str | None, seen: int | None, here: set[str]) -> bytes:
        memory, seat = self.memory, seat_of(self.memory, person)
        position = None if memory.state is None else msgspec.Raw(self.position(seat))
        you, table = You(person, seat), self.seen(here)
        missed, heard = self._missed(seat, seen), self._heard(person)
        return encode(Welcome(memory.seq, you, table, position, missed, heard, outlook(memory, seat)))

    def _heard(self, person: str | None) -> list[Line]:
        lines = (msgspec.json.decode(line, type=Line) for line in self.memory.talk)
        return [line for line in lines if may_hear(line, person, self.memory.lobby)]

    def seen(self, here: set[str]) -> TableSeen:
        lobby = self.memory.lobby
        people = [
            Seated(key, person.name, person.seat, key in here, person.ready, person.muted)
            for key, person in lobby.people.items()
            if not person.away_for_good
        ]
        return TableSeen(
            table=self.table,
            game=lobby.game,
            status=lobby.status,
            seats=lobby.seats,
            options=lobby.options,
            people=people,
            host=lobby.host,
            reason=lobby.reason,
            rematch=lobby.rematch,
            commitment=self.memory.luck.commitment,
            undo_asked=self._asked(),
            forked_from=lobby.forked_from,
        )

    def _asked(self) -> UndoAsked | None:
        asked = self.memory.asked
        return UndoAsked(asked.person, list(asked.agreed), list(asked.needed)) if asked else None

    def position(self, seat: int | None) -> bytes:
        if seat not in self._positions:
            self._positions[seat] = encode(self._position(seat))
        return self._positions[seat]

    def update(self, seat: int | None, events: list[Any], length: int) -> bytes:
        """Write a step for a viewer, at least so many bytes long."""
        witnessed, position = self._witnessed(events, seat), msgspec.Raw(self.position(seat))
        step = Update(self.memory.seq, witnessed, position, outlook(self.memory, seat))
        return encode(step).ljust(length)

    def forget(self) -> None:
        """Write positions anew: something has changed."""
        self._positions.clear()

    def veiled_length(self, seat: int | None) -> int:
        """Say how long the frame of the next step must be, so that its length does not tell what was chosen.

        It depends on nothing but what is there before the choice.
        """
        if seat is None or not self._sealed():
            return 0
        return (len(self.position(seat)) // BLOCK + 1) * BLOCK + SPARE

    def _sealed(self) -> bool:
        """Tell whether several seats choose at the same time."""
        actors = self.memory.game.to_act(self.memory.state)
        return sum(isinstance(actor, int) for actor in actors) > 1

    def _position(self, seat: int | None) -> Position:
        game, state = self.memory.game, self.memory.state
        view = msgspec.Raw(encode(game.view(state, seat)))
        actors = sorted(game.to_act(state), key=str)
        offers = [] if seat is None else grouped(game.legal(state, seat))
        return Position(view, actors, offers, game.outcome(state))

    def _missed(self, seat: int | None, seen: int | None) -> list[Step] | None:
        """Repeat what happened since, if all of it is still known."""
        memory = self.memory
        if seen is None or not memory.told_since <= seen <= memory.seq:
            return None
        return [Step(told.seq, self._witnessed(told.events, seat)) for told in memory.told if told.seq > seen]

    def _witnessed(self, events: list[Any], seat: int | None) -> list[Any]:
        witnessed = (self.memory.game.witness(event, seat) for event in events)
        return [event for event in witnessed if event is not None]
