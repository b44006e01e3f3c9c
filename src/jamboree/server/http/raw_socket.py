"""A WebSocket without Litestar's request objects, which take several times the memory of an open socket.

A route checks the handshake and leaves a handler in the scope; the application runs it once Litestar has returned.
"""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from litestar import Litestar

from ..errors import trace
from ..protocol.wire import CompressedFrame

Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
SocketHandler = Callable[["RawSocket"], Awaitable[None]]
SOCKET_HANDLER = "jamboree.socket_handler"  # a key in the scope
INTERNAL_ERROR = 1011
log = logging.getLogger(__name__)


class Disconnected(Exception):
    """The peer has closed the connection."""


class RawSocket:
    __slots__ = ("_gone", "_receive", "_scope", "_send")

    def __init__(self, scope: Event, receive: Receive, send: Send) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._gone = False

    async def accept(self) -> None:
        """Accept the handshake, and free its scope."""
        await self._receive()  # websocket.connect
        await self._send_event({"type": "websocket.accept", "subprotocol": None, "headers": []})
        self._scope.clear()

    async def receive(self) -> str:
        """Wait for a text message; binary ones read as empty."""
        event = await self._receive()
        if event["type"] == "websocket.disconnect":
            self._gone = True
            raise Disconnected
        return event.get("text") or ""

    async def send(self, frame: bytes) -> None:
        data = {"bytes": frame} if isinstance(frame, CompressedFrame) else {"text": frame.decode()}
        await self._send_event({"type": "websocket.send", **data})

    async def close(self, code: int) -> None:
        await self._send_event({"type": "websocket.close", "code": code, "reason": ""})

    async def _send_event(self, event: Event) -> None:
        if self._gone:
            raise Disconnected
        try:
            await self._send(event)
        except OSError:  # uvicorn's error for a closed connection
            raise Disconnected from None


class App(Litestar):
    """Runs the socket handler of a WebSocket route after Litestar has released the request."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await super().__call__(scope, receive, send)
        handle: SocketHandler | None = scope.pop(SOCKET_HANDLER, None)
        if handle is None:
            return
        raw_socket = RawSocket(scope, receive, send)
        try:
            await handle(raw_socket)
        except Disconnected:
            pass
        except Exception as error:
            log.error("a socket failed: %s", trace(error))
            with suppress(Exception):
                await raw_socket.close(INTERNAL_ERROR)
