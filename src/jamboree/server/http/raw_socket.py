"""What is left of a request once its socket is open: messages in, frames out.

What Litestar needs to let somebody in, headers and all, is several times as much as a socket needs afterwards. So the
application hands over the bare line, and goes.
"""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from litestar import Litestar

from ..errors import trace
from ..protocol.wire import Packed

Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Talk = Callable[["Line"], Awaitable[None]]
TALK = "jamboree.talk"  # in a scope: what is done on the line once it is handed over
BROKEN = 1011
log = logging.getLogger(__name__)


class Gone(Exception):
    """The other side has hung up."""


class Line:
    __slots__ = ("_gone", "_receive", "_scope", "_send")

    def __init__(self, scope: Event, receive: Receive, send: Send) -> None:
        self._scope, self._receive, self._send = scope, receive, send
        self._gone = False

    async def accept(self) -> None:
        """Let somebody in, and forget what they have asked for."""
        await self._receive()  # that somebody wants to connect
        await self._out({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self._scope.clear()

    async def receive(self) -> str:
        """Wait for a message; what is not text is none."""
        event = await self._receive()
        if event["type"] == "websocket.disconnect":
            self._gone = True
            raise Gone
        return event.get("text") or ""

    async def send(self, frame: bytes) -> None:
        what = {"bytes": frame} if isinstance(frame, Packed) else {"text": frame.decode()}
        await self._out({"type": "websocket.send", **what})

    async def close(self, code: int) -> None:
        await self._out({"type": "websocket.close", "code": code, "reason": ""})

    async def _out(self, event: Event) -> None:
        if self._gone:
            raise Gone
        try:
            await self._send(event)
        except OSError:  # so uvicorn says that nobody is there any more
            raise Gone from None


class App(Litestar):
    """Lets go of all that was needed to let somebody in before their socket is used."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await super().__call__(scope, receive, send)
        talk: Talk | None = scope.pop(TALK, None)
        if talk is None:
            return
        line = Line(scope, receive, send)
        try:
            await talk(line)
        except Gone:
            pass
        except Exception as error:
            log.error("a socket failed: %s", trace(error))
            with suppress(Exception):
                await line.close(BROKEN)
