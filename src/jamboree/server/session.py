"""One connection to a table: messages in, frames out, whatever carries them."""

from typing import Protocol

import msgspec

from . import commands, wire
from .errors import Refused
from .house import House
from .table import Table
from .wire import Ack, Error, Previewed, WhyNot, encode


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

    async def receive(self, data: bytes | str) -> None:
        """Take a message, and answer it or say why not."""
        message: wire.ClientMessage | None = None
        try:
            message = _decoded(data)
            await self._answer(message)
        except Refused as refusal:
            name = getattr(message, "id", None)
            self.deliver(encode(Error(name, refusal.code, refusal.sentence, refusal.detail)))

    async def end(self) -> None:
        table, self.table = self.table, None
        if table:
            await table.detach(self)

    async def _answer(self, message: wire.ClientMessage) -> None:
        if isinstance(message, wire.Hello):
            await self._greet(message)
        elif self.table is None:
            raise Refused("no-hello", "The first message must be hello.")
        elif isinstance(message, wire.Act):
            seq = await self.table.ask(commands.Act(self.person, message.id, message.action))
            self.deliver(encode(Ack(message.id, seq)))
        elif isinstance(message, wire.AskPreview):
            seen = await self.table.ask(commands.Foresee(self.person, message.action))
            self.deliver(encode(Previewed(message.id, seen.events, seen.points, seen.chance_follows)))
        else:
            refusal = await self.table.ask(commands.Explain(self.person, message.action))
            self.deliver(encode(_explained(message.id, refusal)))

    async def _greet(self, hello: wire.Hello) -> None:
        if self.table:
            raise Refused("twice", "Hello was said already.")
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
