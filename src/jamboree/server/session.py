"""One connection to a table: messages in, frames out, whatever carries them."""

from typing import Protocol

import msgspec

from . import commands, wire
from .errors import Refused
from .hosting import Ready
from .house import House
from .seeding import AddSeed
from .table import Table
from .talk import Say
from .wire import Ack, Error, Pong, Previewed, WhyNot, encode


class Outlet(Protocol):
    """Where frames go. To put one there never waits."""

    def put(self, frame: bytes) -> None: ...
    def close(self) -> None: ...


class Session:
    """What one connection may do. It begins with hello; after that it is one viewer of one table."""

    def __init__(self, house: House, code: str, outlet: Outlet, token: str | None = None) -> None:
        self.house, self.code, self.outlet, self.token = house, code, outlet, token
        self.person: str | None = None
        self.table: Table | None = None

    def deliver(self, frame: bytes) -> None:
        self.outlet.put(frame)

    def hang_up(self) -> None:
        self.table = None
        self.outlet.close()

    async def receive(self, data: bytes | str) -> type[wire.ClientMessage] | None:
        """Take a message, and answer it or say why not; say what kind was granted."""
        message: wire.ClientMessage | None = None
        try:
            message = _decoded(data)
            await self._answer(message)
        except Refused as refusal:
            name = getattr(message, "id", None)
            self.deliver(encode(Error(name, refusal.code, refusal.sentence, refusal.detail)))
            return None
        return type(message)

    async def end(self) -> None:
        table, self.table = self.table, None
        if table:
            await table.detach(self)

    async def _answer(self, message: wire.ClientMessage) -> None:
        if self.table:
            self.deliver(encode(await self._reply(self.table, message)))
        elif isinstance(message, wire.Hello):
            await self._greet(message)
        else:
            raise Refused("no-hello", "The first message must be hello.")

    async def _reply(self, table: Table, message: wire.ClientMessage) -> wire.ServerMessage:
        match message:
            case wire.Act():
                return Ack(message.id, await table.ask(commands.Act(self.person, message.id, message.action)))
            case wire.Ready():
                return Ack(message.id, await table.ask(Ready(self.person, message.ready)))
            case wire.Say():
                await table.ask(Say(self.person, message.text, message.to))
                return Ack(message.id, table.memory.seq)
            case wire.AskPreview():
                seen = await table.ask(commands.Foresee(self.person, message.action))
                preview = seen.preview
                return Previewed(message.id, preview.events, preview.points, preview.chance_follows, seen.undo)
            case wire.AskWhyNot():
                return _explained(message.id, await table.ask(commands.Explain(self.person, message.action)))
            case wire.TakeBack():
                return Ack(message.id, await table.undo(self.person, message.id))
            case wire.Agree():
                return Ack(message.id, await table.agree(self.person, message.agree))
            case wire.AddSeed():
                return Ack(message.id, await table.ask(AddSeed(self.person, message.seed)))
            case wire.Ping():
                return Pong(message.id)
            case wire.Hello():
                raise Refused("twice", "Hello was said already.")

    async def _greet(self, hello: wire.Hello) -> None:
        token = hello.token or self.token
        table = await self.house.table(self.code)
        self.person = table.who(token) if token else None
        self.table = table
        await table.attach(self, hello.seen)


def _decoded(data: bytes | str) -> wire.ClientMessage:
    try:
        message: wire.ClientMessage = wire.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed", f"This is no message of the protocol: {error}.") from None
    return message


def _explained(name: str, refusal: Refused | None) -> WhyNot:
    if refusal is None:
        return WhyNot(name, True, "Nothing is against it.", None)
    return WhyNot(name, False, refusal.sentence, refusal.detail)
