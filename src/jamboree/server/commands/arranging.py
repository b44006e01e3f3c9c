"""Changing a table before its game: how many seats, which options, how much time."""

from collections.abc import Mapping
from typing import Any

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.records import AnyRecord, Arranged, BotSent, Moved
from ..protocol.terms import Status
from .command import Decision, host_only


class Arrange(msgspec.Struct, frozen=True):
    """Set the table up differently. When there are fewer seats, bots make room and people move up."""

    person: str
    wanted: Arranged  # checked against the rules of the game

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby, seats = memory.lobby, self.wanted.seats
        host_only(memory, self.person)
        gathering(lobby)
        if lobby.forked_from and (seats, self.wanted.options) != (lobby.seats, lobby.options):
            raise Refused("forked", "The game that is taken up here keeps its seats and options.")
        if self.wanted.first not in (None, lobby.first) and not 0 <= (self.wanted.first or 0) < seats:
            raise Refused("taken", "There is no such seat.")
        leaving: list[AnyRecord] = [BotSent(seat) for seat in sorted(lobby.bots) if seat >= seats]
        people = [key for key, person in lobby.people.items() if person.seat is not None and person.seat >= seats]
        free = [seat for seat in lobby.free_seats() if seat < seats]
        if len(people) > len(free):
            raise Refused("full", "More people sit at this table than it would have seats.")
        moving = [Moved(key, seat) for key, seat in zip(people, free, strict=False)]
        return Decision([*leaving, *moving, self._fitting(lobby, moving)])

    def _fitting(self, lobby: Lobby, moving: list[Moved]) -> Arranged:
        """Let the seat that begins be one that somebody has; whoever moves up takes the right along."""
        first = self.wanted.first
        if first is None or first < self.wanted.seats:
            return self.wanted
        moved = next((each.seat for each in moving if lobby.people[each.person].seat == first), None)
        return msgspec.structs.replace(self.wanted, first=moved)


def changed(lobby: Lobby, changes: Mapping[str, Any]) -> Arranged:
    """Lay changes over what there is; what is not named stays."""
    return Arranged(**{name: changes.get(name, getattr(lobby, name)) for name in Arranged.__struct_fields__})


def gathering(lobby: Lobby) -> None:
    if lobby.status != Status.GATHERING:
        raise Refused("started", "A table can be set up differently only before its game.")
