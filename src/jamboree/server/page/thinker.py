"""Bots and hints of a page: they decide where the tables are, and have their searches carried out in other workers."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec

from jamboree.bots import bot
from jamboree.bots.search import Findings, NativeSearch, Shortlist, Task
from jamboree.bots.search.tasks import carried_out
from jamboree.coach import AdviceText
from jamboree.core.play import Later
from jamboree.games import find

from ..live.bots.pool import BotFailed, Choice, Renewed, Thinker
from ..live.bots.worker import Question, WorkerBots, WorkerReply

BOT_SECONDS = 1.0  # of a search
FIRST_SECONDS, HINT_SECONDS = 0.5, 2.5  # of the first hint in a position, and of a better one that is asked for next
HINTS, BOTS = 0, 1  # the workers

Search = Callable[[int, str, dict[str, Any]], Awaitable[Any]]
"""Carries out a task, as plain values, in a numbered worker."""


class PageThinker(Thinker):
    """Asks one worker for hints and another one for bots, one question after the other."""

    def __init__(self, search: Search | None = None) -> None:
        self._bots = WorkerBots(find, partial(bot, patient=False))
        self._search = search
        self._turns = {worker: asyncio.Lock() for worker in (HINTS, BOTS)}
        self._hinted: Question | None = None  # the last position with a hint
        self._asking: list[str] = []  # bots with a question, in order

    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        self._asking.append(question.bot)
        try:
            async with self._turns[BOTS]:
                latest = (renewed and renewed()) or question
                reply = await self._answer(msgspec.structs.replace(latest, seconds=BOT_SECONDS), BOTS)
        finally:
            self._asking.remove(question.bot)
        return reply.whisper or (reply.action if reply.later is None else Later(reply.later))

    async def advise(self, question: Question) -> AdviceText:
        """A quick answer first; the client asks again by itself for a better one."""
        is_first, self._hinted = question != self._hinted, question
        seconds = FIRST_SECONDS if is_first and self._search else HINT_SECONDS
        async with self._turns[HINTS]:
            reply = await self._answer(msgspec.structs.replace(question, seconds=seconds), HINTS)
        if reply.advised is None:
            raise BotFailed("it gave no advice")
        return msgspec.structs.replace(reply.advised, soon=is_first and reply.advised.playouts > 0)

    async def _answer(self, question: Question, worker: int) -> WorkerReply:
        try:
            thinking = self._bots.think(question)
            task = next(thinking)
            while True:
                task = thinking.send(await self._carry_out(task, worker))
        except StopIteration as finished:
            reply: WorkerReply = finished.value
            return reply
        except Exception as error:  # of any kind: a bot of a game's author
            raise BotFailed(type(error).__name__) from error

    async def _carry_out(self, task: Task, worker: int) -> list[int] | Findings:
        if self._search is None:  # in a program, which has compiled loops
            return carried_out(NativeSearch(task.request), task)
        found = await self._search(worker, task.request.game, msgspec.to_builtins(task, builtin_types=(bytes,)))
        if isinstance(task, Shortlist):
            return msgspec.convert(found, type=list[int])
        return msgspec.convert(found, type=Findings)

    def before(self, bot: str) -> int:
        return self._asking.index(bot) if bot in self._asking else 0

    async def close(self) -> None: ...
