"""Load test with tables of Stars: `python -m tests.server.under_load.stars [TABLES SECONDS]`.

At every table two Stars play each other at a human's pace before a spectator. At another table two people play without
bots, ten moves a second. The program prints, without and with the Stars, the time until a person's move is
acknowledged, the time of a Star's move including the queue, and the length of that queue.
"""

import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from jamboree.bots import Level
from jamboree.games import all_games
from jamboree.server.gc_tuning import configure
from jamboree.server.live.bots.pool import BotPool, Choice, Renewed
from jamboree.server.live.bots.worker import Question
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.registry import Registry
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import open_store

from ..bench.local import Client, started

PROMISED = 0.05  # seconds, for 99 moves of people in 100
EVERY = 0.1  # seconds between two moves of people
WARMING = 60.0  # seconds in which the processes load what they search with
THINKING = 0.3  # seconds that a move takes at least some time, if it is searched for
STARS: dict[int, Level] = {0: "star", 1: "star"}


class Watched(BotPool):
    """Notes how long each answer takes, and how many are before it when it is asked for."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.took: list[float] = []
        self.before_each: list[int] = []

    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        self.before_each.append(len(self._worker(question.bot).asking))
        begun = time.perf_counter()
        try:
            return await super().choose(question, renewed)
        finally:
            self.took.append(time.perf_counter() - begun)


async def stars_play(registry: Registry) -> None:
    """Open a table where only Stars sit, and look at it."""
    code, host = await registry.open(OpenTable(game="bebop", seats=2, name="Host", listed=False, bots=STARS))
    await (await registry.table(code)).ask(Start(), host.person)
    await Client(registry, code).hello()


async def people_play(registry: Registry, seconds: float) -> list[float]:
    """Play at a table without bots; return how long each move took."""
    took, rng, end = list[float](), random.Random(1), time.monotonic() + seconds
    clients = await started(registry, "bebop", 2)
    while time.monotonic() < end:
        able = [client for client in clients if client.legal()]
        if not able:
            clients = await started(registry, "bebop", 2)
            continue
        begun = time.perf_counter()
        answer = await able[0].act(rng.choice(able[0].legal()), f"{len(took)}")
        took.append(time.perf_counter() - begun)
        assert answer["type"] == "ack", answer
        await asyncio.sleep(EVERY)
    return took


async def thinking(pool: Watched) -> None:
    """Wait until Stars search: they play as Regulars before."""
    async with asyncio.timeout(WARMING):
        while max(pool.took, default=0) < THINKING:
            pool.took.clear()
            await asyncio.sleep(1)


def summary(times: list[float]) -> str:
    ordered = sorted(times)
    at = [f"p{share} {ordered[min(len(ordered) - 1, len(ordered) * share // 100)] * 1000:.1f} ms" for share in (50, 99)]
    return f"{len(times)} moves, {', '.join(at)}, slowest {ordered[-1] * 1000:.1f} ms"


async def main(tables: int = 40, seconds: float = 60.0) -> None:
    subprocess.run([sys.executable, "-m", "jamboree.bots.search", "bebop"], check=True)  # compiled, if it was not
    with tempfile.TemporaryDirectory() as folder:
        store, pool = open_store(str(Path(folder) / "tables.db")), Watched(5.0)
        async with Registry(store, all_games(), thinker=pool) as registry:
            print(f"people alone: {summary(await people_play(registry, seconds / 3))}", flush=True)
            await asyncio.gather(*(stars_play(registry) for _ in range(tables)))
            await thinking(pool)
            configure()
            pool.took.clear()
            pool.before_each.clear()
            took = await people_play(registry, seconds)
            print(f"beside {tables} tables of Stars: {summary(took)} (promised: p99 {PROMISED * 1000:.0f} ms)")
            before = sorted(pool.before_each)
            print(f"a Star's move, asked for until answered: {summary(pool.took)}")
            print(f"before it in its process: {before[len(before) // 2]} as a rule, {before[-1]} at most")
            print(f"{registry.bot_metrics.fallbacks} moves without a thought; load {os.getloadavg()[0]:.1f}")
        store.close()


if __name__ == "__main__":
    asyncio.run(main(*[int(number) for number in sys.argv[1:]]))
