"""The processes that bots think in. One that hangs or breaks is stopped, and a fresh one takes its place."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Protocol
from zlib import crc32

import msgspec

from jamboree.coach import Advised
from jamboree.core.errors import UNREADABLE
from jamboree.core.play import Later

from ..telemetry import span
from .bot_worker import READY, Question, Reply

COMMAND = (sys.executable, "-m", "jamboree.server.minding.bot_worker")
STARTING = 20.0  # seconds that a bot may wait for a process to start
SLOWEST = 120.0  # seconds that a process may take to start; on a busy machine those who ask later find it ready
THINKING = 1.0  # seconds that a move may take, where nobody else waits
QUEUE = 3.0  # seconds that all who wait for one process may take together
LEAST = 0.02
PATIENCE = 3  # times longer than a bot may take, for advice: a person waits for it, and no table


class BotFailed(Exception):
    """A bot gave no answer that can be used."""


class Thinker(Protocol):
    """Whoever answers for bots."""

    async def choose(self, question: Question) -> dict[str, Any] | Later | None: ...  # None: nothing for now
    async def advise(self, question: Question) -> Advised: ...
    def before(self, bot: str) -> int: ...  # how many are thought for before this one
    async def close(self) -> None: ...


class BotPool:
    """A few processes, started when they are needed. A bot is always asked in the same one: it has plans.

    Advice has a process of its own, so that no bot waits for it.
    """

    def __init__(self, limit: float, size: int = 2, command: Sequence[str] = COMMAND) -> None:
        self._workers = [Worker(limit, command) for _ in range(size)]
        self._adviser = Worker(limit * PATIENCE, command)

    async def choose(self, question: Question) -> dict[str, Any] | Later | None:
        reply = await _reply(self._worker(question.bot), question)
        return reply.action if reply.later is None else Later(reply.later)

    async def advise(self, question: Question) -> Advised:
        """Have advice thought over, for a share of the time as a bot has it."""
        advised = (await _reply(self._adviser, question)).advised
        if advised is None:
            raise BotFailed("it gave no advice")
        return advised

    def before(self, bot: str) -> int:
        """Say how many questions a process answers before this bot's."""
        asking = self._worker(bot).asking
        return asking.index(bot) if bot in asking else 0

    def _worker(self, bot: str) -> "Worker":
        return self._workers[crc32(bot.encode()) % len(self._workers)]

    async def close(self) -> None:
        for worker in (*self._workers, self._adviser):
            await worker.close()


class Worker:
    """One process and those who wait for it. It is asked one question at a time, by a task of its own."""

    def __init__(self, limit: float, command: Sequence[str]) -> None:
        self.limit, self.command = limit, command
        self._process: Process | None = None
        self._started = False  # it takes questions
        self._task: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None  # of the process before
        self._waiting: asyncio.Queue[tuple[bytes, asyncio.Future[bytes]]] = asyncio.Queue()
        self.asking: list[str] = []  # bots whose questions are waiting or being answered, the first one first
        self._promised = 0.0  # seconds, to questions that are waiting or being answered

    def fair_share(self) -> float:
        """Give the seconds that a question may take: the less, the more bots wait for this process."""
        return max(LEAST, (QUEUE - self._promised) / QUEUE * THINKING)

    async def ask(self, question: Question) -> bytes:
        """Wait for an answer, but not for ever: another bot may be in the way."""
        self._task = self._task or asyncio.create_task(self._work())
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        share = self.fair_share()
        fair = msgspec.structs.replace(question, seconds=share)
        self._waiting.put_nowait((msgspec.json.encode(fair), answer))
        self.asking.append(question.bot)
        self._promised += share
        try:
            async with asyncio.timeout(self.limit if self._started else STARTING):
                return await answer
        except TimeoutError:
            raise BotFailed("it took too long") from None
        finally:
            self.asking.remove(question.bot)
            self._promised -= share

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end()

    async def _work(self) -> None:
        while True:
            question, answer = await self._waiting.get()
            if answer.done():  # nobody waits for it any more
                continue
            try:
                line = await self._exchange(question)
            except (TimeoutError, OSError, EOFError, ValueError) as error:
                await self._end()
                if not answer.done():
                    answer.set_exception(BotFailed(type(error).__name__))
            else:
                if not answer.done():
                    answer.set_result(line)

    async def _exchange(self, question: bytes) -> bytes:
        if self._process and self._process.returncode is not None:  # it died while nobody asked
            await self._end()
        process = self._process or await self._start()
        assert process.stdin and process.stdout, "it was started with pipes"
        async with asyncio.timeout(self.limit):
            process.stdin.write(question + b"\n")
            await process.stdin.drain()
            line = await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise EOFError
        return line

    async def _start(self) -> Process:
        """Start a process that has nothing of ours but its two pipes."""
        process = await asyncio.create_subprocess_exec(*self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._process = process
        assert process.stdout, "it was started with pipes"
        async with asyncio.timeout(SLOWEST):
            if await process.stdout.readline() != READY:
                raise EOFError
        self._started = True
        return process

    async def _end(self) -> None:
        """Stop the process and wait until it is gone. A caller may be cancelled while it waits, and another wait on."""
        process, self._process, self._started = self._process, None, False
        if process:
            self._ending = asyncio.create_task(_stop(process))
        if self._ending:
            await asyncio.shield(self._ending)


async def _stop(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.communicate()


async def _reply(worker: Worker, question: Question) -> Reply:
    with span("bot"):
        line = await worker.ask(question)
    try:
        reply = msgspec.json.decode(line, type=Reply)
    except UNREADABLE:
        raise BotFailed("it answered nonsense") from None
    if reply.trouble:
        raise BotFailed(reply.trouble)
    return reply
