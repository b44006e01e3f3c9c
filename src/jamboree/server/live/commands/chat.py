"""Chat commands. Lines are stored beside the records, and never go into a journal."""

import msgspec

from jamboree.core.chance import Chance

from ...errors import Refused
from ...protocol.terms import ChatLine, Circle, Status
from ...secret import new_id
from ..roster import Lobby, clean
from ..state import Memory
from .base import Decision

LONGEST_LINE = 500
PHRASE = "phrase."  # before its key in a game's catalogue
PEEK = "curtain."  # and the seconds: not a phrase of any game


class TellPeek(msgspec.Struct, frozen=True):
    """Tell everybody that the curtain of a shared device was open for the wrong person, and for how long."""

    person: str | None
    seconds: float

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        person = _speaker(memory.lobby, self.person)
        if memory.lobby.people[person].seat is None:
            raise Refused("only-watching", "Spectators have no curtain.")
        seconds = max(1, round(self.seconds))
        text = f"The curtain was open for {seconds} seconds, and somebody else looked."
        line = ChatLine(new_id(), person, text, Circle.ALL, phrase=f"{PEEK}{seconds}")
        return Decision([], line, [line])


class Speak(msgspec.Struct, frozen=True):
    """Say one of the quick phrases that the game has in its catalogue."""

    person: str | None
    phrase: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        person = _speaker(memory.lobby, self.person)
        text = memory.game.words.text(f"{PHRASE}{self.phrase}", "en")
        if text is None:
            raise Refused("malformed", "This game has no such phrase.")
        line = ChatLine(new_id(), person, text, _circle(memory.lobby, person), phrase=self.phrase)
        return Decision([], line, [line])


class Remark(msgspec.Struct, frozen=True):
    """Have a bot say one of the game's phrases."""

    seat: int
    phrase: str

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        bot, text = memory.lobby.bots.get(self.seat), memory.game.words.text(f"{PHRASE}{self.phrase}", "en")
        if bot is None or text is None:
            return Decision([])
        return Decision([], None, [ChatLine(new_id(), "", text, Circle.ALL, phrase=self.phrase, bot=bot.name)])


class Say(msgspec.Struct, frozen=True):
    person: str | None
    text: str
    to: str | None = None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        person = _speaker(memory.lobby, self.person)
        text = clean(self.text, LONGEST_LINE)
        if not text:
            raise Refused("malformed", "An empty message can't be sent.")
        line = ChatLine(new_id(), person, text, _circle(memory.lobby, person, self.to), self.to)
        return Decision([], line, [line])


def _speaker(lobby: Lobby, person: str | None) -> str:
    """Find who speaks, or refuse them."""
    if person is None or person not in lobby.people:
        raise Refused("only-watching", "Join the table to speak.")
    if lobby.people[person].muted:
        raise Refused("muted", "The host has muted you.")
    return person


def _circle(lobby: Lobby, person: str, to: str | None = None) -> Circle:
    """Say who hears somebody: while a game runs those who watch speak among themselves."""
    watching = lobby.people[person].seat is None and lobby.status == Status.PLAYING
    if to is None:
        return Circle.WATCHERS if watching else Circle.ALL
    other = lobby.people.get(to)
    if other is None or other.away_for_good:
        raise Refused("unknown-person", "Nobody with that name is at this table.")
    if watching and other.seat is not None:
        raise Refused("only-watching", "Spectators can't whisper to players during the game.")
    return Circle.WHISPER
