"""The processes that bots think in. One that hangs or breaks is stopped, and a fresh one takes its place."""

import asyncio
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol
from zlib import crc32

import msgspec

from jamboree.bots import SEARCHING
from jamboree.coach import Advised
from jamboree.core.errors import UNREADABLE
from jamboree.core.play import Later

from ...bot_metrics import BotMetrics
from ...telemetry import span
from .worker import READY, Question, Reply

COMMAND = (sys.executable, "-m", "jamboree.server.live.bots.worker")
STARTING = 20.0  # seconds that a bot may wait for a process to start
SLOWEST = 120.0  # seconds that a process may take to start; on a busy machine those who ask later find it ready
THINKING = 1.0  # seconds that a move may take, where nobody else waits
QUEUE = 3.0  # seconds that all who wait for one process may take together
LEAST = 0.02  # seconds; who would have less to think plays without a search
WAITING = 30.0  # seconds that a bot may wait for its turn to think; more only if its process does nothing but break
SMOOTHING = 0.05  # weight of the last answer in the mean of what answers cost beside thinking
PATIENCE = 3  # times longer than a bot may take, for advice: a person waits for it, and no table


class BotFailed(Exception):
    """A bot gave no answer that can be used."""


Renewed = Callable[[], Question | None]


class Thinker(Protocol):
    """Whoever answers for bots."""

    async def choose(self, question: Question, renewed: Renewed | None = None) -> dict[str, Any] | Later | None:
        """Think about a question, or a newer one if there is one by the time its turn comes; None: nothing for now."""
        ...

    async def advise(self, question: Question) -> Advised: ...
    def before(self, bot: str) -> int: ...  # how many are thought for before this one
    async def close(self) -> None: ...


class BotPool:
    """A few processes, started when they are needed. A bot is always asked in the same one: it has plans.

    Advice has a process of its own, so that no bot waits for it.
    """

    def __init__(
        self, limit: float, size: int = 2, command: Sequence[str] = COMMAND, metrics: BotMetrics | None = None
    ) -> None:
        metrics = metrics or BotMetrics()
        self._workers = [Worker(limit, command, metrics) for _ in range(size)]
        self._adviser = Worker(limit * PATIENCE, command, BotMetrics())

    async def choose(self, question: Question, renewed: Renewed | None = None) -> dict[str, Any] | Later | None:
        reply = await _reply(self._worker(question.bot), question, renewed)
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


class Waiting(NamedTuple):
    """A question on its way to an answer."""

    question: Question
    renewed: Renewed | None
    answer: asyncio.Future[Reply]
    since: float  # on the monotonic clock

    @property
    def searches(self) -> bool:
        return self.question.level in SEARCHING


class Worker:
    """One process and those who wait for it. It is asked one question at a time, by a task of its own.

    How long a bot may think is decided when its turn comes, by how many wait behind it; and only from then on does the
    limit count after which it is taken to hang.
    """

    def __init__(self, limit: float, command: Sequence[str], metrics: BotMetrics) -> None:
        self.limit = limit
        self.command = command
        self.metrics = metrics
        self._process: Process | None = None
        self._started = False  # it takes questions
        self._task: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None  # of the process before
        self._queue: asyncio.Queue[Waiting] = asyncio.Queue()
        self.asking: list[str] = []  # bots whose questions are waiting or being answered, the first one first
        self._searching = 0  # how many of them are to search
        self._overhead = 0.0  # seconds an answer takes beside thinking, on average

    def fair_share(self) -> float:
        """Give the seconds that the next bot may search: the less, the more bots wait for this process; maybe 0."""
        left = QUEUE - self._overhead * len(self.asking)
        share = min(THINKING, left / max(1, self._searching))
        return share if share >= LEAST else 0.0

    async def ask(self, question: Question, renewed: Renewed | None = None) -> Reply:
        """Wait for an answer."""
        self._task = self._task or asyncio.create_task(self._work())
        waiting = Waiting(question, renewed, asyncio.get_running_loop().create_future(), time.monotonic())
        self._queue.put_nowait(waiting)
        self.asking.append(question.bot)
        self._searching += waiting.searches
        try:
            async with asyncio.timeout(WAITING if self._started else STARTING):
                return await waiting.answer
        except TimeoutError:
            raise BotFailed("it waited too long" if self._started else "its process does not start") from None
        finally:
            self.asking.remove(question.bot)
            self._searching -= waiting.searches

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end()

    async def _work(self) -> None:
        while True:
            waiting = await self._queue.get()
            if waiting.answer.done():  # nobody waits for it any more
                continue
            try:
                reply = await self._answer(waiting)
            except (TimeoutError, OSError, EOFError, ValueError) as error:
                await self._end()
                if not waiting.answer.done():
                    waiting.answer.set_exception(BotFailed(_why(error)))
            except Exception as failure:  # of whatever the question was made of
                if not waiting.answer.done():
                    waiting.answer.set_exception(failure)
            else:
                if not waiting.answer.done():
                    waiting.answer.set_result(reply)

    async def _answer(self, waiting: Waiting) -> Reply:
        """Have a question answered by the process, in a fair share of its time."""
        process = await self._ready()
        question = (waiting.renewed and waiting.renewed()) or waiting.question
        begun = time.monotonic()
        share = self.fair_share() or (LEAST if question.hint else 0.0)
        waited = begun - waiting.since
        text = msgspec.json.encode(msgspec.structs.replace(question, seconds=share))
        line = await self._exchange(process, text)
        took = time.monotonic() - begun
        try:
            reply = msgspec.json.decode(line, type=Reply)
        except UNREADABLE:
            raise BotFailed("it answered nonsense") from None
        self._overhead += SMOOTHING * (max(0.0, took - reply.thought) - self._overhead)
        self.metrics.waits.note(waited)
        self.metrics.thoughts.note(took)
        self.metrics.unsearched += waiting.searches and not share
        return reply

    async def _ready(self) -> Process:
        if self._process and self._process.returncode is not None:  # it died while nobody asked
            await self._end()
        return self._process or await self._start()

    async def _exchange(self, process: Process, question: bytes) -> bytes:
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
        process = self._process
        self._process = None
        self._started = False
        if process:
            self._ending = asyncio.create_task(_stop(process))
        if self._ending:
            await asyncio.shield(self._ending)


async def _stop(process: Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
    await process.communicate()


def _why(error: Exception) -> str:
    return "it thought too long" if isinstance(error, TimeoutError) else type(error).__name__


async def _reply(worker: Worker, question: Question, renewed: Renewed | None = None) -> Reply:
    with span("bot"):
        reply = await worker.ask(question, renewed)
    if reply.trouble:
        raise BotFailed(reply.trouble)
    return reply
