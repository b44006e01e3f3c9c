"""The bots' worker processes: their failures affect nobody."""

import asyncio
import logging
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jamboree.bots import Level
from jamboree.bots import bot as make_bot
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, read_action
from jamboree.core.offers import Offer
from jamboree.games import find
from jamboree.server.bot_metrics import BotMetrics, WorkerMetrics
from jamboree.server.live.bots import pool as bot_pool
from jamboree.server.live.bots.pool import QUEUE, THINKING, BotFailed, BotPool, Worker
from jamboree.server.live.bots.worker import Question, SentenceContext, WorkerBots
from jamboree.server.store.store import Store

from ..bench.fake_time import until
from ..bench.local import EVERY, a_registry, started


def a_question(game: str = "bebop", bot: str = "table 0") -> Question:
    """Ask for the first move of a game."""
    rules = find(game)
    state, seat = _beginning(game)
    view, offers = rules.view(state, seat), _offers(game)
    seen, offered = (msgspec.Raw(msgspec.json.encode(part)) for part in (view, offers))
    return Question(bot, game, rules.info.rules_version, "regular", seen, offered)


def _beginning(game: str) -> tuple[Any, int]:
    rules = find(game)
    state = rules.setup(rules.info.seats[0], rules.info.options(), Seeded(1))
    return state, min(actor for actor in rules.to_act(state) if isinstance(actor, int))


def _offers(game: str) -> list[Offer[Any]]:
    state, seat = _beginning(game)
    return list(find(game).legal(state, seat))


def bad(kind: str, limit: float = 5.0) -> BotPool:
    return BotPool(limit, size=1, command=(sys.executable, "-m", "tests.server.live.bad_worker", kind))


@pytest.mark.parametrize("kind", ["raises", "crashes", "hangs", "talks", "nonsense", "illegal"])
async def test_a_crashing_bot_is_replaced_by_a_base_move(
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


async def test_a_hanging_bot_does_not_delay_others(store: Store) -> None:
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


async def test_a_hanging_worker_is_killed_and_replaced() -> None:
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


async def test_a_killed_worker_is_replaced_before_the_next_question() -> None:
    pool = BotPool(60.0, size=1)
    assert await pool.choose(a_question())
    process = pool._workers[0]._process
    assert process
    process.kill()
    await process.wait()
    assert await pool.choose(a_question())
    await pool.close()


async def test_closing_a_pool_waits_for_stopping_workers() -> None:
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


async def test_a_worker_that_fails_to_start_is_a_bot_failure() -> None:
    for command in (("/does/not/exist",), (sys.executable, "-c", "pass"), (sys.executable, "-c", "print('hello')")):
        pool = BotPool(5.0, size=1, command=command)
        with pytest.raises(BotFailed):
            await pool.choose(a_question())
        await pool.close()


async def test_bots_wait_in_a_queue_that_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late move is better than a random one, however many bots are before this one."""
    pool = bad("dawdles", limit=60.0)
    await pool.choose(a_question())
    monkeypatch.setattr(bot_pool, "WAITING", 0.8)
    begun = time.monotonic()
    assert all(await asyncio.gather(*(pool.choose(a_question()) for _ in range(24))))
    assert time.monotonic() - begun > 2 * 0.8, "the last of them waited for longer than that"
    await pool.close()


async def test_a_bot_gives_up_if_its_worker_answers_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = bad("hangs", limit=60.0)
    for _ in range(2):
        await pool.choose(a_question())
    monkeypatch.setattr(bot_pool, "WAITING", 0.3)
    found = await asyncio.gather(*(pool.choose(a_question()) for _ in range(3)), return_exceptions=True)
    assert [str(each) for each in found] == ["it waited too long"] * 3
    assert not pool._workers[0].asking
    await pool.close()


async def test_a_slowly_starting_worker_serves_later_questions(monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_search_time_shrinks_with_the_length_of_the_queue() -> None:
    """All who wait for a process are answered within seconds, however many they are."""
    worker = Worker(60.0, (), WorkerMetrics())
    shares = []
    for number in range(200):
        worker.asking.append(f"table {number}")
        worker._searching += 1
        shares.append(worker.fair_share())
    assert shares[0] == shares[2] == THINKING
    assert shares == sorted(shares, reverse=True)
    assert all(share * number <= QUEUE for number, share in enumerate(shares, 1))
    assert shares[-1] == 0.0, "then they play without a search"
    worker._searching = 2
    assert worker.fair_share() == THINKING, "who does not search hardly takes any time"
    worker._overhead = QUEUE / 200
    assert worker.fair_share() == 0.0, "what an answer takes beside thinking counts, too"


async def test_one_worker_answers_many_strong_bots() -> None:
    metrics = BotMetrics()
    pool = BotPool(60.0, size=1, metrics=metrics)
    stars = [msgspec.structs.replace(a_question(bot=f"table {number}"), level="star") for number in range(250)]
    begun = time.monotonic()
    assert all(await asyncio.gather(*map(pool.choose, stars)))
    assert time.monotonic() - begun < 20.0, "even on a busy machine"
    assert metrics.for_moves.unsearched > 0
    await pool.close()


async def test_queueing_does_not_count_as_thinking_time() -> None:
    pool = bad("dawdles", limit=1.0)
    await pool.choose(a_question())
    begun = time.monotonic()
    assert all(await asyncio.gather(*(pool.choose(a_question()) for _ in range(24))))
    assert time.monotonic() - begun > 1.0, "they waited for longer than one of them may think"
    await pool.close()


async def test_a_bot_thinks_about_the_position_when_its_turn_comes() -> None:
    pool = BotPool(60.0, size=1)
    positions = {"table 1": "before"}

    def renewed() -> Question:
        assert positions["table 1"] == "after"
        return msgspec.structs.replace(a_question("bpm"), bot="table 1")

    first = asyncio.create_task(pool.choose(a_question()))
    second = asyncio.create_task(pool.choose(a_question(bot="table 1"), renewed))
    await asyncio.sleep(0)
    positions["table 1"] = "after"
    bebop, bpm = await first, await second
    assert isinstance(bebop, dict) and isinstance(bpm, dict)
    for name, reply in (("bebop", bebop), ("bpm", bpm)):
        assert read_action(find(name), reply) in [offer.action for offer in _offers(name)]
    await pool.close()


async def test_an_unserializable_question_fails_its_bot_only() -> None:
    def renewed() -> Question:
        raise RuntimeError("the game is broken")

    pool = BotPool(60.0, size=1)
    with pytest.raises(RuntimeError):
        await pool.choose(a_question(), renewed)
    assert await pool.choose(a_question())
    await pool.close()


async def test_hints_do_not_delay_bots() -> None:
    metrics = BotMetrics()
    pool = BotPool(60.0, size=1, metrics=metrics)
    hint = SentenceContext(["Ada", "Bob"], [0, 1], "en")
    asking = asyncio.create_task(pool.advise(msgspec.structs.replace(a_question(), level="star", hint=hint)))
    await until(lambda: pool._adviser._process is not None)
    adviser = pool._adviser._process
    assert adviser
    adviser.send_signal(signal.SIGSTOP)
    assert await pool.choose(a_question())
    assert not asking.done()
    adviser.send_signal(signal.SIGCONT)
    assert (await asking).moves
    for kind in (metrics.for_moves, metrics.for_hints):
        assert {"waits_count 1", "thoughts_count 1"} <= {
            *kind.waits.lines("waits", ""),
            *kind.thoughts.lines("thoughts", ""),
        }
    await pool.close()


async def test_a_worker_inherits_no_file_descriptors_and_imports_only_bots(store: Store, tmp_path: Path) -> None:
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


def test_a_bot_keeps_its_memory_between_moves() -> None:
    """In Boogie a bot makes a plan when the jump begins, and lays card after card by it."""
    made: list[Any] = []

    def make(game: AnyGame, level: Level, seed: int | None) -> Any:
        made.append(make_bot(game, level, seed))
        return made[-1]

    bots = WorkerBots(find, make)
    for bot in ("one 0", "one 1", "one 0", "two 0", "one 1"):
        bots.answer(a_question(bot=bot))
    assert len(made) == 3
