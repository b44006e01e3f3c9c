"""What people say at a table. It is kept beside the records, and never goes into a journal."""

import msgspec

from jamboree.core.chance import Chance

from ..errors import Refused
from ..memory.lobby import Lobby
from ..memory.memory import Memory
from ..memory.names import clean
from ..protocol.terms import ChatLine, Circle, Status
from ..secret import new_id
from .command import Decision

LONGEST_LINE = 500


class Say(msgspec.Struct, frozen=True):
    person: str | None
    text: str
    to: str | None = None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        person = memory.lobby.people.get(self.person or "")
        if person is None or self.person is None:
            raise Refused("only-watching", "Join the table to speak.")
        if person.muted:
            raise Refused("muted", "The host has muted you.")
        text = clean(self.text, LONGEST_LINE)
        if not text:
            raise Refused("malformed", "An empty message can't be sent.")
        line = ChatLine(new_id(), self.person, text, self._circle(memory.lobby), self.to)
        return Decision([], line, [line])

    def _circle(self, lobby: Lobby) -> Circle:
        watching = lobby.people[self.person or ""].seat is None and lobby.status == Status.PLAYING
        if self.to is None:
            return Circle.WATCHERS if watching else Circle.ALL
        other = lobby.people.get(self.to)
        if other is None or other.away_for_good:
            raise Refused("unknown-person", "Nobody with that name is at this table.")
        if watching and other.seat is not None:
            raise Refused("only-watching", "Spectators can't whisper to players during the game.")
        return Circle.WHISPER
