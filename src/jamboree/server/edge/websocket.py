"""WebSocket connections with bounds on message size, frame rate and unread data, enforced while receiving."""

import asyncio
from typing import Any

from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Response
from websockets.server import ServerProtocol

from ..wakeup import Wakeup
from .addresses import rate_limit_key
from .connections import READ_SIZE, EdgeState, ReadProgress, break_reference_cycle
from .early_responses import NO_STORE, SECURITY_HEADERS

MAX_FRAMES, WINDOW = 200, 20.0  # fragments and control frames included; http/sockets.py limits messages
MAX_UNSENT = 256 * 1024  # bytes unsent to a peer that goes on pinging
WRITE_TIMEOUT = 10.0  # seconds in which a peer must read enough for the next frame
MAX_QUEUED = 2  # messages received before earlier ones are processed


class HardenedHandshake(ServerProtocol):
    """Adds the security headers to rejected handshakes."""

    def reject(self, status: Any, text: str) -> Response:
        response = super().reject(status, text)
        response.headers.update({**SECURITY_HEADERS, **NO_STORE})
        return response


class MessageQueue:
    """Received messages; an empty asyncio.Queue takes twenty times the memory."""

    __slots__ = ("_changed", "_events")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._changed = Wakeup()

    def qsize(self) -> int:
        return len(self._events)

    def put_nowait(self, event: Any) -> None:
        self._events.append(event)
        self._changed.notify()

    def empty(self) -> bool:
        return not self._events

    async def get(self) -> Any:
        while not self._events:
            await self._changed.wait()
        return self._events.pop(0)


class WriteGate:
    """Whether more can be written: an event that takes almost no memory while it can."""

    __slots__ = ("_paused",)

    def __init__(self) -> None:
        self._paused: asyncio.Future[None] | None = None

    def clear(self) -> None:
        self._paused = self._paused or asyncio.get_running_loop().create_future()

    def set(self) -> None:
        if self._paused and not self._paused.done():
            self._paused.set_result(None)
        self._paused = None

    async def wait(self) -> None:
        """Wait until writing resumes; raise TimeoutError for a peer that does not read."""
        if self._paused is not None:
            async with asyncio.timeout(WRITE_TIMEOUT):
                while (paused := self._paused) is not None:
                    await asyncio.shield(paused)  # cancelling one waiter leaves the others waiting


class GuardedWebSocketProtocol(WebSocketsSansIOProtocol):
    def __init__(self, config: Config, server_state: EdgeState, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.queue = MessageQueue()  # type: ignore[assignment]
        self.writable = WriteGate()  # type: ignore[assignment]
        self.conn = HardenedHandshake(max_size=config.ws_max_size, logger=self.logger)
        self.edge = server_state
        self.read_progress = ReadProgress()
        self.address = ""
        self._admitted = False
        self._frames, self._since = 0, self.loop.time()

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.address = rate_limit_key(self.client[0]) if self.client else ""
        self._admitted = self.edge.table.admit(self)
        if not self._admitted:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._untrack()
        self.conn.parser.close()  # breaks reference cycles with the connection, as does the next line
        self.conn.parser_exc = None
        break_reference_cycle(self.transport)

    def start_keepalive(self) -> None:
        """Free the headers of the handshake: the socket may stay open for hours."""
        super().start_keepalive()
        self.request.headers.clear()
        self.response.headers.clear()

    def evict(self) -> None:
        self._untrack()
        self.transport.abort()

    def is_overdue(self, now: float) -> bool:
        return self.read_progress.is_stalled(self.transport.get_write_buffer_size(), now)

    def data_received(self, data: bytes) -> None:
        for at in range(0, len(data), READ_SIZE):
            if self.transport.is_closing():
                return
            super().data_received(data[at : at + READ_SIZE])

    def handle_events(self) -> None:
        """Count frames before processing them: an empty fragment costs its sender six bytes, and the server more."""
        now = self.loop.time()
        if now - self._since > WINDOW:
            self._frames, self._since = 0, now
        self._frames += len(self.conn.events)
        if self._frames > MAX_FRAMES:
            self.evict()
        else:
            super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """Pause reading only when the queue is full; uvicorn does so for every message."""
        was_paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if self.queue.qsize() > MAX_QUEUED and not (was_paused or self.close_sent):
            self.read_paused = True
            self.transport.pause_reading()

    def handle_ping(self) -> None:
        """Answer, unless the peer is gone or does not read the pongs."""
        if self.transport.is_closing():
            return
        if self.transport.get_write_buffer_size() > MAX_UNSENT:
            self.evict()
        else:
            super().handle_ping()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.edge.unread.hold(self, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        self.edge.unread.release(self)

    def _untrack(self) -> None:
        if self._admitted:
            self._admitted = False
            self.edge.forget(self)
