"""Analysis of finished games in a worker process: a fair queue, drafts that survive a restart, results per viewer."""

import asyncio
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Literal

import msgspec

from jamboree.coach.review import (
    Analysis,
    analysis_fingerprint,
    balance,
    render_sections,
    render_turning_points,
    turning_points,
)
from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame
from jamboree.core.journal import Journal

from .errors import Refused
from .fair_queue import FairQueue, Requester
from .protocol.analysis import AnalysisInfo, Swing
from .store import StoreError

log = logging.getLogger(__name__)
PLAYOUTS = 150  # per position
COMMAND = (sys.executable, "-m", "jamboree.coach.review", str(PLAYOUTS))
MAX_WAITING = 60  # games
MAX_REMEMBERED = 64  # stopped or failed games
SILENCE = 900.0  # seconds without output after which a process is killed
SAVE_EVERY = 20.0  # seconds between saved drafts, for a restart
PACE = 60  # lines used to estimate the remaining time
SETTLED = 3.0  # seconds before the first estimate
UNKNOWN_REQUESTER = Requester("")
LINE = 8 << 20  # the maximum size of a line in bytes
State = Literal["none", "waiting", "working", "done", "stopped", "interrupted", "crowded", "failed"]
Keep = Callable[[bytes], Awaitable[None]]


async def _nothing() -> None: ...


class Work(msgspec.Struct):
    """The analysis of one game."""

    state: State
    found: Analysis | None = None  # the result so far
    requester: Requester = UNKNOWN_REQUESTER
    task: "asyncio.Task[None] | None" = None
    run: Callable[[], Coroutine[Any, Any, None]] = _nothing  # runs the analysis
    marks: deque[tuple[float, int]] = msgspec.field(default_factory=lambda: deque(maxlen=PACE))
    before: int = 0  # games in the queue before it

    def note(self, found: Analysis, now: float) -> None:
        self.found = found
        self.marks.append((now, found.done))

    def left(self) -> float | None:
        """The estimated seconds left, by the recent speed; None if unknown."""
        if self.state != "working" or self.found is None or not self.marks:
            return None
        (began, first), (now, last) = self.marks[0], self.marks[-1]
        if last == first or now - began < SETTLED:
            return None
        return (self.found.steps - last) * (now - began) / (last - first)


class Analyst:
    def __init__(self, command: Sequence[str] = COMMAND, now: Callable[[], float] = monotonic) -> None:
        self.command, self.now = command, now
        self._work: dict[str, Work] = {}  # by table
        self._queue = FairQueue[str]()  # tables
        self._busy: str | None = None  # the table whose game is being analysed

    def work(self, table: str) -> Work:
        work = self._work.get(table) or Work("none")
        work.before = self._queue.in_order().index(table) + (self._busy is not None) if work.state == "waiting" else 0
        return work

    def begin(
        self,
        table: str,
        journal: bytes,
        keep: Keep,
        draft: Analysis | None = None,
        requester: Requester = UNKNOWN_REQUESTER,
    ) -> None:
        """Queue the analysis of a game, given by its journal in one line; do nothing if it is queued or running.

        It continues a draft.
        """
        if self.work(table).state in ("waiting", "working"):
            return
        self._make_room(requester)
        self._forget()
        self._work.pop(table, None)  # move it to the end of the order of removal
        work = self._work[table] = Work("waiting", draft, requester)
        work.run = partial(self._run, table, work, journal, keep)
        self._queue.add(requester, table)
        self._start_next()

    def _make_room(self, requester: Requester) -> None:
        """Refuse a request if the queue is full, unless another address has more in it and loses its last one."""
        if self._queue.total < MAX_WAITING:
            return
        last = self._queue.last_of_largest()
        most = self._work[last].requester
        if len(self._queue.of(most.address)) <= len(self._queue.of(requester.address)) + 1:
            raise Refused("busy", "Many games are being reviewed; try again in a few minutes.")
        self._queue.remove(most, last)
        self._work[last].state = "crowded"

    def _start_next(self) -> None:
        """Start the next analysis, if none is running."""
        if self._busy is None and (table := self._queue.next()) is not None:
            work, self._busy = self._work[table], table
            work.state = "working"
            work.task = asyncio.create_task(work.run(), name=f"analysis {table}")
            work.task.add_done_callback(self._done)

    def _done(self, _: "asyncio.Task[None]") -> None:
        self._busy = None
        self._start_next()

    async def stop(self, table: str) -> None:
        work = self.work(table)
        if self._queue.remove(work.requester, table):
            work.state = "stopped"
        elif work.task and not work.task.done():
            work.state = "stopped"
            work.task.cancel()
            await asyncio.gather(work.task, return_exceptions=True)

    async def close(self) -> None:
        """Stop everything, queued games first, so that none of them starts."""
        for table in [*self._queue.in_order(), *self._work]:
            await self.stop(table)

    def _forget(self) -> None:
        """Drop the oldest ended work."""
        over = [table for table, work in self._work.items() if work.state not in ("waiting", "working")]
        for table in over[: max(0, len(over) - MAX_REMEMBERED + 1)]:
            del self._work[table]

    async def _run(self, table: str, work: Work, journal: bytes, keep: Keep) -> None:
        try:
            await self._read_results(work, journal, keep)
            if work.found is None or not work.found.finished:
                raise EOFError
            await keep(msgspec.json.encode(work.found))
            work.state = "done"
        except Exception as error:  # log only the type, since the message may contain secrets of the game
            work.state = "failed"
            log.warning("no analysis of table %s: %s", table, type(error).__name__)

    async def _read_results(self, work: Work, journal: bytes, keep: Keep) -> None:
        process = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LINE
        )
        assert process.stdin, "it was started with pipes"
        assert process.stdout, "it was started with pipes"
        try:
            process.stdin.write(journal + b"\n" + msgspec.json.encode(work.found) + b"\n")
            await process.stdin.drain()
            saved_at = -inf
            while line := await _next_line(process.stdout):
                work.note(msgspec.json.decode(line, type=Analysis), self.now())
                if self.now() - saved_at >= SAVE_EVERY:
                    saved_at = self.now()
                    with suppress(StoreError):  # retried with the next draft
                        await keep(line.rstrip())
        finally:
            await _end(process)


async def _next_line(out: asyncio.StreamReader) -> bytes:
    """Read a line with a timeout. `wait_for` could swallow a cancellation if a line has just arrived."""
    async with asyncio.timeout(SILENCE):
        return await out.readline()


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await asyncio.shield(process.communicate())


def visible_analysis(
    work: Work,
    read_journal: Callable[[], Journal],
    game: AnyGame,
    avatars: Sequence[int],
    viewer: int | None,
    seat: int | None,
    lang: str,
) -> AnalysisInfo:
    """The analysis so far; sentences about private steps are only for viewers who witnessed them."""
    found, left = work.found, work.left()
    if found is None:
        return AnalysisInfo(work.state, before=work.before)
    points, journal = turning_points(found, seat), read_journal()
    with using_avatars(avatars):
        texts = render_turning_points(game, journal, found, points, viewer, lang)
        sections = render_sections(game, journal, found, viewer, lang) if found.finished else []
    return AnalysisInfo(
        state=work.state,
        before=work.before,
        left=None if left is None else round(left),
        done=max(0, found.done),
        steps=found.steps,
        playouts=found.playouts,
        moments=found.moments,
        losses=[
            Swing(each.step, each.seat, each.loss, each.best, each.chosen) for each in found.decisions if each.loss
        ],
        luck=found.luck,
        balance=balance(found),
        sections=sections,
        turning_points=texts,
    )


def current_work(stored: bytes | None, work: Work) -> Work:
    """The stored result, or the running work. A stored draft without work was interrupted by a restart."""
    found = _read_analysis(stored) if stored else None
    if found and found.finished:
        return Work("done", found)
    return Work("interrupted", found) if found and work.state == "none" else work


def _read_analysis(stored: bytes) -> Analysis | None:
    """Decode a stored analysis; None for the format, the bots or the coach of another version."""
    try:
        found = msgspec.json.decode(stored, type=Analysis)
    except msgspec.MsgspecError:
        return None
    return found if found.fingerprint == analysis_fingerprint(found.game) else None
