"""Chat commands. Lines are stored beside the records and are not part of journals."""

from typing import Annotated

from msgspec import Meta

from ...errors import Refused
from ...names import clean
from ...protocol.terms import Status
from ...tokens import new_id
from ..records import ChatLine, Circle
from ..roster import Roster
from .base import Command, Context, Decision, Message, unknown_person

LONGEST_LINE = 500
PHRASE = "phrase."  # before its key in a game's catalogue
PEEK = "curtain."  # followed by the seconds; not a phrase of a game


class AnnouncePeek(Command, frozen=True):
    """Report that another person saw a player's cards on a shared device, and for how long."""

    seconds: float

    def decide(self, ctx: Context) -> Decision:
        person = _speaker(ctx.roster, ctx.person)
        if ctx.roster.people[person].seat is None:
            raise Refused("players-only", "Spectators have no curtain.")
        seconds = max(1, round(self.seconds))
        text = f"The curtain was open for {seconds} seconds, and somebody else looked."
        line = ChatLine(new_id(), person, text, Circle.ALL, phrase=f"{PEEK}{seconds}")
        return Decision([], talk=[line])


class Speak(Message, frozen=True, tag="phrase"):
    """Send one of the game's quick phrases, or whisper it; everyone reads it in their own language."""

    phrase: Annotated[str, Meta(max_length=32)]
    to: str | None = None

    def decide(self, ctx: Context) -> Decision:
        person = _speaker(ctx.roster, ctx.person)
        text = ctx.state.game.words.text(f"{PHRASE}{self.phrase}", "en")
        if text is None:
            raise Refused("malformed", "This game has no such phrase.")
        return _said(ctx.roster, person, text, self.to, self.phrase)


class Remark(Command, frozen=True):
    """Let a bot send one of the game's phrases, to everyone or to one person."""

    seat: int
    phrase: str
    to: str | None = None

    def decide(self, ctx: Context) -> Decision:
        bot, text = ctx.roster.bots.get(self.seat), ctx.state.game.words.text(f"{PHRASE}{self.phrase}", "en")
        if bot is None or text is None:
            return Decision([])
        circle = Circle.ALL if self.to is None else Circle.WHISPER
        return Decision([], None, [ChatLine(new_id(), "", text, circle, self.to, self.phrase, bot.name)])


class Say(Message, frozen=True, tag="say"):
    """Send a chat line to everyone, or whisper to one person."""

    text: Annotated[str, Meta(max_length=2000)]
    to: str | None = None

    def decide(self, ctx: Context) -> Decision:
        person = _speaker(ctx.roster, ctx.person)
        text = clean(self.text, LONGEST_LINE)
        if not text:
            raise Refused("malformed", "An empty message can't be sent.")
        return _said(ctx.roster, person, text, self.to)


def _speaker(roster: Roster, person: str | None) -> str:
    """The person who speaks; refuse strangers and muted people."""
    if person is None or person not in roster.people:
        raise Refused("players-only", "Join the table to speak.")
    if roster.people[person].muted:
        raise Refused("muted", "The host has muted you.")
    return person


def _said(roster: Roster, person: str, text: str, to: str | None, phrase: str = "") -> Decision:
    """A chat line to its audience; during a game spectators chat among themselves."""
    watching = roster.seat_of(person) is None and roster.status == Status.PLAYING
    circle = Circle.WATCHERS if watching else Circle.ALL
    if to is not None:
        circle, other = Circle.WHISPER, roster.people.get(to)
        if other is None or other.away_for_good:
            raise unknown_person()
        if watching and other.seat is not None:
            raise Refused("players-only", "Spectators can't whisper to players during the game.")
    return Decision([], talk=[ChatLine(new_id(), person, text, circle, to, phrase)])
