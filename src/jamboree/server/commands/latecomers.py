"""Somebody who comes during a game sits down for a bot: at once if the host lets everybody, else by asking."""

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.records import Moved, SeatAsked
from ..protocol.terms import Status
from .command import Decision, host_only, present


class AskSeat(msgspec.Struct, frozen=True):
    """Ask the host for the seat of a bot, or with None no more."""

    person: str
    seat: int | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        present(memory, self.person)
        if self.seat == lobby.seats_asked.get(self.person):
            return Decision([])
        if self.seat is None:
            return Decision([SeatAsked(self.person, None)])
        _check(lobby, self.person, self.seat)
        if lobby.latecomers or self.person == lobby.host:
            return Decision([Moved(self.person, self.seat)])
        return Decision([SeatAsked(self.person, self.seat)])


class AnswerSeat(msgspec.Struct, frozen=True):
    """Let somebody who has asked sit down for a bot, or not; for the host."""

    person: str
    who: str
    agrees: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        host_only(memory, self.person)
        seat = memory.lobby.seats_asked.get(self.who)
        if seat is None:
            raise Refused("not-asked", "They don't ask for a seat.")
        _playing(memory.lobby)
        return Decision([Moved(self.who, seat) if self.agrees else SeatAsked(self.who, None)])


def _check(lobby: Lobby, person: str, seat: int) -> None:
    _playing(lobby)
    if lobby.people[person].seat is not None:
        raise Refused("taken", "You already have a seat.")
    if seat not in lobby.bots:
        raise Refused("taken", "No bot has this seat.")


def _playing(lobby: Lobby) -> None:
    """Refuse to seat anybody once a game is over: its result stays with those who played it."""
    if lobby.status != Status.PLAYING:
        raise Refused("not-playing", "No game is being played here now.")
