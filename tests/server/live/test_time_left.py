"""A restart costs nobody time, whether the server was stopped or killed."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path

import pytest

from jamboree.server.store.store import Store, open_store

from ..bench.fake_time import FakeTime
from ..bench.local import EVERY, Client, a_registry, started
from ..bench.timed import jumping, latest


async def test_a_phase_keeps_its_remaining_time_after_a_restart(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await jumping(registry)
        await now.goes_by(registry, 12.5)
        code, tokens = clients[0].session.code, [client.token for client in clients]
    now = FakeTime(3.0)  # the monotonic clock of another boot
    async with a_registry(store, EVERY, now=now) as registry:
        await registry.table(code)
        await now.goes_by(registry, 500.0)
        again = [Client(registry, code, token) for token in tokens]
        for client in again:
            await client.hello()
        assert latest(again[0]) == {"kind": "phase", "left": 7.5, "of": 20.0, "running": True, "seats": [0, 1, 2]}
        await now.goes_by(registry, 7.4)
        assert again[0].position["view"]["phase"] == "jump"
        await now.goes_by(registry, 0.1001)
        assert again[0].position["view"]["phase"] == "pulled"


async def test_a_decision_keeps_its_remaining_time_after_a_restart(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bpm", 3, seconds=60)
        await now.goes_by(registry, 20.0)
        await clients[0].act(clients[0].legal()[0], "1")
        await now.goes_by(registry, 10.0)
        code, tokens = clients[0].session.code, [client.token for client in clients]
    now = FakeTime(0.0)
    async with a_registry(store, EVERY, now=now) as registry:
        again = [Client(registry, code, token) for token in tokens]
        for client in again:
            await client.hello()
        assert latest(again[1]) == {"kind": "decision", "left": 30.0, "of": 60.0, "running": True, "seats": [0, 1, 2]}


def killed(where: str, after: float) -> tuple[str, float]:
    """Let a phase run and kill the server; return the table and the remaining time just before."""
    program = subprocess.Popen(
        [sys.executable, "-m", "tests.server.live.phase_until_killed", where], stdout=subprocess.PIPE
    )
    assert program.stdout
    code = program.stdout.readline().decode().strip()
    time.sleep(after)
    program.kill()
    lines = program.stdout.read().decode().splitlines(keepends=True)
    program.wait(30)
    program.stdout.close()
    return code, float([line for line in lines if line.endswith("\n")][-1])


@pytest.mark.parametrize("after", [1.7, 2.4])
async def test_a_kill_restores_at_most_a_second(tmp_path: Path, after: float) -> None:
    where = str(tmp_path / "tables.db")
    code, left = await asyncio.to_thread(killed, where, after)
    store = open_store(where)
    async with a_registry(store) as registry:
        table = await registry.table(code)
        (countdown,) = table.scheduler.clock.countdowns.values()
        assert left - 0.1 <= countdown.left(table.now()) <= left + 1.5
    store.close()
