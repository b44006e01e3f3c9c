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

from jamboree.coach.back import Analysis, balance, render_sections, retell, turning_points
from jamboree.core.avatars import using_avatars
from jamboree.core.game import AnyGame

from ..errors import Refused
from ..fair_queue import Asker, Turns
from ..protocol.analysis import AnalysisSeen, Swing
from ..store import Record, StoreError
from .replay import journal_of

log = logging.getLogger(__name__)
PLAYOUTS = 150  # for each position
COMMAND = (sys.executable, "-m", "jamboree.coach.back", str(PLAYOUTS))
MOST_WAITING = 60  # games
MOST_REMEMBERED = 64  # games that were stopped, or failed
SILENCE = 900.0  # seconds without a new line after which a process is given up; as long as it gets on it may go on
KEEP_EVERY = 20.0  # seconds between two drafts that are kept, should the server be restarted
PACE = 60  # lines by which it is reckoned how long the rest takes
SETTLED = 3.0  # seconds before that can be reckoned
SOMEBODY = Asker("")
LINE = 8 << 20  # bytes that what is found may take
State = Literal["none", "waiting", "working", "done", "stopped", "interrupted", "crowded", "failed"]
Keep = Callable[[bytes], Awaitable[None]]


async def _nothing() -> None: ...


class Work(msgspec.Struct):
    """A game on its way to being analysed."""

    state: State
    found: Analysis | None = None  # as far as it got
    asker: Asker = SOMEBODY
    task: "asyncio.Task[None] | None" = None
    look: Callable[[], Coroutine[Any, Any, None]] = _nothing  # when its turn has come
    marks: deque[tuple[float, int]] = msgspec.field(default_factory=lambda: deque(maxlen=PACE))
    before: int = 0  # games that go first

    def note(self, found: Analysis, now: float) -> None:
        self.found = found
        self.marks.append((now, found.done))

    def left(self) -> float | None:
        """Give the seconds that the rest will take, as fast as it went of late."""
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
        self._row = Turns[str]()  # tables whose games wait
        self._busy: str | None = None  # the table whose game is looked at

    def work(self, table: str) -> Work:
        work = self._work.get(table) or Work("none")
        work.before = self._row.in_order().index(table) + (self._busy is not None) if work.state == "waiting" else 0
        return work

    def begin(
        self, table: str, journal: bytes, keep: Keep, draft: Analysis | None = None, asker: Asker = SOMEBODY
    ) -> None:
        """Look back at a game, some time soon, from where a draft ends; one that is looked at already is left to it."""
        if self.work(table).state in ("waiting", "working"):
            return
        self._make_room(asker)
        self._forget()
        self._work.pop(table, None)  # whoever asks again is the last to be forgotten
        work = self._work[table] = Work("waiting", draft, asker)
        work.look = partial(self._look, table, work, journal, keep)
        self._row.add(asker, table)
        self._go_on()

    def _make_room(self, asker: Asker) -> None:
        """Refuse whoever asks when too many wait, unless more wait from another address, which then gives one up."""
        if self._row.total < MOST_WAITING:
            return
        last = self._row.last_of_most()
        most = self._work[last].asker
        if len(self._row.of(most.address)) <= len(self._row.of(asker.address)) + 1:
            raise Refused("busy", "Many games are being looked back on; try again in a few minutes.")
        self._row.remove(most, last)
        self._work[last].state = "crowded"

    def _go_on(self) -> None:
        """Look at the next game, as soon as none is looked at."""
        if self._busy is None and (table := self._row.next()) is not None:
            work, self._busy = self._work[table], table
            work.state = "working"
            work.task = asyncio.create_task(work.look(), name=f"analysis {table}")
            work.task.add_done_callback(self._done)

    def _done(self, _: "asyncio.Task[None]") -> None:
        self._busy = None
        self._go_on()

    async def stop(self, table: str) -> None:
        work = self.work(table)
        if self._row.remove(work.asker, table):
            work.state = "stopped"
        elif work.task and not work.task.done():
            work.state = "stopped"
            work.task.cancel()
            await asyncio.gather(work.task, return_exceptions=True)

    async def close(self) -> None:
        """Stop everything, those that wait first, so that none of them begins."""
        for table in [*self._row.in_order(), *self._work]:
            await self.stop(table)

    def _forget(self) -> None:
        """Let go of what was over longest ago."""
        over = [table for table, work in self._work.items() if work.state not in ("waiting", "working")]
        for table in over[: max(0, len(over) - MOST_REMEMBERED + 1)]:
            del self._work[table]

    async def _look(self, table: str, work: Work, journal: bytes, keep: Keep) -> None:
        try:
            await self._listen(work, journal, keep)
            if work.found is None or not work.found.finished:
                raise EOFError
            await keep(msgspec.json.encode(work.found))
            work.state = "done"
        except Exception as error:  # its words may tell what was in the game, its kind does not
            work.state = "failed"
            log.warning("no analysis of table %s: %s", table, type(error).__name__)

    async def _listen(self, work: Work, journal: bytes, keep: Keep) -> None:
        process = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LINE
        )
        assert process.stdin, "it was started with pipes"
        assert process.stdout, "it was started with pipes"
        try:
            process.stdin.write(journal + b"\n" + msgspec.json.encode(work.found) + b"\n")
            await process.stdin.drain()
            kept = -inf
            while line := await _next_line(process.stdout):
                work.note(msgspec.json.decode(line, type=Analysis), self.now())
                if self.now() - kept >= KEEP_EVERY:
                    kept = self.now()
                    with suppress(StoreError):  # the next draft may be kept again
                        await keep(line.rstrip())
        finally:
            await _end(process)


async def _next_line(out: asyncio.StreamReader) -> bytes:
    """Wait for a line, but not for ever. `wait_for` would take one that has just come for more than being stopped."""
    async with asyncio.timeout(SILENCE):
        return await out.readline()


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await asyncio.shield(process.communicate())


def journal_line(history: Sequence[Record]) -> bytes:
    """Write the journal of a game as one line, for another process."""
    return msgspec.json.encode(journal_of(history))


def told(
    work: Work, history: Sequence[Record], game: AnyGame, looks: Sequence[int], viewer: int | None, seat: int | None,
    lang: str,
) -> AnalysisSeen:  # fmt: skip
    """Tell what was found so far; the words of what was done in private are for those alone who saw it."""
    found, left = work.found, work.left()
    if found is None:
        return AnalysisSeen(work.state, before=work.before)
    points = turning_points(found, seat)
    with using_avatars(looks):
        worded = retell(game, journal_of(history), found, points, viewer, lang)
        sections = render_sections(game, journal_of(history), found, viewer, lang) if found.finished else []
    return AnalysisSeen(
        state=work.state,
        before=work.before,
        left=None if left is None else round(left),
        done=max(0, found.done),
        steps=found.steps,
        playouts=found.playouts,
        moments=found.moments,
        losses=[Swing(each.step, each.seat, each.loss) for each in found.decisions if each.loss],
        balance=balance(found),
        sections=sections,
        turning_points=worded,
    )


def kept_work(kept: bytes | None, work: Work) -> Work:
    """Give what is kept, or else what is being done. A draft that nobody works on is left from before a restart."""
    found = _read_analysis(kept) if kept else None
    if found and found.finished:
        return Work("done", found)
    return Work("interrupted", found) if found and work.state == "none" else work


def _read_analysis(kept: bytes) -> Analysis | None:
    """Read what was kept; what an earlier version wrote in another way was never done."""
    try:
        return msgspec.json.decode(kept, type=Analysis)
    except msgspec.MsgspecError:
        return None
