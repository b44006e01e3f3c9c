"""The session of one connection to a table, independent of the transport, and all messages that a client may send."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from jamboree.core.errors import UNREADABLE
from jamboree.core.words import Language

from ..edge.outbox import Outbox
from ..errors import Refused
from ..protocol import frames, wire
from ..protocol.frames import Ack, Error, Hint, Pong, Previewed, WhyNot
from ..protocol.wire import encode, milliseconds
from .commands.base import Id, Message
from .commands.chat import AnnouncePeek, Say, Speak
from .commands.host import AskPause
from .commands.lesson import BeginLesson, RetryLesson, ShowMove
from .commands.playing import Act, AddSeed, AskHint, AskPreview, AskWhyNot, Foreseen, Ready
from .commands.undo import AnswerUndo, TakeBack, WithdrawUndo
from .registry import Registry
from .rendering import Sentences
from .table import Table
from .viewers.frame_builder import Subscription

MAX_ID = 64
TABLE_ELSEWHERE = ("not-saved", "table-stopped")  # the table can't be read, or moved to another server


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
    """A signal about attention, which is not stored. Its sender counts as active."""

    id: Id

    def give(self, table: Table, person: str | None) -> None:
        """Apply the signal, in the table's own task."""


class Activity(Signal, frozen=True, tag="activity"):
    """Report activity, such as a touch or a key; once in a while is enough."""


class Hurry(Signal, frozen=True, tag="hurry"):
    """Let bots move at once until my turn; for the only human player."""

    def give(self, table: Table, person: str | None) -> None:
        table.scheduler.hurry(person)


class Nudge(Signal, frozen=True, tag="nudge"):
    """Nudge a player whom the table waits for."""

    person: str

    def give(self, table: Table, person: str | None) -> None:
        table.scheduler.idle.nudge(person, self.person)
        table.subscribers.nudge(self.person, person or "")


class VoteBot(Signal, frozen=True, tag="vote"):
    """Vote on whether a bot should play for an absent or inactive player."""

    person: str
    bot: bool = True

    def give(self, table: Table, person: str | None) -> None:
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
_decode = msgspec.json.Decoder(ClientMessage).decode


class Submitted(NamedTuple):
    """A submitted message, and the pending answer of the table that it was submitted to."""

    message: ClientMessage | None
    table: Table | None = None
    answer: "asyncio.Future[Any] | None" = None
    refusal: Refused | None = None


class Session:
    """The protocol state of one connection: hello first, then commands of one viewer of one table."""

    def __init__(
        self,
        registry: Registry,
        code: str,
        outbox: Outbox,
        token: str | None = None,
        tokens: Mapping[str, str] | None = None,
    ) -> None:
        self.registry = registry
        self.code = code
        self.outbox = outbox
        self.token = token
        self.tokens = tokens or {}  # by person: everyone who shares the device
        self.hello = Hello()  # as the client said it
        self.company: frozenset[str] = frozenset()
        self.opened = 0.0  # when the table was shown to its person
        self.person: str | None = None
        self.device = ""
        self.table: Table | None = None

    @property
    def subscription(self) -> Subscription:
        hello, alone = self.hello, len(self.company) < 2
        return Subscription(self.person, hello.language, hello.painted, hello.whole, hello.screen, addressed=alone)

    @property
    def behind(self) -> bool:
        return self.outbox.behind

    def deliver(self, frame: bytes) -> None:
        self.outbox.put(wire.for_client(frame, self.hello.packed))

    def hang_up(self) -> None:
        self.table = None
        self.outbox.close()

    async def receive(self, data: bytes | str, arrived: float | None = None) -> type[ClientMessage] | None:
        """Submit a message and answer it; the message's type if it was granted, else None."""
        return await self.answer(self.submit(data, arrived))

    def submit(self, data: bytes | str, arrived: float | None = None) -> Submitted:
        """Submit a message to the table at once, as of its arrival."""
        message: ClientMessage | None = None
        try:
            message = _decoded(data)
            return self._dispatch(message, arrived)
        except Refused as refusal:
            return Submitted(message, refusal=refusal)

    async def answer(self, taken: Submitted) -> type[ClientMessage] | None:
        """Send the answer or the refusal of a message; the message's type if it was granted, else None."""
        message = taken.message
        if taken.refusal:
            self._refuse(message, taken.refusal.with_traceback(None))  # break a reference cycle
            return None
        try:
            match message:
                case Hello():
                    await self._welcome(message)
                case Ping():
                    self.deliver(encode(Pong(message.id, milliseconds(self.registry.services.now()))))
                case _ if taken.table and taken.answer:
                    self._send_frame(self._answer_frame(taken.table, message, await taken.answer))
        except Refused as refusal:
            self._refuse(message, refusal)
            return None
        return type(message) if message else None

    def _refuse(self, message: ClientMessage | None, refusal: Refused) -> None:
        name = getattr(message, "id", None) or refusal.about
        self._send_frame(Error(name, refusal.code, self._localized(refusal), refusal.detail))
        if isinstance(message, Hello) and refusal.code in TABLE_ELSEWHERE:
            self.hang_up()  # reconnecting may find the table at once

    async def end(self) -> None:
        table, self.table = self.table, None
        if table:
            with suppress(Refused):  # the table has stopped
                await table.enqueue(lambda: table.presence.detach(self))

    def _dispatch(self, message: ClientMessage, arrived: float | None) -> Submitted:
        table = self.table
        if table is None and not isinstance(message, Hello):
            raise Refused("no-hello", "The first message must be hello.")
        if table is None or isinstance(message, Ping):
            return Submitted(message)
        if self.hello.screen and not isinstance(message, Resync):
            raise Refused("screen", "A big screen only shows the table. Play on a phone: scan the code, or type it.")
        return Submitted(message, table, self._submit_to(table, message, arrived))

    def _submit_to(self, table: Table, message: ClientMessage, arrived: float | None) -> "asyncio.Future[Any]":
        match message:
            case Hello():
                raise Refused("second-hello", "Hello has already been said.")
            case Resync():
                return table.resync(self)
            case Signal():
                return table.enqueue(lambda: self._give(table, message))
            case ReportPeek():
                if len(self.company) < 2:
                    raise Refused("not-allowed", "Only a device that several people share has a curtain.")
                return table.submit(AnnouncePeek(table.now() - self.opened), self.person, arrived)
            case AskHint():
                language = self.hello.language or "en"
                return table.scheduler.bot_scheduler.hint(message, self.person, language, arrived)
            case Message():
                return table.submit(message, self.person, arrived)
        raise AssertionError(f"{type(message).__name__} asks nothing of the table")

    def _answer_frame(self, table: Table, message: Any, answer: Any) -> frames.ServerMessage:
        """The frame for the table's answer; an acknowledgement has the record's number as this viewer counts."""
        seat = table.state.roster.seat_of(self.person)
        match message, answer:
            case AskHint(), _:
                return Hint(message.id, answer.moves, answer.chance, answer.error, answer.playouts, answer.soon)
            case AskPreview(), Foreseen(preview, undo):
                lines = Sentences(table.state, self.hello.language, seat).of_events(preview.events)
                return Previewed(message.id, preview.events, lines, preview.points, preview.chance_follows, undo)
            case AskWhyNot(), None:
                return WhyNot(message.id, True, "Nothing is against it.", None)
            case AskWhyNot(), _:
                return WhyNot(message.id, False, self._localized(answer), answer.detail)
        return Ack(message.id, table.state.number(seat, answer))

    async def _give(self, table: Table, signal: Signal) -> None:
        """Apply a signal; everyone at a shared device is active if it only reports activity."""
        for each in self.company if self.company and isinstance(signal, Activity) else [self.person]:
            table.scheduler.note_activity(each)
        signal.give(table, self.person)

    async def _welcome(self, hello: Hello) -> None:
        token = None if hello.screen else self._token(hello)
        table = await self.registry.table(self.code)
        self.hello = hello
        await table.enqueue(lambda: table.presence.attach(self, token, hello.seen))
        self.table, self.opened = table, table.now()

    def _token(self, hello: Hello) -> str | None:
        """The token to use: on a shared device that of the named person, if any."""
        if not hello.shared:
            return hello.token or self.token
        if hello.person is not None and hello.person not in self.tokens:
            raise Refused("wrong-token", "That person does not play on this device.")
        self.company = frozenset(self.tokens)
        return self.tokens[hello.person] if hello.person else None

    def _send_frame(self, answer: frames.ServerMessage) -> None:
        """Send an answer, padded where its length would reveal a choice."""
        frame = encode(answer)
        if self.table and isinstance(answer, Previewed | Hint | WhyNot | Error):
            seat = self.table.state.roster.seat_of(self.person)
            frame = self.table.subscribers.frames.padding.of_answer(frame, seat)
        self.deliver(frame)

    def _localized(self, refusal: Refused) -> str:
        return Sentences(self.table.state, self.hello.language).refusal(refusal) if self.table else refusal.sentence


def _decoded(data: bytes | str) -> ClientMessage:
    try:
        message: ClientMessage = _decode(data)
    except UNREADABLE as error:
        raise Refused("malformed", f"This is not a message of the protocol: {error}.", None, _id_of(data)) from None
    return message


def _id_of(data: bytes | str) -> str | None:
    """The request id of an unparsable message, if there is one."""
    try:
        name = msgspec.json.decode(data)["id"]
    except (*UNREADABLE, TypeError, KeyError):
        return None
    return name if isinstance(name, str) and len(name) <= MAX_ID else None
