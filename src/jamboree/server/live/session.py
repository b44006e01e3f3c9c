"""The session of one connection to a table, independent of the transport."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import msgspec

from jamboree.coach import AdviceText
from jamboree.core.errors import UNREADABLE
from jamboree.core.words import Language

from ..edge.outbox import Outbox
from ..errors import Refused
from ..protocol import frames, wire
from ..protocol.frames import Ack, Error, Hint, Pong, Previewed, WhyNot
from ..protocol.wire import encode, milliseconds
from .bots.hints import hint
from .commands.base import Message
from .commands.chat import AnnouncePeek
from .commands.playing import AskHint, AskPreview, AskWhyNot, Foreseen
from .messages import ClientMessage, Hello, Ping, ReportPeek, Resync, Signal, decode, give
from .registry import Registry
from .rendering import Sentences
from .table import Table

MAX_ID = 64
TABLE_ELSEWHERE = ("not-saved", "table-stopped")  # the table can't be read, or moved to another server
Answer = asyncio.Future[Any]
Reply = Callable[[Any], frames.ServerMessage]


class Submitted(NamedTuple):
    """A submitted message, and how to turn the table's answer into a frame."""

    message: ClientMessage | None
    answer: Answer | None = None  # the table's answer
    to_frame: Reply | None = None
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
        self.company: frozenset[str] = frozenset()
        self.opened = 0.0  # when the table was shown to its person
        self.person: str | None = None
        self.device = ""
        self.language: Language | None = None
        self.painted = self.whole = self.packed = self.screen = False
        self.table: Table | None = None

    @property
    def behind(self) -> bool:
        return self.outbox.behind

    def deliver(self, frame: bytes) -> None:
        self.outbox.put(wire.for_client(frame, self.packed))

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
            if taken.answer and taken.to_frame:
                self._send_frame(taken.to_frame(await taken.answer))
            elif isinstance(message, Ping):
                self.deliver(encode(Pong(message.id, milliseconds(self.registry.services.now()))))
            elif isinstance(message, Hello):
                await self._welcome(message)
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
        if self.screen and not isinstance(message, Resync):
            raise Refused("screen", "A big screen only shows the table. Play on a phone: scan the code, or type it.")
        return Submitted(message, *self._submit_to(table, message, arrived))

    def _submit_to(self, table: Table, message: ClientMessage, arrived: float | None) -> tuple[Answer, Reply]:
        """Submit a message to the table; return its pending answer, and the function that makes a frame of it."""
        person = self.person
        match message:
            case Hello():
                raise Refused("second-hello", "Hello has already been said.")
            case Resync():
                asked = table.resync(self)
            case Signal():
                asked = table.enqueue(lambda: give(table, message, person, self.company))
            case ReportPeek():
                asked = table.submit(AnnouncePeek(self._peek_seconds(table)), person, arrived)
            case AskHint():
                return hint(table, message, person, self.language, arrived), partial(self._hint_frame, message.id)
            case AskPreview():
                return table.submit(message, person, arrived), partial(self._preview_frame, table, message.id)
            case AskWhyNot():
                return table.submit(message, person, arrived), partial(self._why_not_frame, message.id)
            case Message():
                asked = table.submit(message, person, arrived)
            case _:
                raise AssertionError(f"{type(message).__name__} asks nothing of the table")
        return asked, partial(self._ack_frame, table, message.id)

    def _ack_frame(self, table: Table, name: str, seq: int | None) -> Ack:
        """An acknowledgement with the record's number as this viewer counts."""
        return Ack(name, table.state.number(table.state.roster.seat_of(self.person), seq))

    async def _welcome(self, hello: Hello) -> None:
        self.screen = hello.screen
        token = None if hello.screen else self._token(hello)
        table = await self.registry.table(self.code)
        self.language = hello.language
        self.painted = hello.painted
        self.whole = hello.whole
        self.packed = hello.packed
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

    def _peek_seconds(self, table: Table) -> float:
        """For how long another person of a shared device may have seen this one's cards."""
        if len(self.company) < 2:
            raise Refused("not-allowed", "Only a device that several people share has a curtain.")
        return table.now() - self.opened

    def _preview_frame(self, table: Table, name: str, seen: Foreseen) -> Previewed:
        preview = seen.preview
        seat = table.state.roster.seat_of(self.person)
        sentences = Sentences(table.state, self.language, seat).of_events(preview.events)
        return Previewed(name, preview.events, sentences, preview.points, preview.chance_follows, seen.undo)

    def _hint_frame(self, name: str, advised: AdviceText) -> Hint:
        return Hint(name, advised.moves, advised.chance, advised.error, advised.playouts, advised.soon)

    def _send_frame(self, answer: frames.ServerMessage) -> None:
        """Send an answer, padded where its length would reveal a choice."""
        frame = encode(answer)
        if self.table and isinstance(answer, Previewed | Hint | WhyNot | Error):
            seat = self.table.state.roster.seat_of(self.person)
            frame = self.table.subscribers.frames.padding.of_answer(frame, seat)
        self.deliver(frame)

    def _why_not_frame(self, name: str, refusal: Refused | None) -> WhyNot:
        if refusal is None:
            return WhyNot(name, True, "Nothing is against it.", None)
        return WhyNot(name, False, self._localized(refusal), refusal.detail)

    def _localized(self, refusal: Refused) -> str:
        return Sentences(self.table.state, self.language).refusal(refusal) if self.table else refusal.sentence


def _decoded(data: bytes | str) -> ClientMessage:
    try:
        message: ClientMessage = decode(data)
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
