"""Bots and hints of a page: they think where the tables are, since levels without a search decide in milliseconds."""

import asyncio
from functools import partial

from jamboree.bots import bot
from jamboree.coach import AdviceText
from jamboree.core.play import Later
from jamboree.games import find

from ..live.bots.thinker import BotFailed, Choice, Renewed, Thinker
from ..live.bots.worker import Question, WorkerBots, WorkerReply


class PageThinker(Thinker):
    def __init__(self) -> None:
        self._bots = WorkerBots(find, partial(bot, patient=False))

    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        await asyncio.sleep(0)  # moves and pings that have arrived come first
        reply = self._answer((renewed and renewed()) or question)
        return reply.whisper or (reply.action if reply.later is None else Later(reply.later))

    async def advise(self, question: Question) -> AdviceText:
        advised = self._answer(question).advised
        if advised is None:
            raise BotFailed("it gave no advice")
        return advised

    def _answer(self, question: Question) -> WorkerReply:
        try:
            return self._bots.answer(question)
        except Exception as error:  # of any kind: a bot of a game's author
            raise BotFailed(type(error).__name__) from error

    def before(self, bot: str) -> int:
        return 0

    async def close(self) -> None: ...
