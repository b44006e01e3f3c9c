"""HTTP/1.1 with deadlines, and with bounds on what a peer can make us keep. Uvicorn's own waits for ever.

Pipelined requests are answered in order (RFC 9112, 9.3.2). None is parsed until the one before it is answered: what was
read of it is kept as bytes, and nothing more is read meanwhile.
"""

from typing import Any

from uvicorn import Config
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .addresses import household
from .plain import refusal
from .shared import PIECE, Door, Reading, untie

REFUSED_FOR = 1.0  # seconds in which a peer can read why it was refused
HEAD_WITHIN = 10.0  # seconds for the head of a request, from its first byte or from coming in
BODY_WITHIN = 10.0  # for its body
IDLE_WITHIN = 15.0  # between two requests
LARGEST_HEAD = 32 * 1024  # somebody may have cookies of many tables
END = b"\r\n\r\n"  # of a head, and of a chunked body
MOST_ENDS = 64  # of them in one request at which parsing stops; behind such a one the next may be parsed early
MOST_PIPELINED = 1  # requests that were parsed early


class GuardedHttp(HttpToolsProtocol):
    def __init__(self, config: Config, server_state: Door, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.door, self.reading = server_state, Reading()
        self.address = ""
        self.due: float | None = None  # when what we wait for must be there
        self._entered = self._upgraded = self._refused = False
        self._begun = self._in_head = self._whole = False  # a request: its first byte is there, its head is not, all is
        self._head = 0  # bytes of a head
        self._body = 0  # bytes of a body that are to come, where they are announced
        self._ends = 0  # places in this request where it might have ended
        self._last = b""  # the last bytes that were parsed, where a head may end with the next ones
        self._ahead = b""  # bytes of requests behind the one that is being answered
        self._held_back: tuple[Any, Any] | None = None  # a request whose body is still to come

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        transport.max_size = PIECE  # bytes that are read at once, for sockets too
        self.address = household(self.client[0]) if self.client else ""
        self._entered = self.door.visitors.enter(self)
        if self._entered:
            self.door.visitors.waits(self)
            self.due = self.loop.time() + HEAD_WITHIN
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._leave()
        untie(self.transport)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        """Answer a request once all of it is there: one that dribbles costs next to nothing until then."""
        if cycle.more_body and self._announced() <= HIGH_WATER_LIMIT:
            self._held_back = (cycle, app)
            if cycle.waiting_for_100_continue:
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                cycle.waiting_for_100_continue = False
        else:
            self._answer(cycle, app)

    def _announced(self) -> int:
        """Give how long the body is to be; what is more than we take is refused without waiting for it."""
        said = next((value for name, value in self.headers if name == b"content-length"), b"0")
        return int(said) if said.isdigit() else 0

    def _answer_held_back(self) -> None:
        if self._held_back:
            (cycle, app), self._held_back = self._held_back, None
            self._answer(cycle, app)

    def _answer(self, cycle: Any, app: Any) -> None:
        """Answer a request, and write nothing more once the peer is gone."""

        async def answered(scope: Any, receive: Any, send: Any) -> None:
            async def send_on(message: Any) -> None:
                cycle.disconnected |= self.transport.is_closing()
                await send(message)

            await app(scope, receive, send_on)

        super()._start_asgi_task(cycle, answered)

    def on_body(self, body: bytes) -> None:
        self._body = max(0, self._body - len(body))
        super().on_body(body)
        if self._held_back and len(self.cycle.body) > HIGH_WATER_LIMIT:
            self._answer_held_back()

    def dismiss(self) -> None:
        self._leave()
        self.transport.abort()

    def is_overdue(self, now: float) -> bool:
        late = self.due is not None and now > self.due
        return self.reading.is_stuck(self.transport.get_write_buffer_size(), now) or late

    def data_received(self, data: bytes) -> None:
        """Parse what has come, up to the end of a request that is to be answered first."""
        if self._ahead or self._is_busy():
            self._keep_for_later(self._ahead + data)
            return
        while self._goes_on():
            data = data if self._begun else data.lstrip(b"\r\n")  # empty lines before a request are ignored
            if not data:
                return
            size = self._parsable(data)
            self._parse(data[:size])
            data = data[size:]
            if data and self._is_busy():
                self._keep_for_later(data)
                return

    def _parsable(self, data: bytes) -> int:
        """Give how much can be parsed at once so that at most one request ends in it."""
        if self._body:
            return min(self._body, len(data))
        end = (self._last + data).find(END) if self._ends < MOST_ENDS else -1
        if end < 0:
            return len(data)
        self._ends += 1
        return end + len(END) - len(self._last)

    def _parse(self, data: bytes) -> None:
        if not self._begun:
            self._head = 0
        if self._in_head or not self._begun:
            self._head += len(data)
        self._last = (self._last + data)[1 - len(END) :]
        super().data_received(data)
        if self._goes_on():
            self._look(len(data))

    def _is_busy(self) -> bool:
        """Tell whether all of a request is there, and not all of its answer."""
        return self._goes_on() and self._whole and not self.cycle.response_complete

    def _keep_for_later(self, data: bytes) -> None:
        """Keep what was read ahead, which is a piece or two, and read nothing more until it can be parsed."""
        self.door.unfinished.release(self)
        self._ahead = data
        self.flow.pause_reading()
        self.door.unfinished.hold(self, len(data))

    def _go_on_ahead(self) -> None:
        """Parse what was read ahead, now that the request before it is answered."""
        if self._goes_on() and not self._is_busy():
            self.door.unfinished.release(self)
            data, self._ahead = self._ahead, b""
            self.flow.resume_reading()
            self.data_received(data)

    def _goes_on(self) -> bool:
        return self._entered and not (self._upgraded or self._refused or self.transport.is_closing())

    def _look(self, size: int) -> None:
        if len(self.pipeline) > MOST_PIPELINED:
            self.dismiss()
        elif self._head > LARGEST_HEAD:
            self._refuse(431)
        elif not self._whole:
            self._hold(size)

    def _hold(self, size: int) -> None:
        """Note what is kept of a request. Long ones wait while many are unfinished; to end them would bring more."""
        unfinished = self.door.unfinished
        unfinished.hold(self, size)
        if unfinished.is_crowded and unfinished.held(self) >= PIECE:
            self.door.stopped[self] = None
            self.flow.pause_reading()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._begun, self._in_head, self._whole = True, True, False
        self._body = self._ends = 0
        self.due = self.loop.time() + HEAD_WITHIN

    def on_headers_complete(self) -> None:
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (not hosts and self.parser.get_http_version() == "1.1"):
            raise ValueError("not one Host header (RFC 9112, 3.2)")  # the parser reports it, and we answer 400
        self._in_head, self._body = False, self._announced()
        self.due = self.loop.time() + BODY_WITHIN
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._answer_held_back()
        self._begun, self._whole, self._last, self.due = False, True, b"", None
        self.door.is_finished(self)
        if self.cycle is not None and self.cycle.response_complete:  # type: ignore[redundant-expr]  # none before the first
            self._wait_for_the_next()
        else:
            self.door.visitors.is_served(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._entered and self._whole and self.cycle.response_complete:
            self._wait_for_the_next()
            if self._ahead:
                self.flow.pause_reading()
                self.loop.call_soon(self._go_on_ahead)

    def _wait_for_the_next(self) -> None:
        self.door.visitors.waits(self)
        self.due = self.loop.time() + IDLE_WITHIN

    def handle_websocket_upgrade(self) -> None:
        self._upgraded = True
        self._leave()
        super().handle_websocket_upgrade()
        self.parser = None  # type: ignore[assignment]  # it knows us, as uvicorn's connection_lost has it

    def pause_writing(self) -> None:
        super().pause_writing()
        self.door.unread.hold(self, self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        self.door.unread.release(self)

    def send_400_response(self, msg: str) -> None:
        self._refuse(400)

    def _refuse(self, status: int) -> None:
        """Say what is wrong, and read on for a moment without looking: to close at once would take back the answer."""
        self.transport.write(refusal(status))
        self.transport.write_eof()
        self._refused, self.due = True, self.loop.time() + REFUSED_FOR

    def _leave(self) -> None:
        self._ahead = b""
        if self._entered:
            self._entered, self.due = False, None
            self.door.forget(self)
        if self._held_back:
            self._held_back[0].on_response = _nobody_listens  # which would keep the connection, its head and itself
            self._held_back = self.cycle = None  # type: ignore[assignment]


def _nobody_listens() -> None:
    """Hear that a request was answered, on a connection that is gone."""
