"""The processes bots think in: what breaks there harms nobody."""

import asyncio
import logging
import random
import signal
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jamboree.bots import Level
from jamboree.bots import bot as make_bot
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.games import find
from jamboree.server.live.bots import pool as bot_pool
from jamboree.server.live.bots.pool import THINKING, BotFailed, BotPool
from jamboree.server.live.bots.worker import Minds, Question, Words
from jamboree.server.store import Store

from ..bench.fake_time import until
from ..bench.local import EVERY, a_registry, started


def a_question(game: str = "bebop", bot: str = "table 0") -> Question:
    """Ask for the first move of a game."""
    rules = find(game)
    state = rules.setup(rules.info.seats[0], rules.info.options(), Seeded(1))
    (seat,) = rules.to_act(state)
    assert isinstance(seat, int)
    view, offers = rules.view(state, seat), list(rules.legal(state, seat))
    seen, offered = (msgspec.Raw(msgspec.json.encode(part)) for part in (view, offers))
    return Question(bot, game, rules.info.rules_version, "regular", seen, offered)


def bad(kind: str, limit: float = 5.0) -> BotPool:
    return BotPool(limit, size=1, command=(sys.executable, "-m", "tests.server.live.bad_worker", kind))


@pytest.mark.parametrize("kind", ["raises", "crashes", "hangs", "talks", "nonsense", "illegal"])
async def test_a_bot_that_breaks_is_played_for_and_the_game_goes_on(
    store: Store, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    limit = 0.5 if kind == "hangs" else 30.0
    async with a_registry(store, EVERY, thinker=bad(kind, limit)) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
        rng = random.Random(3)
        with caplog.at_level(logging.WARNING):
            for _ in range(4):
                await until(lambda: bool(ada.legal()))
                while ada.legal():
                    await ada.act(rng.choice(ada.legal()), f"{ada.seq}")
            await until(lambda: bool(ada.legal()))
        assert registry.bot_metrics.bot_moves >= 4
        assert (registry.bot_metrics.fallbacks > 0) == (kind != "talks")
    assert "two reds" not in caplog.text
    assert "blue" not in caplog.text


async def test_a_bot_that_hangs_keeps_nobody_waiting(store: Store) -> None:
    pool = bad("hangs", limit=60.0)
    async with a_registry(store, EVERY, thinker=pool) as registry:
        for _ in range(2):
            await pool.choose(a_question())
        process = pool._workers[0]._process
        hanging = asyncio.create_task(pool.choose(a_question()))
        for client in await started(registry, "high-card", 2):
            assert (await client.act({"type": "Lay", "slot": 0}, "1"))["type"] == "ack"
        assert not hanging.done()
    hanging.cancel()
    assert process
    assert not Path(f"/proc/{process.pid}").exists(), "a server ends its workers"


async def test_a_bot_that_hangs_is_stopped_and_another_process_takes_over() -> None:
    pool = bad("hangs", limit=60.0)
    for _ in range(2):
        await pool.choose(a_question())
    (worker,) = pool._workers
    first, worker.limit = worker._process, 0.2
    with pytest.raises(BotFailed):
        await pool.choose(a_question())
    worker.limit = 60.0
    assert await pool.choose(a_question()) is not None
    second = worker._process
    assert first and second and first.pid != second.pid
    assert not Path(f"/proc/{first.pid}").exists()
    await pool.close()


async def test_a_worker_that_is_killed_is_replaced_before_anybody_asks_it() -> None:
    pool = BotPool(60.0, size=1)
    assert await pool.choose(a_question())
    process = pool._workers[0]._process
    assert process
    process.kill()
    await process.wait()
    assert await pool.choose(a_question())
    await pool.close()


async def test_a_pool_that_is_closed_while_a_worker_is_being_stopped_waits_until_it_is_gone() -> None:
    pool = BotPool(60.0, size=1)
    await pool.choose(a_question())
    worker = pool._workers[0]
    process = worker._process
    assert process
    stopping = asyncio.create_task(worker._end())
    await asyncio.sleep(0)
    stopping.cancel()
    await pool.close()
    assert process.returncode is not None
    assert process._transport.is_closing()  # type: ignore[attr-defined]


async def test_a_worker_that_cannot_start_is_a_bot_that_failed() -> None:
    for command in (("/does/not/exist",), (sys.executable, "-c", "pass"), (sys.executable, "-c", "print('hello')")):
        pool = BotPool(5.0, size=1, command=command)
        with pytest.raises(BotFailed):
            await pool.choose(a_question())
        await pool.close()


async def test_a_process_that_starts_slowly_is_there_for_those_who_ask_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pool, "STARTING", 0.3)
    slow = (
        "import time, runpy; time.sleep(1); runpy.run_module('jamboree.server.live.bots.worker', run_name='__main__')"
    )
    pool = BotPool(60.0, size=1, command=(sys.executable, "-c", slow))
    with pytest.raises(BotFailed):
        await pool.choose(a_question())
    (worker,) = pool._workers
    process = worker._process
    with pytest.raises(BotFailed):
        await pool.choose(a_question())
    await until(lambda: worker._started)
    assert await pool.choose(a_question())
    assert worker._process is process
    await pool.close()


async def test_the_more_bots_wait_for_a_process_the_less_each_may_think() -> None:
    """Forty stars at two processes wait for their turns, and all of them are answered before time is up."""
    pool = BotPool(60.0, size=1)
    (worker,) = pool._workers
    shares = []
    asking = []
    for number in range(20):
        shares.append(worker.fair_share())
        asking.append(asyncio.create_task(pool.choose(a_question(bot=f"table {number}"))))
        await asyncio.sleep(0)
    assert shares[0] == THINKING
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) < 4.0, "all are answered before the first is taken to hang"
    assert all(await asyncio.gather(*asking))
    assert worker.fair_share() == pytest.approx(THINKING)
    await pool.close()


async def test_no_bot_waits_for_advice() -> None:
    pool = BotPool(60.0, size=1)
    hint = Words(["Ada", "Bob"], [0, 1], "en")
    asking = asyncio.create_task(pool.advise(msgspec.structs.replace(a_question(), level="star", hint=hint)))
    await until(lambda: pool._adviser._process is not None)
    adviser = pool._adviser._process
    assert adviser
    adviser.send_signal(signal.SIGSTOP)
    assert await pool.choose(a_question())
    assert not asking.done()
    adviser.send_signal(signal.SIGCONT)
    assert (await asking).moves
    await pool.close()


async def test_a_worker_has_none_of_our_files_and_only_what_bots_need(store: Store, tmp_path: Path) -> None:
    listening = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    pool = BotPool(60.0, size=1)
    await pool.choose(a_question())
    process = pool._workers[0]._process
    assert process
    opened = [str(link.readlink()) for link in Path(f"/proc/{process.pid}/fd").iterdir()]
    assert not any(name.startswith(("socket:", str(tmp_path))) for name in opened), opened
    await pool.close()
    listening.close()
    await listening.wait_closed()
    script = "import sys, jamboree.server.live.bots.worker; print(*sys.modules)"
    loaded = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
    modules = (await loaded.communicate())[0].decode().split()
    assert not {"jamboree.server.live.table", "jamboree.server.store", "litestar", "uvicorn"} & set(modules)


def test_a_bot_has_a_mind_of_its_own_that_lasts() -> None:
    """In Boogie a bot makes a plan when the jump begins, and lays card after card by it."""
    made: list[Any] = []

    def make(game: AnyGame, level: Level, seed: int | None) -> Any:
        made.append(make_bot(game, level, seed))
        return made[-1]

    minds = Minds(find, make)
    for bot in ("one 0", "one 1", "one 0", "two 0", "one 1"):
        minds.answer(a_question(bot=bot))
    assert len(made) == 3
