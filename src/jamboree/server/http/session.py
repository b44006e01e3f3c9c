"""One connection to a table: messages in, frames out, whatever carries them."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, Protocol

import msgspec

from jamboree.coach import Advised
from jamboree.core.errors import UNREADABLE
from jamboree.core.words import Language

from ..errors import Refused
from ..live.bots.turns import hint
from ..live.commands.base import Message
from ..live.commands.chat import TellPeek
from ..live.commands.playing import AskHint, AskPreview, AskWhyNot, Foreseen
from ..live.messages import AskAnew, ClientMessage, Hello, NotMe, Ping, Signal, decode, give
from ..live.registry import Registry
from ..live.table import Table
from ..live.viewers.frame_builder import seat_of
from ..live.viewers.step_for_viewers import Sentences
from ..protocol import frames, wire
from ..protocol.frames import Ack, Error, Hint, Pong, Previewed, WhyNot
from ..protocol.wire import encode, milliseconds

LONGEST_NAME = 64
NOT_HERE = ("not-kept", "table-stopped")  # refusals: the table can't be read, or has just gone to another server
Answer = asyncio.Future[Any]
Worded = Callable[[Any], frames.ServerMessage]


class Taken(NamedTuple):
    """A message on its way to its answer."""

    message: ClientMessage | None
    answer: Answer | None = None  # what the table does about it
    worded: Worded | None = None
    refusal: Refused | None = None


class Outlet(Protocol):
    """Where frames go. To put one there never waits."""

    @property
    def behind(self) -> bool: ...  # whoever reads there will be told everything anew
    def put(self, frame: bytes) -> None: ...
    def close(self) -> None: ...


class Session:
    """What one connection may do. It begins with hello; after that it is one viewer of one table."""

    def __init__(
        self,
        registry: Registry,
        code: str,
        outlet: Outlet,
        token: str | None = None,
        tokens: Mapping[str, str] | None = None,
    ) -> None:
        self.registry, self.code, self.outlet, self.token = registry, code, outlet, token
        self.tokens = tokens or {}  # of everybody who plays on the device, by person
        self.company: frozenset[str] = frozenset()
        self.opened = 0.0  # when its person was shown the table
        self.person: str | None = None
        self.device = ""
        self.language: Language | None = None
        self.painted = self.whole = self.packed = self.screen = False
        self.table: Table | None = None

    @property
    def behind(self) -> bool:
        return self.outlet.behind

    def deliver(self, frame: bytes) -> None:
        self.outlet.put(wire.to_send(frame, self.packed))

    def hang_up(self) -> None:
        self.table = None
        self.outlet.close()

    async def receive(self, data: bytes | str, arrived: float | None = None) -> type[ClientMessage] | None:
        """Take a message, and answer it or say why not; say what kind was granted."""
        return await self.answer(self.take(data, arrived))

    def take(self, data: bytes | str, arrived: float | None = None) -> Taken:
        """Hand in what a message asks, at once and as of when it arrived."""
        message: ClientMessage | None = None
        try:
            message = _decoded(data)
            return self._hand_in(message, arrived)
        except Refused as refusal:
            return Taken(message, refusal=refusal)

    async def answer(self, taken: Taken) -> type[ClientMessage] | None:
        """Answer a message that was taken, or say why not; say what kind was granted."""
        message = taken.message
        if taken.refusal:
            self._refuse(message, taken.refusal.with_traceback(None))  # it would keep itself by that
            return None
        try:
            if taken.answer and taken.worded:
                self._say(taken.worded(await taken.answer))
            elif isinstance(message, Ping):
                self.deliver(encode(Pong(message.id, milliseconds(self.registry.services.now()))))
            elif isinstance(message, Hello):
                await self._greet(message)
        except Refused as refusal:
            self._refuse(message, refusal)
            return None
        return type(message) if message else None

    def _refuse(self, message: ClientMessage | None, refusal: Refused) -> None:
        name = getattr(message, "id", None) or refusal.about
        self._say(Error(name, refusal.code, self._said(refusal), refusal.detail))
        if isinstance(message, Hello) and refusal.code in NOT_HERE:
            self.hang_up()  # whoever comes back may find it, and need not wait

    async def end(self) -> None:
        table, self.table = self.table, None
        if table:
            with suppress(Refused):  # the table has stopped meanwhile
                await table.detach(self)

    def _hand_in(self, message: ClientMessage, arrived: float | None) -> Taken:
        table = self.table
        if table is None and not isinstance(message, Hello):
            raise Refused("no-hello", "The first message must be hello.")
        if table is None or isinstance(message, Ping):
            return Taken(message)
        if self.screen and not isinstance(message, AskAnew):
            raise Refused("screen", "A big screen only shows the table. Play on a phone: scan the code, or type it.")
        return Taken(message, *self._ask_table(table, message, arrived))

    def _ask_table(self, table: Table, message: ClientMessage, arrived: float | None) -> tuple[Answer, Worded]:
        """Hand in what a message asks of the table, and say how the answer is worded."""
        person = self.person
        match message:
            case Hello():
                raise Refused("twice", "Hello has already been said.")
            case AskAnew():
                asked = table.resync(self)
            case Signal():
                asked = table.enqueue(lambda: give(table, message, person, self.company))
            case NotMe():
                asked = table.submit(TellPeek(self._peeked(table)), person, arrived)
            case AskHint():
                return hint(table, message, person, self.language, arrived), partial(self._hinted, message.id)
            case AskPreview():
                return table.submit(message, person, arrived), partial(self._foreseen, table, message.id)
            case AskWhyNot():
                return table.submit(message, person, arrived), partial(self._explained, message.id)
            case Message():
                asked = table.submit(message, person, arrived)
            case _:
                raise AssertionError(f"{type(message).__name__} asks nothing of the table")
        return asked, partial(self._acked, table, message.id)

    def _acked(self, table: Table, name: str, seq: int | None) -> Ack:
        """Say that something is done, by the number it has for who asked."""
        return Ack(name, table.state.number(seat_of(table.state, self.person), seq))

    async def _greet(self, hello: Hello) -> None:
        self.screen = hello.screen
        token = None if hello.screen else self._token(hello)
        table = await self.registry.table(self.code)
        self.language, self.painted, self.whole = hello.language, hello.painted, hello.whole
        self.packed = hello.packed
        await table.attach(self, token, hello.seen)
        self.table, self.opened = table, table.now()

    def _token(self, hello: Hello) -> str | None:
        """Choose as whom to come: on a shared device as the person named, or as nobody of those who play on it."""
        if not hello.shared:
            return hello.token or self.token
        if hello.person is not None and hello.person not in self.tokens:
            raise Refused("wrong-token", "That person does not play on this device.")
        self.company = frozenset(self.tokens)
        return self.tokens[hello.person] if hello.person else None

    def _peeked(self, table: Table) -> float:
        """Say for how long the wrong person may have looked, where there is another."""
        if len(self.company) < 2:
            raise Refused("not-allowed", "Only a device that several people share has a curtain.")
        return table.now() - self.opened

    def _foreseen(self, table: Table, name: str, seen: Foreseen) -> Previewed:
        preview = seen.preview
        seat = seat_of(table.state, self.person)
        sentences = Sentences(table.state, self.language, seat).of_events(preview.events)
        return Previewed(name, preview.events, sentences, preview.points, preview.chance_follows, seen.undo)

    def _hinted(self, name: str, advised: Advised) -> Hint:
        return Hint(name, advised.moves, advised.chance, advised.error, advised.playouts, advised.soon)

    def _say(self, answer: frames.ServerMessage) -> None:
        """Send an answer; one that is about a choice does not tell by its length which one."""
        frame = encode(answer)
        if self.table and isinstance(answer, Previewed | Hint | WhyNot | Error):
            frame = self.table.padded(frame, self.person)
        self.deliver(frame)

    def _explained(self, name: str, refusal: Refused | None) -> WhyNot:
        if refusal is None:
            return WhyNot(name, True, "Nothing is against it.", None)
        return WhyNot(name, False, self._said(refusal), refusal.detail)

    def _said(self, refusal: Refused) -> str:
        return Sentences(self.table.state, self.language).refusal(refusal) if self.table else refusal.sentence


def _decoded(data: bytes | str) -> ClientMessage:
    try:
        message: ClientMessage = decode(data)
    except UNREADABLE as error:
        raise Refused("malformed", f"This is not a message of the protocol: {error}.", None, _name(data)) from None
    return message


def _name(data: bytes | str) -> str | None:
    """Find the client's own name for a message that is none of the protocol."""
    try:
        name = msgspec.json.decode(data)["id"]
    except (*UNREADABLE, TypeError, KeyError):
        return None
    return name if isinstance(name, str) and len(name) <= LONGEST_NAME else None
