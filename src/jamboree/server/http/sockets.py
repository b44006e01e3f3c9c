"""A WebSocket to a table: bounded in what it takes, in what waits for it, and in how long it may stall."""

import asyncio
from contextlib import suppress
from functools import partial
from traceback import clear_frames
from typing import Any, NamedTuple

from litestar import WebSocket, websocket
from litestar.datastructures import State
from litestar.params import FromPath

from ..edge.addresses import household
from ..edge.connection_limits import Place, nobody_there
from ..edge.ip_bans import KEPT_OUT
from ..edge.outbox import Outbox
from ..errors import Refused
from ..live.commands.playing import Act
from ..live.messages import AskAnew
from ..nodes.relay import relay_socket, send_back
from ..protocol.frames import Bye, Error
from ..protocol.wire import encode
from ..tokens import is_code
from ..wakeup import Bell
from .auth import check_query, count, guesses, is_relayed, known_token, look_at, note_guess, origin_of, tokens_on
from .error_responses import status_of
from .metrics import Metrics
from .raw_socket import TALK, Gone, Line, Talk
from .session import Session, Taken

LARGEST_FRAME = 8 * 1024
LARGEST_RECEIVED = 2 * LARGEST_FRAME  # what is larger is not even taken in, so that nobody is told politely either
HELLO_WITHIN = 5.0
MOST_MESSAGES, WINDOW = 100, 20.0
FAREWELL = 0.2  # seconds for the last frames to get out
POLICY, TOO_BIG, RESTART = 1008, 1009, 1012
MOST_UNANSWERED = 32  # messages; when more wait for their answers, no more are read
BROKEN_LIMITS = {
    TOO_BIG: ("too-big", f"A message may have {LARGEST_FRAME} bytes."),
    POLICY: ("too-fast", f"At most {MOST_MESSAGES} messages in {WINDOW:.0f} seconds."),
}
Socket = WebSocket[Any, Any, Any]


class Pace:
    """Counts messages in a sliding window."""

    def __init__(self) -> None:
        self._arrivals: list[float] = []

    def allows(self, now: float) -> bool:
        while self._arrivals and now - self._arrivals[0] > WINDOW:
            del self._arrivals[0]
        self._arrivals.append(now)
        return len(self._arrivals) <= MOST_MESSAGES


class Arrived(NamedTuple):
    message: Taken
    at: float


class OpenSocket:
    """One open socket with its two directions. It reads on while the table is busy: a message counts as of its arrival.

    There is a bound to that, too.
    """

    def __init__(self, line: Line, session: Session, outbox: Outbox, metrics: Metrics, place: Place) -> None:
        self.line, self.session, self.outbox, self.metrics = line, session, outbox, metrics
        self.place = place
        self.pace = Pace()
        self._unanswered: list[Arrived | None] = []  # the first is being answered
        self._answered = Bell()
        self.code = 0  # to close with, once that is decided
        self.address = ""

    async def run(self) -> None:
        """Carry messages both ways until one side ends it."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._write())
                await self._read(both)
        except* (Gone, TimeoutError, _Ended) as ended:
            clear_frames(ended.__traceback__)  # or one of asyncio's and this would hold each other
        finally:
            try:
                await self.session.end()
            finally:
                await self._hang_up()  # it may be cancelled where a reader has stalled, and comes last

    async def _read(self, group: asyncio.TaskGroup) -> None:
        """Take messages until one breaks the limits; what is on its way to the reader still goes out."""
        try:
            async with asyncio.timeout(HELLO_WITHIN):
                while self.session.table is None and not self.code:
                    await self._answer_one(await self._take())
        except TimeoutError:
            self._refuse("no-hello", "Nobody said hello in time.")
            self.code = POLICY
        self._take_place()
        while not self.code:
            self._unanswered.append(await self._take())
            if len(self._unanswered) == 1:
                group.create_task(self._answer())
            await self._until_unanswered(MOST_UNANSWERED)
        await self._until_unanswered(0)
        self.outbox.close()

    async def _until_unanswered(self, most: int) -> None:
        while len(self._unanswered) > most:
            await self._answered.wait()

    def _take_place(self) -> None:
        """Count who has said hello as who they are."""
        try:
            self.place.belongs_to(self.session.person)
        except Refused as refusal:
            self._refuse(refusal.code, refusal.sentence)
            self.code = POLICY

    def crowd_out(self) -> None:
        """Let go of somebody whose place another needs more."""
        self._let_go("crowded", "You are connected most often from there, and somebody else needs the place.")

    def send_away(self) -> None:
        """Let go of somebody whose address is kept out from now on."""
        self._let_go("banned-address", KEPT_OUT)

    def _let_go(self, code: str, sentence: str) -> None:
        self._refuse(code, sentence)
        self.code = POLICY
        self.outbox.close()

    async def _take(self) -> Arrived | None:
        """Stamp the next message and hand it in before anything else can happen; None if it breaks the limits."""
        data = await self.line.receive()
        arrived = self.session.registry.services.now()
        self.metrics.frames += 1
        if len(data.encode()) > LARGEST_FRAME:
            self.code = TOO_BIG
        elif not self.pace.allows(arrived):
            self.code = POLICY
        return None if self.code else Arrived(self.session.take(data, arrived), arrived)

    async def _answer(self) -> None:
        """Answer messages in the order they came, while others come, until there are none."""
        while self._unanswered:
            await self._answer_one(self._unanswered[0])
            del self._unanswered[0]
            self._answered.ring()

    async def _answer_one(self, arrived: Arrived | None) -> None:
        if arrived is None:
            self._refuse(*BROKEN_LIMITS[self.code])
            return
        granted = await self.session.answer(arrived.message)
        if granted is Act:
            self.metrics.acked(self.session.registry.services.now() - arrived.at)
        elif granted is AskAnew:
            self.metrics.resyncs += 1

    def _refuse(self, code: str, sentence: str) -> None:
        self.metrics.refused += 1
        self.outbox.put(encode(Error(None, code, sentence)))

    async def _write(self) -> None:
        while True:
            frame = await self.outbox.next()
            if frame is not None:
                await self.line.send(frame)
                del frame  # not kept until the next one comes
            elif self.outbox.closed:
                raise _Ended
            else:
                await self._resync()

    async def _resync(self) -> None:
        self.metrics.overflows += 1
        if self.session.table:
            await self.session.table.resync(self.session, self.outbox.read_on)
        else:
            self.outbox.read_on()

    async def _hang_up(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(1):
                await self.line.close(self.code or RESTART)


class _Ended(Exception):
    """Nothing more goes out."""


@websocket("/api/v1/tables/{code:str}/socket")
async def table_socket(socket: Socket, code: FromPath[str]) -> None:
    """Sit at a table, or watch it."""
    try:
        await _let_in(socket, code)
    finally:
        del socket.receive, socket.send  # which know the socket, so that only a search would find it


async def _let_in(socket: Socket, code: str) -> None:
    state = socket.app.state
    try:
        look_at(socket)
        if await _carried_elsewhere(socket):
            return
        await count(socket)
        check_query(socket)
        table = await state.registry.table(code)
        token = known_token(socket, table)
        place = Place(state.limits and state.limits.crowd, household(origin_of(socket).address), table.code)
        place.belongs_to(table.who(token) if token and table.knows(token) else None)
    except Refused as refusal:
        note_guess(socket, refusal)
        await _turn_away(socket, refusal)
        return
    outbox = Outbox(state.registry.services.now, waiting=state.waiting)
    session = Session(state.registry, table.code, outbox, token, tokens_on(socket, table))
    talk: Talk = partial(_talk, state, session, outbox, place, origin_of(socket).address)
    socket.scope[TALK] = talk  # type: ignore[literal-required]


async def _talk(state: State, session: Session, outbox: Outbox, place: Place, address: str, line: Line) -> None:
    """Carry messages and frames for somebody who was let in."""
    open_socket = OpenSocket(line, session, outbox, state.metrics, place)
    open_socket.address = address
    place.dismiss = open_socket.crowd_out
    state.open_sockets.add(open_socket)
    state.metrics.sockets += 1
    try:
        await line.accept()
        await open_socket.run()
    finally:
        state.metrics.sockets -= 1
        state.open_sockets.discard(open_socket)
        outbox.let_go()
        place.leave()
        place.dismiss = nobody_there  # so that neither knows the other any more


async def _carried_elsewhere(socket: Socket) -> bool:
    """Carry a socket to the server that has its table, if several share them and it is another one."""
    node, code = socket.app.state.node, socket.path_params["code"]
    if node is None or not is_code(code):
        return False
    if not is_relayed(socket):
        return not guesses(socket) and await relay_socket(node, code, socket, origin_of(socket))
    if await node.owner(code) is None:
        return False
    await send_back(socket)
    return True


async def _turn_away(socket: Socket, refusal: Refused) -> None:
    """Let nobody in; if it is our fault, say that it is worth coming back."""
    if status_of(refusal.code) == 503:
        await socket.accept()
        await socket.close(RESTART, refusal.code)
    else:
        await socket.close(POLICY, refusal.code)


async def say_goodbye(open_sockets: set[OpenSocket]) -> None:
    """Tell everybody that the server goes down, and that it is worth coming back."""
    if not open_sockets:
        return
    for open_socket in list(open_sockets):
        open_socket.outbox.put(encode(Bye("The server is going down for a moment; please come back.")))
        open_socket.session.hang_up()
    for _ in range(20):
        if open_sockets:
            await asyncio.sleep(0.05)
    await asyncio.sleep(FAREWELL)
