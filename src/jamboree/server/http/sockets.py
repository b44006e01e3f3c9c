"""A WebSocket to a table: bounded in what it takes, in what waits for it, and in how long it may stall."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from ..door.addresses import household
from ..door.banned import KEPT_OUT
from ..door.crowd import Place
from ..door.waiting import Waiting
from ..errors import Refused
from ..nodes.relay import relay_socket, send_back
from ..protocol.frames import Bye, Error
from ..protocol.requests import Act
from ..protocol.wire import Packed, encode
from ..secret import is_code
from .answers import status_of
from .gate import count, guesses, is_relayed, known_token, look_at, note_guess, origin_of, tokens_on
from .operating.metrics import Metrics
from .session import Session, Taken

LARGEST_FRAME = 8 * 1024
LARGEST_RECEIVED = 2 * LARGEST_FRAME  # what is larger is not even taken in, so that nobody is told politely either
PATIENCE = 10.0  # seconds one frame may take to be read
STALLED = 1.0  # seconds after which nothing more is kept for who reads nothing
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


class Outbox:
    """Frames on their way to a reader. When more wait than may, all are dropped and the reader is told anew.

    So it goes with a reader who has stalled, too: then the table need not write anything that nobody will read.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic, waiting: Waiting | None = None) -> None:
        self.now, self.waiting = now, waiting or Waiting()
        self.closed = self.overflown = False
        self._frames: deque[bytes] = deque()
        self._size = 0
        self._news = asyncio.Event()
        self._taken: float | None = None  # when the frame was taken that is being read now

    @property
    def waits(self) -> bool:
        """Tell whether something waits that the reader has not taken yet."""
        return bool(self._frames)

    @property
    def behind(self) -> bool:
        """Tell whether the reader will be told everything anew, so that nothing need be put in here."""
        if not self.overflown and self._taken is not None and self.now() - self._taken > STALLED:
            self.let_go()
        return self.overflown

    def put(self, frame: bytes) -> None:
        if self.behind:
            return
        if self._frames and self._size + len(frame) > self.waiting.room:
            self.let_go()
        else:
            self._frames.append(frame)
            self._grow(len(frame))
        self._news.set()

    def let_go(self) -> None:
        """Let go of everything that waits, and take nothing more."""
        self._frames.clear()
        self._grow(-self._size)
        self.overflown = True

    def _grow(self, much: int) -> None:
        self._size += much
        self.waiting.total += much

    def read_on(self) -> None:
        """Take frames again; the next one tells everything anew."""
        self.overflown = False

    def close(self) -> None:
        self.closed = True
        self._news.set()

    async def next(self) -> bytes | None:
        """Wait for a frame; None says to look at what has become of the box."""
        self._taken = None
        while not (self._frames or self.closed or self.overflown):
            self._news.clear()
            await self._news.wait()
        if not self._frames:
            return None
        frame = self._frames.popleft()
        self._grow(-len(frame))
        self._taken = self.now()
        return frame


class Pace:
    """Counts messages in a sliding window."""

    def __init__(self) -> None:
        self._arrivals: deque[float] = deque()

    def allows(self, now: float) -> bool:
        while self._arrivals and now - self._arrivals[0] > WINDOW:
            self._arrivals.popleft()
        self._arrivals.append(now)
        return len(self._arrivals) <= MOST_MESSAGES


class Arrived(NamedTuple):
    message: Taken
    at: float


class OpenSocket:
    """One open socket with its two directions. It reads on while the table is busy: a message counts as of its arrival.

    There is a bound to that, too.
    """

    def __init__(self, socket: Socket, session: Session, outbox: Outbox, metrics: Metrics, place: Place) -> None:
        self.socket, self.session, self.outbox, self.metrics = socket, session, outbox, metrics
        self.place = place
        self.pace = Pace()
        self._unanswered: asyncio.Queue[Arrived | None] = asyncio.Queue(MOST_UNANSWERED)
        self.code = 0  # to close with, once that is decided
        self.address = ""

    async def run(self) -> None:
        """Carry messages both ways until one side ends it."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._read())
                both.create_task(self._answer())
                both.create_task(self._write())
        except* (WebSocketDisconnect, TimeoutError, _Ended):
            pass
        finally:
            try:
                await self.session.end()
            finally:
                await self._hang_up()  # it may be cancelled where a reader has stalled, and comes last

    async def _read(self) -> None:
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
            await self._unanswered.put(await self._take())
        await self._unanswered.join()
        self.outbox.close()

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
        data = await self.socket.receive_data(mode="text")
        arrived = self.session.registry.staff.now()
        self.metrics.frames += 1
        if len(data.encode()) > LARGEST_FRAME:
            self.code = TOO_BIG
        elif not self.pace.allows(arrived):
            self.code = POLICY
        return None if self.code else Arrived(self.session.take(data, arrived), arrived)

    async def _answer(self) -> None:
        """Answer messages in the order they came, while others come."""
        while True:
            await self._answer_one(await self._unanswered.get())
            self._unanswered.task_done()

    async def _answer_one(self, arrived: Arrived | None) -> None:
        if arrived is None:
            self._refuse(*BROKEN_LIMITS[self.code])
        elif await self.session.answer(arrived.message) is Act:
            self.metrics.acked(self.session.registry.staff.now() - arrived.at)

    def _refuse(self, code: str, sentence: str) -> None:
        self.metrics.refused += 1
        self.outbox.put(encode(Error(None, code, sentence)))

    async def _write(self) -> None:
        while True:
            frame = await self.outbox.next()
            if frame is not None:
                async with asyncio.timeout(PATIENCE):
                    await self._send(frame)
            elif self.outbox.closed:
                raise _Ended
            else:
                await self._resync()

    async def _send(self, frame: bytes) -> None:
        if isinstance(frame, Packed):
            await self.socket.send_data(frame, mode="binary")
        else:
            await self.socket.send_data(frame.decode(), mode="text")

    async def _resync(self) -> None:
        self.metrics.overflows += 1
        if self.session.table:
            await self.session.table.resync(self.session, self.outbox.read_on)
        else:
            self.outbox.read_on()

    async def _hang_up(self) -> None:
        with suppress(Exception):
            async with asyncio.timeout(1):
                await self.socket.close(self.code or RESTART)


class _Ended(Exception):
    """Nothing more goes out."""


@websocket("/api/v1/tables/{code:str}/socket")
async def table_socket(socket: Socket, code: FromPath[str]) -> None:
    """Sit at a table, or watch it."""
    state = socket.app.state
    try:
        look_at(socket)
        if await _carried_elsewhere(socket):
            return
        await count(socket)
        table = await state.registry.table(code)
        token = known_token(socket, table)
        place = Place(state.limits and state.limits.crowd, household(origin_of(socket).address), table.code)
        place.belongs_to(table.who(token) if token and table.knows(token) else None)
    except Refused as refusal:
        note_guess(socket, refusal)
        await _turn_away(socket, refusal)
        return
    outbox = Outbox(state.registry.staff.now, waiting=state.waiting)
    session = Session(state.registry, table.code, outbox, token, tokens_on(socket, table))
    open_socket = OpenSocket(socket, session, outbox, state.metrics, place)
    open_socket.address = origin_of(socket).address
    place.dismiss = open_socket.crowd_out
    state.open_sockets.add(open_socket)
    state.metrics.sockets += 1
    try:
        await socket.accept()
        await open_socket.run()
    finally:
        state.metrics.sockets -= 1
        state.open_sockets.discard(open_socket)
        outbox.let_go()
        place.leave()


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
