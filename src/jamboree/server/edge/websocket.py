"""WebSockets whose peers are bounded at reception: in the size of a message, in frames, and in what they read."""

import asyncio
from typing import Any

from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response
from websockets.server import ServerProtocol

from ..wakeup import Bell
from .addresses import household
from .early_responses import HARDENED, NOT_KEPT
from .shared import PIECE, Door, Reading, untie

MOST_FRAMES, WINDOW = 200, 20.0  # fragments and control frames too; what a message may be is for the table to say
MOST_WAITING = 256 * 1024  # bytes that wait for a peer who goes on pinging
PATIENCE = 10.0  # seconds in which a peer must read enough for the next frame to be written
AHEAD = 2  # messages that are taken in before those before them are taken on


class Handshakes(ServerProtocol):
    """Refuses handshakes with what stands at the head of every answer."""

    def reject(self, status: Any, text: str) -> Response:
        response = super().reject(status, text)
        response.headers.update({**HARDENED, **NOT_KEPT})
        return response


class Messages:
    """What a peer has sent until somebody takes it; an empty queue of asyncio's takes twenty times the room."""

    __slots__ = ("_events", "_news")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._news = Bell()

    def qsize(self) -> int:
        return len(self._events)

    def put_nowait(self, event: Any) -> None:
        self._events.append(event)
        self._news.ring()

    def empty(self) -> bool:
        return not self._events

    async def get(self) -> Any:
        while not self._events:
            await self._news.wait()
        return self._events.pop(0)


class Flow:
    """Whether more can be written: an event, which takes next to no room while it can."""

    __slots__ = ("_stopped",)

    def __init__(self) -> None:
        self._stopped: asyncio.Future[None] | None = None

    def clear(self) -> None:
        self._stopped = self._stopped or asyncio.get_running_loop().create_future()

    def set(self) -> None:
        if self._stopped and not self._stopped.done():
            self._stopped.set_result(None)
        self._stopped = None

    async def wait(self) -> None:
        """Wait, if it has to be, but not for ever: a peer that does not read is let go."""
        if self._stopped is not None:
            async with asyncio.timeout(PATIENCE):
                while (stopped := self._stopped) is not None:
                    await asyncio.shield(stopped)  # whoever stops waiting stops nobody else


class GuardedSocket(WebSocketsSansIOProtocol):
    def __init__(self, config: Config, server_state: Door, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.queue, self.writable = Messages(), Flow()  # type: ignore[assignment]
        self.conn = Handshakes(max_size=config.ws_max_size, logger=self.logger)
        self.door, self.reading = server_state, Reading()
        self.address = ""
        self._entered = False
        self._frames, self._since = 0, self.loop.time()

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = household(self.client[0]) if self.client else ""
        self._entered = self.door.visitors.enter(self)
        if not self._entered:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leave()
        self.conn.parser.close()  # which knows the connection, as does what was wrong with a frame
        self.conn.parser_exc = None
        untie(self.transport)

    def start_keepalive(self) -> None:
        """Let go of what came with the request, once it is answered: its socket may stay for hours."""
        super().start_keepalive()
        self.request.headers.clear()
        self.response.headers.clear()

    def dismiss(self) -> None:
        self._leave()
        self.transport.abort()

    def is_overdue(self, now: float) -> bool:
        return self.reading.is_stuck(self.transport.get_write_buffer_size(), now)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + PIECE])

    def handle_events(self) -> None:
        """Count frames before they are taken in: an empty fragment costs its sender six bytes, and us more."""
        now = self.loop.time()
        if now - self._since > WINDOW:
            self._frames, self._since = 0, now
        self._frames += len(self.conn.events)
        if self._frames > MOST_FRAMES:
            self.dismiss()
        else:
            super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """Stop reading when messages come faster than they are taken on, not for each of them, as uvicorn does."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if self.queue.qsize() > AHEAD and not (was_paused or self.close_sent):
            self.read_paused = True
            self.transport.pause_reading()

    def handle_ping(self) -> None:
        """Answer, unless the peer is gone or does not even read the answers."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MOST_WAITING:
            self.dismiss()
        else:
            super().handle_ping()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.door.unread.hold(self, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        self.door.unread.release(self)

    def _leave(self) -> None:
        if self._entered:
            self._entered = False
            self.door.forget(self)
