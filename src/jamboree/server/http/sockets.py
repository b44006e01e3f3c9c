"""WebSockets of tables, with bounds on messages, on queued frames, and on stalling readers."""

import asyncio
from contextlib import suppress
from functools import partial
from traceback import clear_frames
from typing import Any, NamedTuple

from litestar import WebSocket, websocket
from litestar.datastructures import State

from ..edge.addresses import rate_limit_key
from ..edge.connection_limits import ConnectionSlot, do_nothing
from ..edge.ip_bans import ADDRESS_BANNED
from ..edge.outbox import Outbox
from ..errors import Refused
from ..live.commands.playing import Act
from ..live.session import Resync, Session, Submitted
from ..nodes.relay import reject_misdirected, relay_socket
from ..protocol.frames import Bye, Error
from ..protocol.wire import encode
from ..tokens import is_code
from ..wakeup import Wakeup
from .auth import (
    apply_rate_limit,
    check_connection,
    check_query,
    count_guess,
    device_tokens,
    is_guessing,
    is_relayed,
    known_token,
    origin_of,
)
from .error_responses import status_of
from .metrics import Metrics
from .parameters import TableCode
from .raw_socket import SOCKET_HANDLER, Disconnected, RawSocket, SocketHandler

MAX_FRAME = 8 * 1024
MAX_RECEIVED = 2 * MAX_FRAME  # larger messages end the connection without an error frame
HELLO_TIMEOUT = 5.0
MAX_MESSAGES, WINDOW = 100, 20.0
FAREWELL = 0.2  # seconds for the last frames
POLICY, TOO_BIG, RESTART = 1008, 1009, 1012
MAX_PENDING = 32  # messages without an answer at which reading pauses
BROKEN_LIMITS = {
    TOO_BIG: ("too-big", f"A message may have at most {MAX_FRAME} bytes."),
    POLICY: ("too-fast", f"At most {MAX_MESSAGES} messages in {WINDOW:.0f} seconds."),
}
Socket = WebSocket[Any, Any, Any]


class MessageRate:
    """A sliding-window limit on messages."""

    def __init__(self) -> None:
        self._arrivals: list[float] = []

    def allows(self, now: float) -> bool:
        while self._arrivals and now - self._arrivals[0] > WINDOW:
            del self._arrivals[0]
        self._arrivals.append(now)
        return len(self._arrivals) <= MAX_MESSAGES


class ReceivedMessage(NamedTuple):
    message: Submitted
    at: float


class OpenSocket:
    """An open socket: reads messages into the session, and writes frames of the outbox.

    Reading goes on while the table is busy, up to MAX_PENDING messages: a message counts from its arrival.
    """

    def __init__(
        self, socket: RawSocket, session: Session, outbox: Outbox, metrics: Metrics, slot: ConnectionSlot
    ) -> None:
        self.socket = socket
        self.session = session
        self.outbox = outbox
        self.metrics = metrics
        self.slot = slot
        self.pace = MessageRate()
        self._pending: list[ReceivedMessage | None] = []  # the first is being processed
        self._processed = Wakeup()
        self.code = 0  # the close code, once decided
        self.address = ""

    async def run(self) -> None:
        """Read and write until one side closes the socket."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._write())
                await self._read(both)
        except* (Disconnected, TimeoutError, _Finished) as ended:
            clear_frames(ended.__traceback__)  # break a reference cycle with asyncio
        finally:
            try:
                await self.session.end()
            finally:
                await self._close()  # last, since it may be cancelled if the reader has stalled

    async def _read(self, group: asyncio.TaskGroup) -> None:
        """Read messages until one breaks a limit; queued frames are still sent."""
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                while self.session.table is None and not self.code:
                    await self._process_one(await self._receive())
        except TimeoutError:
            self._refuse("no-hello", "There was no hello in time.")
            self.code = POLICY
        self._assign_slot()
        while not self.code:
            self._pending.append(await self._receive())
            if len(self._pending) == 1:
                group.create_task(self._answer())
            await self._until_pending(MAX_PENDING)
        await self._until_pending(0)
        self.outbox.close()

    async def _until_pending(self, most: int) -> None:
        while len(self._pending) > most:
            await self._processed.wait()

    def _assign_slot(self) -> None:
        """Count the socket as the person who said hello."""
        try:
            self.slot.assign(self.session.person)
        except Refused as refusal:
            self._refuse(refusal.code, refusal.sentence)
            self.code = POLICY

    def evict(self) -> None:
        """Close the socket in favour of a person who has fewer."""
        self._close_with("crowded", "You are connected most often from there, and somebody else needs the place.")

    def close_banned(self) -> None:
        """Close the socket of an address that is banned now."""
        self._close_with("banned-address", ADDRESS_BANNED)

    def _close_with(self, code: str, sentence: str) -> None:
        self._refuse(code, sentence)
        self.code = POLICY
        self.outbox.close()

    async def _receive(self) -> ReceivedMessage | None:
        """Submit the next message with its time of arrival, without yielding in between; None if it breaks a limit."""
        data = await self.socket.receive()
        arrived = self.session.registry.services.now()
        self.metrics.frames += 1
        if len(data.encode()) > MAX_FRAME:
            self.code = TOO_BIG
        elif not self.pace.allows(arrived):
            self.code = POLICY
        return None if self.code else ReceivedMessage(self.session.submit(data, arrived), arrived)

    async def _answer(self) -> None:
        """Process pending messages in order, until there are none."""
        while self._pending:
            await self._process_one(self._pending[0])
            del self._pending[0]
            self._processed.notify()

    async def _process_one(self, arrived: ReceivedMessage | None) -> None:
        if arrived is None:
            self._refuse(*BROKEN_LIMITS[self.code])
            return
        granted = await self.session.answer(arrived.message)
        if granted is Act:
            self.metrics.note_ack(self.session.registry.services.now() - arrived.at)
        elif granted is Resync:
            self.metrics.resyncs += 1

    def _refuse(self, code: str, sentence: str) -> None:
        self.metrics.refused += 1
        self.outbox.put(encode(Error(None, code, sentence)))

    async def _write(self) -> None:
        while True:
            frame = await self.outbox.next()
            if frame is not None:
                await self.socket.send(frame)
                del frame  # free it before waiting
            elif self.outbox.closed:
                raise _Finished
            else:
                await self._resync()

    async def _resync(self) -> None:
        self.metrics.overflows += 1
        if self.session.table:
            await self.session.table.resync(self.session, self.outbox.resume)
        else:
            self.outbox.resume()

    async def _close(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(1):
                await self.socket.close(self.code or RESTART)


class _Finished(Exception):
    """The outbox is closed and empty."""


@websocket("/api/v1/tables/{code:str}/socket")
async def table_socket(socket: Socket, code: TableCode) -> None:
    """Connect to a table as a player or spectator."""
    try:
        await _accept(socket, code)
    finally:
        del socket.receive, socket.send  # break reference cycles with the socket


async def _accept(socket: Socket, code: str) -> None:
    state = socket.app.state
    try:
        check_connection(socket)
        if await _is_relayed_elsewhere(socket):
            return
        await apply_rate_limit(socket)
        check_query(socket)
        table = await state.registry.table(code)
        token = known_token(socket, table)
        slot = ConnectionSlot(
            state.limits and state.limits.connections, rate_limit_key(origin_of(socket).address), table.code
        )
        slot.assign(table.authenticate(token) if token and table.knows(token) else None)
    except Refused as refusal:
        count_guess(socket, refusal)
        await _reject(socket, refusal)
        return
    outbox = Outbox(state.registry.services.now, budget=state.outbox_budget)
    session = Session(state.registry, table.code, outbox, token, device_tokens(socket, table))
    handle: SocketHandler = partial(_serve, state, session, outbox, slot, origin_of(socket).address)
    socket.scope[SOCKET_HANDLER] = handle  # type: ignore[literal-required]


async def _serve(
    state: State, session: Session, outbox: Outbox, slot: ConnectionSlot, address: str, socket: RawSocket
) -> None:
    """Serve an accepted socket until it closes."""
    open_socket = OpenSocket(socket, session, outbox, state.metrics, slot)
    open_socket.address = address
    slot.on_evict = open_socket.evict
    state.open_sockets.add(open_socket)
    state.metrics.sockets += 1
    try:
        await socket.accept()
        await open_socket.run()
    finally:
        state.metrics.sockets -= 1
        state.open_sockets.discard(open_socket)
        outbox.overflow()
        slot.release()
        slot.on_evict = do_nothing  # break a reference cycle


async def _is_relayed_elsewhere(socket: Socket) -> bool:
    """In a cluster, relay a socket to the owner of its table; False if that is this server."""
    node, code = socket.app.state.node, socket.path_params["code"]
    if node is None or not is_code(code):
        return False
    if not is_relayed(socket):
        return not is_guessing(socket) and await relay_socket(node, code, socket, origin_of(socket))
    if await node.owner(code) is None:
        return False
    await reject_misdirected(socket)
    return True


async def _reject(socket: Socket, refusal: Refused) -> None:
    """Refuse a socket; after a fault of the server, with a close code that invites to reconnect."""
    if status_of(refusal.code) == 503:
        await socket.accept()
        await socket.close(RESTART, refusal.code)
    else:
        await socket.close(POLICY, refusal.code)


async def close_sockets(open_sockets: set[OpenSocket]) -> None:
    """Send all clients a goodbye at shutdown, and close their sockets."""
    if not open_sockets:
        return
    for open_socket in list(open_sockets):
        open_socket.outbox.put(encode(Bye("The server is going down for a moment; please come back.")))
        open_socket.session.hang_up()
    for _ in range(20):
        if open_sockets:
            await asyncio.sleep(0.05)
    await asyncio.sleep(FAREWELL)
