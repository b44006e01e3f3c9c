"""Simulated bots: they choose at random, take their time, wait, and fail now and then."""

import asyncio
import random
from typing import Any

import msgspec

from jamboree.coach import AdviceText
from jamboree.server.live.bots.pool import BotFailed, BotPool, Renewed
from jamboree.server.live.bots.worker import Question


class Thinker(BotPool):
    """A pool without processes."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.troubled = True  # whether bots fail

    async def choose(self, question: Question, renewed: Renewed | None = None) -> dict[str, Any] | None:
        chance = self.rng.random() if self.troubled else 1.0
        await asyncio.sleep(5.0 if chance < 0.01 else self.rng.uniform(0.005, 0.3))
        if self.rng.random() < 0.5:  # it had to wait for its worker
            question = (renewed and renewed()) or question
        if chance < 0.03:
            raise BotFailed("it broke")
        offers = msgspec.json.decode(question.offers)
        if chance < 0.05 and len(offers) > 1:  # a bot with a single offer does not wait
            return None
        if 0.05 < chance < 0.06:
            return {"type": "Nonsense"}
        action: dict[str, Any] = offers[self.rng.randrange(len(offers))]["action"]
        return action

    async def advise(self, question: Question) -> AdviceText:
        await asyncio.sleep(self.rng.uniform(0.005, 0.3))
        if self.troubled and self.rng.random() < 0.05:
            raise BotFailed("it broke")
        return AdviceText(moves=[])

    def before(self, bot: str) -> int:
        return self.rng.randrange(3)

    async def close(self) -> None:
        pass
