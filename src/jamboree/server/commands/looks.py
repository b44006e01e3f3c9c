"""Choosing a colour, an animal or a token before the game: first come, and exchanged by asking."""

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.memory import Memory
from ..memory.records import AnyRecord, LookAsked, LookTaken
from ..protocol.terms import Status
from .command import Decision, player


class TakeLook(msgspec.Struct, frozen=True):
    """Take a look that nobody has, or a bot; ask for one that somebody has. One's own again: ask no more."""

    person: str
    look: int

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        _, seat = player(memory, self.person)
        _gathering(memory)
        if not 0 <= self.look < memory.game.info.avatars:
            raise Refused("no-look", "There is nothing like this to choose in this game.")
        if self.look == lobby.looks.of(seat):
            return Decision(_no_more(memory, self.person))
        if lobby.owner(self.look, self.person) is None:
            return Decision([*_no_more(memory, self.person), LookTaken(seat, self.look)])
        known = lobby.looks.asked.get(self.person) == self.look
        return Decision([] if known else [LookAsked(self.person, self.look)])


class AnswerLook(msgspec.Struct, frozen=True):
    """Exchange looks with somebody who asks for mine, or say no."""

    person: str
    who: str
    agrees: bool

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        lobby = memory.lobby
        _, seat = player(memory, self.person)
        _gathering(memory)
        if lobby.looks.asked.get(self.who) != lobby.looks.of(seat):
            raise Refused("not-asked", "They don't ask for what you have.")
        if not self.agrees:
            return Decision([LookAsked(self.who, None)])
        theirs = lobby.people[self.who].seat
        assert theirs is not None, "whoever asks has a seat"
        return Decision([LookTaken(theirs, lobby.looks.of(seat))])


def _no_more(memory: Memory, person: str) -> list[AnyRecord]:
    return [LookAsked(person, None)] if person in memory.lobby.looks.asked else []


def _gathering(memory: Memory) -> None:
    if memory.lobby.status != Status.GATHERING:
        raise Refused("started", "This is chosen before the game.")
