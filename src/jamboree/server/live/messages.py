"""All client messages: commands, signals that are not stored, and messages about the connection."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from jamboree.core.words import Language

from .commands.base import Id
from .commands.chat import Say, Speak
from .commands.host import AskPause
from .commands.lesson import BeginLesson, RetryLesson, ShowMove
from .commands.playing import Act, AddSeed, AskHint, AskPreview, AskWhyNot, Ready
from .commands.undo import AnswerUndo, TakeBack, WithdrawUndo

if TYPE_CHECKING:
    from .table import Table


class FromClient(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    pass


class Hello(FromClient, frozen=True, tag="hello"):
    """The first message. Without a token the client is a spectator; `seen` requests the steps after that number.

    With a language, every frame has its sentences; to change it, the client reconnects. A client that cannot draw a
    game requests `painted` positions. With `whole`, every update has the whole position. A client that can inflate raw
    deflate sends `packed`. A big `screen` gets the spectators' view, even with a token.

    On a `shared` device, the connection is that of one `person` whose cookie the request has, or of no one: then it
    shows what everyone may see. All people of the device count as connected.
    """

    token: Annotated[str, Meta(max_length=128)] | None = None
    seen: Annotated[int, Meta(ge=0, le=2**53)] | None = None
    language: Language | None = None
    painted: bool = False
    whole: bool = False
    packed: bool = False
    screen: bool = False
    shared: bool = False
    person: Annotated[str, Meta(max_length=64)] | None = None


class Ping(FromClient, frozen=True, tag="ping"):
    id: Id


class Resync(FromClient, frozen=True, tag="resync"):
    """Resync: request a `welcome`, after a checksum mismatch."""

    id: Id


class ReportPeek(FromClient, frozen=True, tag="report-peek"):
    """Report that another person saw one's cards on a shared device; all players learn for how long."""

    id: Id


class Signal(FromClient, frozen=True):
    """A signal about attention, which is not stored."""

    id: Id

    def give(self, table: "Table", person: str | None) -> None:
        """Apply the signal, in the table's own task."""


class Activity(Signal, frozen=True, tag="activity"):
    """Report activity, such as a touch or a key; once in a while is enough."""


class Hurry(Signal, frozen=True, tag="hurry"):
    """Let bots move at once until my turn; for the only human player."""

    def give(self, table: "Table", person: str | None) -> None:
        table.scheduler.hurry(person)


class Nudge(Signal, frozen=True, tag="nudge"):
    """Nudge a player whom the table waits for."""

    person: str

    def give(self, table: "Table", person: str | None) -> None:
        table.scheduler.idle.nudge(person, self.person)
        table.subscribers.nudge(self.person, person or "")


class VoteBot(Signal, frozen=True, tag="vote"):
    """Vote on whether a bot should play for an absent or inactive player."""

    person: str
    bot: bool = True

    def give(self, table: "Table", person: str | None) -> None:
        table.scheduler.idle.vote(person, self.person, self.bot)


ClientMessage = (
    Hello
    | Act
    | ReportPeek
    | AskPreview
    | AskWhyNot
    | Say
    | Speak
    | Ready
    | TakeBack
    | WithdrawUndo
    | AnswerUndo
    | AddSeed
    | AskPause
    | AskHint
    | Resync
    | Activity
    | Hurry
    | Nudge
    | VoteBot
    | BeginLesson
    | RetryLesson
    | ShowMove
    | Ping
)
decode = msgspec.json.Decoder(ClientMessage).decode


async def give(table: "Table", signal: Signal, person: str | None, company: Collection[str]) -> None:
    """Apply a signal. Its sender counts as active, and everyone at a shared device if it only reports activity."""
    for each in company if company and isinstance(signal, Activity) else [person]:
        table.scheduler.note_activity(each)
    signal.give(table, person)
