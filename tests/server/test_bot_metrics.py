"""Failures of bots and hints are summarized in one log line each per minute."""

import logging

import pytest

from jamboree.coach import AdviceText
from jamboree.server.bot_metrics import BotMetrics
from jamboree.server.live.bots.pool import BotFailed, Renewed
from jamboree.server.live.bots.turns import HINT_EVERY
from jamboree.server.live.bots.worker import Question
from jamboree.server.store.store import Store

from .bench.fake_time import FakeTime
from .bench.local import EVERY, Thinking, a_registry, started


def test_bot_failures_are_summarised_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    metrics = BotMetrics()
    metrics.report(100.0)
    metrics.bot_moves, metrics.stood_in, metrics.fallbacks = 350, 50, 20
    for number in range(20):
        metrics.failed("it thought too long" if number % 4 else "RuntimeError", 5.0 + number / 10)
    metrics.report(159.0)
    assert not caplog.records and metrics.fallback_share == 0.0
    metrics.report(160.0)
    assert [record.getMessage() for record in caplog.records] == [
        "20 of 400 bot moves in 60 s were fallbacks without an answer (5.0 %), the slowest after 6.9 s: "
        "15 × it thought too long, 5 × RuntimeError"
    ]
    assert metrics.fallback_share == 0.05
    metrics.bot_moves = 450
    metrics.report(220.0)
    assert len(caplog.records) == 1, "nothing is said of a minute without a failure"
    assert metrics.fallback_share == 0.0


class Broken(Thinking):
    async def choose(self, question: Question, renewed: Renewed | None = None) -> None:
        raise BotFailed("it waited too long")

    async def advise(self, question: Question) -> AdviceText:
        raise BotFailed("it gave no advice")


async def test_a_server_whose_bots_all_fail_logs_once_a_minute(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeTime()
    with caplog.at_level(logging.WARNING):
        async with a_registry(store, EVERY, now=clock, thinker=Broken(EVERY)) as registry:
            (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
            for number in range(130):
                if ada.legal():
                    await ada.act(ada.legal()[0], f"{number}")
                await clock.goes_by(registry, 1.0)
            assert registry.bot_metrics.fallbacks > 10
    lines = [record.getMessage() for record in caplog.records]
    assert 1 <= len(lines) <= 3
    assert all("it waited too long" in line and "(100.0 %)" in line for line in lines)


async def test_failed_hints_are_summarised_too(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    clock = FakeTime()
    with caplog.at_level(logging.WARNING):
        async with a_registry(store, EVERY, now=clock, thinker=Broken(EVERY)) as registry:
            (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
            while not ada.legal():
                await clock.goes_by(registry, 1.0)
            for number in range(20):
                assert (await ada.send(type="hint", id=f"{number}"))["code"] == "no-advice"
                await clock.goes_by(registry, 2 * HINT_EVERY)
            assert registry.bot_metrics.hint_failures == 20
    lines = [line for record in caplog.records if "hint" in (line := record.getMessage())]
    assert 1 <= len(lines) <= 3
    assert sum(int(line.split()[0]) for line in lines) == 20
    assert all(line.endswith("× it gave no advice") for line in lines)
