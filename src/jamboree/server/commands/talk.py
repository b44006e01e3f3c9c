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
PEEK = "curtain."  # and the seconds: not a phrase of any game


class TellPeek(msgspec.Struct, frozen=True):
    """Tell everybody that the curtain of a shared device was open for the wrong person, and for how long."""

    person: str | None
    seconds: float

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        if self.person is None or memory.lobby.people[self.person].seat is None:
            raise Refused("only-watching", "Spectators have no curtain.")
        seconds = max(1, round(self.seconds))
        text = f"The curtain was open for {seconds} seconds, and somebody else looked."
        line = ChatLine(new_id(), self.person, text, Circle.ALL, phrase=f"{PEEK}{seconds}")
        return Decision([], line, [line])


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
