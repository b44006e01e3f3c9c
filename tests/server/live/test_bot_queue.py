"""Bots that wait for a worker: the table shows the queue once the delay is noticeable."""

import asyncio

from jamboree.server.live.bots.pool import BotPool, Choice, Renewed
from jamboree.server.live.bots.worker import Question
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime
from ..bench.local import EVERY, Client, Thinking, a_registry, started
from .test_bot_pool import a_question


class Crowded(Thinking):
    """A worker that answers on request; until then every question has others before it."""

    def __init__(self) -> None:
        super().__init__(EVERY)
        self.others, self.asked, self.unload = 2, list[str](), asyncio.Event()

    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        self.asked.append(question.bot)
        await self.unload.wait()
        return await super().choose(question, renewed)

    def before(self, bot: str) -> int:
        return self.others if bot == self.asked[-1] else 0


async def goes_by(now: FakeTime, client: Client, seconds: float) -> None:
    """Let time go by while a bot thinks."""
    now.value += seconds
    for _ in range(5):
        await client.session.table.read(lambda state: None)  # type: ignore[union-attr]
        await asyncio.sleep(0)


async def asked(crowd: Crowded) -> None:
    async with asyncio.timeout(60):
        while not crowd.asked:
            await asyncio.sleep(0.001)


async def test_a_queued_bot_is_shown_with_its_position_in_the_queue(store: Store) -> None:
    now, crowd = FakeTime(), Crowded()
    async with a_registry(store, EVERY, now=now, thinker=crowd) as registry:
        (ada,) = await started(registry, "bpm", 2, bots={1: "star"})
        await asked(crowd)
        await goes_by(now, ada, 0.9)
        assert ada.table["queue"] == [], "nobody notices it yet"
        records = registry.tables[ada.session.code].state.seq
        await goes_by(now, ada, 0.2)
        assert ada.table["queue"] == [{"seat": 1, "before": 2}]
        stranger = Client(registry, ada.session.code)
        await stranger.hello()
        assert stranger.table["queue"] == ada.table["queue"]
        crowd.others = 1
        await goes_by(now, ada, 1.1)
        assert ada.table["queue"] == [{"seat": 1, "before": 1}]
        crowd.others = 0
        await goes_by(now, ada, 1.1)
        assert ada.table["queue"] == [], "it thinks now"
        assert registry.tables[ada.session.code].state.seq == records, "nothing of this is kept"


async def test_the_queue_position_disappears_after_the_move(store: Store) -> None:
    now, crowd = FakeTime(), Crowded()
    async with a_registry(store, EVERY, now=now, thinker=crowd) as registry:
        (ada,) = await started(registry, "bpm", 2, bots={1: "regular"})
        await asked(crowd)
        await goes_by(now, ada, 1.1)
        assert ada.table["queue"]
        crowd.unload.set()
        await now.goes_by(registry, 0.1)
        assert ada.table["queue"] == []


async def test_queue_positions_are_hidden_in_timed_games(store: Store) -> None:
    now, crowd = FakeTime(), Crowded()
    async with a_registry(store, EVERY, now=now, thinker=crowd) as registry:
        (ada,) = await started(registry, "boogie", 3, bots={1: "regular", 2: "regular"}, pace="standard")
        await asked(crowd)
        for _ in range(3):
            await goes_by(now, ada, 1.1)
            assert ada.table["queue"] == []


async def test_queue_positions_are_counted_in_the_bots_process() -> None:
    pool = BotPool(60.0, size=1)
    asking = [asyncio.create_task(pool.choose(a_question(bot=f"table {number}"))) for number in range(4)]
    await asyncio.sleep(0)
    assert [pool.before(f"table {number}") for number in range(5)] == [0, 1, 2, 3, 0]
    asking[1].cancel()
    await asyncio.gather(asking[1], return_exceptions=True)
    assert pool.before("table 3") <= 2, "whoever has gone is not waited for"
    assert all(await asyncio.gather(asking[0], *asking[2:]))
    assert pool.before("table 3") == 0
    await pool.close()
