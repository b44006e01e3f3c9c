"""HTTP/1.1 with deadlines (against Slowloris) and bounds on memory; uvicorn's own protocol waits for ever.

Pipelined requests are answered in order (RFC 9112, 9.3.2). None is parsed until the one before it is answered: what was
read of it is kept as bytes, and reading is paused meanwhile.
"""

from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .addresses import rate_limit_key
from .connections import READ_SIZE, EdgeState, ReadProgress, break_reference_cycle
from .early_responses import refusal

LINGER = 1.0  # seconds in which a peer can read its error response
HEAD_TIMEOUT = 10.0  # seconds for the head of a request, from its first byte or from connecting
BODY_TIMEOUT = 10.0  # for its body
IDLE_TIMEOUT = 15.0  # between two requests
MAX_HEAD = 32 * 1024  # a browser may have cookies of many tables
TERMINATOR = b"\r\n\r\n"  # of a head and of a chunked body
MAX_TERMINATORS = 64  # in one request at which parsing stops; after more, the next request may be parsed early
MAX_PIPELINED = 1  # requests that were parsed early


class GuardedHttpProtocol(HttpToolsProtocol):
    def __init__(self, config: Config, server_state: EdgeState, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.edge = server_state
        self.read_progress = ReadProgress()
        self.address = ""
        self.deadline: float | None = None  # of what the connection waits for
        self._admitted = self._upgraded = self._refused = False
        self._started = self._in_head = self._complete = False  # the state of the current request
        self._head = 0  # bytes of the head so far
        self._body = 0  # bytes of the body still to come, by its Content-Length
        self._terminators = 0  # terminators parsed in this request
        self._tail = b""  # the last bytes parsed: a terminator may be split between packets
        self._pipelined = b""  # bytes of requests after the one that is being answered
        self._deferred: tuple[Any, Any] | None = None  # cycle and app of a request whose body is incomplete

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.max_size = READ_SIZE  # bytes that are read at once, also after an upgrade to a WebSocket
        self.address = rate_limit_key(self.client[0]) if self.client else ""
        self._admitted = self.edge.table.admit(self)
        if self._admitted:
            self.edge.table.mark_waiting(self)
            self.deadline = self.loop.time() + HEAD_TIMEOUT
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._untrack()
        break_reference_cycle(self.transport)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        """Start the application once the whole request is there, so that a slow one costs little."""
        if cycle.more_body and self._content_length() <= HIGH_WATER_LIMIT:
            self._deferred = (cycle, app)
            if cycle.waiting_for_100_continue:
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                cycle.waiting_for_100_continue = False
        else:
            self._start(cycle, app)

    def _content_length(self) -> int:
        """The announced length; a body that is too long is refused without waiting for it."""
        value = next((value for name, value in self.headers if name == b"content-length"), b"0")
        return int(value) if value.isdigit() else 0

    def _start_deferred(self) -> None:
        if self._deferred:
            (cycle, app), self._deferred = self._deferred, None
            self._start(cycle, app)

    def _start(self, cycle: Any, app: Any) -> None:
        """Start the application, and write nothing more once the peer is gone."""

        async def answered(scope: Any, receive: Any, send: Any) -> None:
            async def send_on(message: Any) -> None:
                cycle.disconnected |= self.transport.is_closing()
                await send(message)

            await app(scope, receive, send_on)

        super()._start_asgi_task(cycle, answered)

    def on_body(self, body: bytes) -> None:
        self._body = max(0, self._body - len(body))
        super().on_body(body)
        if self._deferred and len(self.cycle.body) > HIGH_WATER_LIMIT:
            self._start_deferred()

    def evict(self) -> None:
        self._untrack()
        self.transport.abort()

    def is_overdue(self, now: float) -> bool:
        late = self.deadline is not None and now > self.deadline
        return self.read_progress.is_stalled(self.transport.get_write_buffer_size(), now) or late

    def data_received(self, data: bytes) -> None:
        """Parse up to the end of one request; the rest waits until that one is answered."""
        if self._pipelined or self._is_responding():
            self._defer_parsing(self._pipelined + data)
            return
        while self._is_open():
            data = data if self._started else data.lstrip(b"\r\n")  # empty lines before a request are ignored
            if not data:
                return
            size = self._parsable_size(data)
            self._parse(data[:size])
            data = data[size:]
            if data and self._is_responding():
                self._defer_parsing(data)
                return

    def _parsable_size(self, data: bytes) -> int:
        """How many bytes can be parsed so that at most one request ends in them."""
        if self._body:
            return min(self._body, len(data))
        end = (self._tail + data).find(TERMINATOR) if self._terminators < MAX_TERMINATORS else -1
        if end < 0:
            return len(data)
        self._terminators += 1
        return end + len(TERMINATOR) - len(self._tail)

    def _parse(self, data: bytes) -> None:
        if not self._started:
            self._head = 0
        if self._in_head or not self._started:
            self._head += len(data)
        self._tail = (self._tail + data)[1 - len(TERMINATOR) :]
        super().data_received(data)
        if self._is_open():
            self._check_bounds(len(data))

    def _is_responding(self) -> bool:
        """Whether a request is complete and its response is not."""
        return self._is_open() and self._complete and not self.cycle.response_complete

    def _defer_parsing(self, data: bytes) -> None:
        """Keep what was read ahead, and pause reading until it can be parsed."""
        self.edge.unfinished.release(self)
        self._pipelined = data
        self.flow.pause_reading()
        self.edge.unfinished.hold(self, len(data))

    def _parse_deferred(self) -> None:
        """Parse what was read ahead, once the request before it is answered."""
        if self._is_open() and not self._is_responding():
            self.edge.unfinished.release(self)
            data, self._pipelined = self._pipelined, b""
            self.flow.resume_reading()
            self.data_received(data)

    def _is_open(self) -> bool:
        return self._admitted and not (self._upgraded or self._refused or self.transport.is_closing())

    def _check_bounds(self, size: int) -> None:
        if len(self.pipeline) > MAX_PIPELINED:
            self.evict()
        elif self._head > MAX_HEAD:
            self._refuse(431)
        elif not self._complete:
            self._hold(size)

    def _hold(self, size: int) -> None:
        """Count the bytes of an incomplete request; long ones are paused while too many bytes are unfinished."""
        unfinished = self.edge.unfinished
        unfinished.hold(self, size)
        if unfinished.is_half_used and unfinished.held(self) >= READ_SIZE:
            self.edge.paused[self] = None
            self.flow.pause_reading()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._started, self._in_head, self._complete = True, True, False
        self._body = self._terminators = 0
        self.deadline = self.loop.time() + HEAD_TIMEOUT

    def on_headers_complete(self) -> None:
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            raise ValueError("not exactly one Host header (RFC 9112, 3.2)")  # the parser reports it, which gets 400
        self._in_head, self._body = False, self._content_length()
        self.deadline = self.loop.time() + BODY_TIMEOUT
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._start_deferred()
        self._started, self._complete, self._tail, self.deadline = False, True, b"", None
        self.edge.request_ended(self)
        if self.cycle is not None and self.cycle.response_complete:  # type: ignore[redundant-expr]  # None before the first request
            self._await_next_request()
        else:
            self.edge.table.mark_served(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._admitted and self._complete and self.cycle.response_complete:
            self._await_next_request()
            if self._pipelined:
                self.flow.pause_reading()
                self.loop.call_soon(self._parse_deferred)

    def _await_next_request(self) -> None:
        self.edge.table.mark_waiting(self)
        self.deadline = self.loop.time() + IDLE_TIMEOUT

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        self._untrack()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # break the cycle, as uvicorn's connection_lost does

    def pause_writing(self) -> None:
        super().pause_writing()
        self.edge.unread.hold(self, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        self.edge.unread.release(self)

    def send_400_response(self, msg: str) -> None:
        self._refuse(400)

    def _refuse(self, status: int) -> None:
        """Send an error response, and discard input for a moment: closing at once would reset the connection first."""
        self.transport.write(refusal(status))
        self.transport.write_eof()
        self._refused, self.deadline = True, self.loop.time() + LINGER

    def _untrack(self) -> None:
        self._pipelined = b""
        if self._admitted:
            self._admitted, self.deadline = False, None
            self.edge.forget(self)
        if self._deferred:
            self._deferred[0].on_response = _ignore_response  # which would keep the connection alive
            self._deferred = self.cycle = None  # type: ignore[assignment]


def _ignore_response() -> None:
    """The callback of a request on a connection that is gone."""
