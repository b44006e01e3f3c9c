"""Finished games looked back on, one at a time, in a process of their own; what is done is kept."""

import asyncio
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from jamboree.coach.back import Analysis

from ..errors import Refused

log = logging.getLogger(__name__)
PLAYOUTS = 150  # for each position
COMMAND = (sys.executable, "-m", "jamboree.coach.back", str(PLAYOUTS))
MOST_WAITING = 12  # games
MOST_REMEMBERED = 64  # games that were stopped, or failed
LONGEST = 900.0  # seconds
LINE = 8 << 20  # bytes that what is found may take

State = Literal["none", "waiting", "working", "done", "stopped", "failed"]
Keep = Callable[[bytes], Awaitable[None]]


class Work(msgspec.Struct):
    """A game on its way to being analysed."""

    state: State = "waiting"
    found: Analysis | None = None  # as far as it got
    task: "asyncio.Task[None] | None" = None


class Analyst:
    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self.command = command
        self._work: dict[str, Work] = {}  # by table
        self._one = asyncio.Semaphore(1)

    def work(self, table: str) -> Work:
        return self._work.get(table) or Work("none")

    def begin(self, table: str, journal: bytes, keep: Keep) -> None:
        """Look back at a game, some time soon; one that is looked at already is left to it."""
        if self.work(table).state in ("waiting", "working"):
            return
        if sum(work.state in ("waiting", "working") for work in self._work.values()) >= MOST_WAITING:
            raise Refused("busy", "Many games are being looked back on; try again in a few minutes.")
        self._forget()
        work = self._work[table] = Work()
        work.task = asyncio.create_task(self._look(table, work, journal, keep), name=f"analysis {table}")

    async def stop(self, table: str) -> None:
        work = self.work(table)
        if work.task and not work.task.done():
            work.state = "stopped"
            work.task.cancel()
            await asyncio.gather(work.task, return_exceptions=True)

    async def close(self) -> None:
        for table in list(self._work):
            await self.stop(table)

    def _forget(self) -> None:
        """Let go of what was over longest ago."""
        over = [table for table, work in self._work.items() if work.task is None or work.task.done()]
        for table in over[: max(0, len(over) - MOST_REMEMBERED + 1)]:
            del self._work[table]

    async def _look(self, table: str, work: Work, journal: bytes, keep: Keep) -> None:
        try:
            async with self._one, asyncio.timeout(LONGEST):
                work.state = "working"
                await self._listen(work, journal)
            if work.found is None or not work.found.finished:
                raise EOFError
            await keep(msgspec.json.encode(work.found))
            work.state = "done"
        except Exception as error:  # its words may tell what was in the game, its kind does not
            work.state = "failed"
            log.warning("no analysis of table %s: %s", table, type(error).__name__)

    async def _listen(self, work: Work, journal: bytes) -> None:
        process = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LINE
        )
        assert process.stdin, "it was started with pipes"
        assert process.stdout, "it was started with pipes"
        try:
            process.stdin.write(journal + b"\n")
            await process.stdin.drain()
            while line := await process.stdout.readline():
                work.found = msgspec.json.decode(line, type=Analysis)
        finally:
            await _end(process)


async def _end(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await asyncio.shield(process.communicate())
