"""Who thinks for the bots of all tables: worker processes, and in a page web workers.

A process that hangs or fails is killed and replaced.
"""

import asyncio
import sys
import time
from abc import ABC, abstractmethod
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from zlib import crc32

import msgspec

from jamboree.bots import SEARCHING, Level
from jamboree.coach import AdviceText
from jamboree.core.errors import UNREADABLE
from jamboree.core.game import GameInfo
from jamboree.core.play import Later, Whisper

from ...bot_metrics import BotMetrics, WorkerMetrics
from ...errors import trace
from ...protocol.wire import encode
from ...telemetry import span
from .worker import READY, Question, WorkerReply

COMMAND = (sys.executable, "-m", "jamboree.server.live.bots.worker")
STARTING = 20.0  # seconds that a bot waits for a process to start
SLOWEST = 120.0  # seconds that a process may take to start; on a busy machine later questions find it ready
THINKING = 1.0  # seconds of search for a move, if no other bot waits
QUEUE = 3.0  # seconds of search for all bots that wait for one process
LEAST = 0.02  # seconds; with less time a bot plays without a search
WAITING = 30.0  # seconds without any answer of its process after which a bot no longer waits
SMOOTHING = 0.05  # weight of the last answer in the mean overhead
PATIENCE = 3  # factor on the time limit for advice, for which no table waits


class BotFailed(Exception):
    """A bot gave no usable answer."""


def failure_text(failure: Exception) -> str:
    """A failure for the log, without values, which may be secrets of a game."""
    return str(failure) if isinstance(failure, BotFailed) else trace(failure)


def question_for(info: GameInfo, bot: str, level: Level, view: Any, offers: Sequence[Any], **more: Any) -> Question:
    """A question with a seat's view and offers, and nothing else of the position."""
    seen, offered = msgspec.Raw(encode(view)), msgspec.Raw(encode(offers))
    return Question(bot, info.key, info.rules_version, level, seen, offered, **more)


Renewed = Callable[[], Question | None]
Choice = dict[str, Any] | Later | Whisper | None
"""An action, when to ask again, or words to another player; None: nothing for now."""


class Thinker(ABC):
    """Answers questions about positions. Each bot's plans are remembered by its id."""

    @abstractmethod
    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        """What a bot does. `renewed` gives the latest question."""

    @abstractmethod
    async def advise(self, question: Question) -> AdviceText:
        """Advice for a person."""

    @abstractmethod
    def before(self, bot: str) -> int:
        """The number of questions before this bot's."""

    @abstractmethod
    async def close(self) -> None: ...


class BotPool(Thinker):
    """A few processes, started on demand. A bot always uses the same one, which remembers its plans.

    Advice has a process of its own, so that no bot waits for it.
    """

    def __init__(
        self, limit: float, size: int = 2, command: Sequence[str] = COMMAND, metrics: BotMetrics | None = None
    ) -> None:
        metrics = metrics or BotMetrics()
        self._workers = [Worker(limit, command, metrics.for_moves) for _ in range(size)]
        self._adviser = Worker(limit * PATIENCE, command, metrics.for_hints)

    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        reply = await _reply(self._worker(question.bot), question, renewed)
        return reply.whisper or (reply.action if reply.later is None else Later(reply.later))

    async def advise(self, question: Question) -> AdviceText:
        """Advice for a person, with a bot's share of time."""
        advised = (await _reply(self._adviser, question)).advised
        if advised is None:
            raise BotFailed("it gave no advice")
        return advised

    def before(self, bot: str) -> int:
        asking = self._worker(bot).asking
        return asking.index(bot) if bot in asking else 0

    def _worker(self, bot: str) -> "Worker":
        return self._workers[crc32(bot.encode()) % len(self._workers)]

    async def close(self) -> None:
        for worker in (*self._workers, self._adviser):
            await worker.close()


class PendingQuestion(NamedTuple):
    """A queued question."""

    question: Question
    renewed: Renewed | None
    answer: asyncio.Future[WorkerReply]
    since: float  # on the monotonic clock

    @property
    def searches(self) -> bool:
        return self.question.level in SEARCHING


class Worker:
    """One process and its queue. A task of its own asks one question at a time.

    A bot's thinking time is set when its turn comes, by the length of the queue; the timeout counts from then on.
    """

    def __init__(self, limit: float, command: Sequence[str], metrics: WorkerMetrics) -> None:
        self.limit = limit
        self.command = command
        self.metrics = metrics
        self._process: Process | None = None
        self._started = False  # it accepts questions
        self._task: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None  # of the previous process
        self._queue: asyncio.Queue[PendingQuestion] = asyncio.Queue()
        self.asking: list[str] = []  # bots with a queued or running question, in order
        self._answered = 0  # questions
        self._searching = 0  # how many of them will search
        self._overhead = 0.0  # mean seconds of an answer beside the search

    def fair_share(self) -> float:
        """The seconds of search for the next bot: fewer, the more bots wait for this process; perhaps 0."""
        left = QUEUE - self._overhead * len(self.asking)
        share = min(THINKING, left / max(1, self._searching))
        return share if share >= LEAST else 0.0

    async def ask(self, question: Question, renewed: Renewed | None = None) -> WorkerReply:
        self._task = self._task or asyncio.create_task(self._work())
        waiting = PendingQuestion(question, renewed, asyncio.get_running_loop().create_future(), time.monotonic())
        self._queue.put_nowait(waiting)
        self.asking.append(question.bot)
        self._searching += waiting.searches
        try:
            await self._wait_for(waiting.answer)
            return waiting.answer.result()
        finally:
            waiting.answer.cancel()
            self.asking.remove(question.bot)
            self._searching -= waiting.searches

    async def _wait_for(self, answer: asyncio.Future[WorkerReply]) -> None:
        """Wait as long as the process answers others: a queue that moves is no fault, however long it is."""
        answered = -1
        while not answer.done():
            if self._answered == answered:
                raise BotFailed("it waited too long" if self._started else "its process does not start")
            answered = self._answered
            await asyncio.wait([answer], timeout=WAITING if self._started else STARTING)

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._end()

    async def _work(self) -> None:
        while True:
            waiting = await self._queue.get()
            if waiting.answer.done():  # the caller is gone
                continue
            try:
                reply = await self._answer(waiting)
            except (TimeoutError, OSError, EOFError, ValueError) as error:
                await self._end()
                why = "it thought too long" if isinstance(error, TimeoutError) else type(error).__name__
                if not waiting.answer.done():
                    waiting.answer.set_exception(BotFailed(why))
            except Exception as failure:  # of any kind, since questions contain data of games
                if not waiting.answer.done():
                    waiting.answer.set_exception(failure)
            else:
                if not waiting.answer.done():
                    waiting.answer.set_result(reply)

    async def _answer(self, waiting: PendingQuestion) -> WorkerReply:
        """Ask the process, with a fair share of its time."""
        process = await self._ready()
        question = (waiting.renewed and waiting.renewed()) or waiting.question
        begun = time.monotonic()
        share = self.fair_share() or (LEAST if question.hint else 0.0)
        waited = begun - waiting.since
        text = msgspec.json.encode(msgspec.structs.replace(question, seconds=share))
        line = await self._exchange(process, text)
        took = time.monotonic() - begun
        try:
            reply = msgspec.json.decode(line, type=WorkerReply)
        except UNREADABLE:
            raise BotFailed("it answered nonsense") from None
        self._answered += 1
        self._overhead += SMOOTHING * (max(0.0, took - reply.thought) - self._overhead)
        self.metrics.waits.note(waited)
        self.metrics.thoughts.note(took)
        self.metrics.unsearched += waiting.searches and not share
        return reply

    async def _ready(self) -> Process:
        if self._process and self._process.returncode is not None:  # it died while idle
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
        """Start a process that inherits only its two pipes."""
        process = await asyncio.create_subprocess_exec(*self.command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._process = process
        assert process.stdout, "it was started with pipes"
        async with asyncio.timeout(SLOWEST):
            if await process.stdout.readline() != READY:
                raise EOFError
        self._started = True
        return process

    async def _end(self) -> None:
        """Kill the process and wait for its end, which a cancelled caller does not interrupt."""
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


async def _reply(worker: Worker, question: Question, renewed: Renewed | None = None) -> WorkerReply:
    with span("bot"):
        reply = await worker.ask(question, renewed)
    if reply.trouble:
        raise BotFailed(reply.trouble)
    return reply
