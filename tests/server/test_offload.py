"""Heavy work beside the event loop: one piece at a time, tables first, in bounded queues."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jamboree.server import offload as offloads
from jamboree.server.errors import Refused
from jamboree.server.offload import CLIENT_ADDRESS, MAX_PER_ADDRESS, MAX_WAIT, Offload
from jamboree.server.store.store import Store

from .bench.fake_time import FakeTime, until
from .bench.online import HOST, online


class Job:
    """A job that runs until it is released."""

    def __init__(self) -> None:
        self.begun, self.over = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        assert self.over.wait(30)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is slow here, however busy the machine is, unless a test says so."""
    monkeypatch.setattr(offloads, "SLOW_AFTER", 1000.0)


async def test_a_slow_setup_does_not_delay_other_games(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(offloads, "SLOW_AFTER", 0.05)
    offload, slow = Offload(), Job()
    opening = asyncio.create_task(offload.set_up("slow", slow))
    await until(slow.begun.is_set)
    assert await offload.set_up("bebop", lambda: "quick") == "quick"
    with pytest.raises(Refused, match="too much to do"):
        await offload.set_up("slow", lambda: "again")
    assert "setting up slow takes more than 0.05 s" in caplog.messages
    slow.over.set()
    await opening
    assert await offload.set_up("slow", lambda: "now") == "now"
    offload.close()


async def test_the_number_of_abandoned_threads_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offloads, "SLOW_AFTER", 0.02)
    offload, jobs = Offload(), [Job() for _ in range(offloads.MAX_SLOW + 2)]
    running = [asyncio.create_task(offload.run_for_table(job)) for job in jobs]
    await until(jobs[-2].begun.is_set)
    await asyncio.sleep(0.2)
    assert not jobs[-1].begun.is_set()
    for job in jobs:
        job.over.set()
    await asyncio.gather(*running)
    offload.close()


@asynccontextmanager
async def occupied(offload: Offload) -> AsyncIterator[Job]:
    job = Job()
    running = asyncio.create_task(offload.run(job))
    await until(job.begun.is_set)
    try:
        yield job
    finally:
        job.over.set()
        await running


async def waiting(task: "asyncio.Task[None]") -> "asyncio.Task[None]":
    await asyncio.sleep(0)  # it stands in the queue now
    return task


async def test_jobs_run_one_at_a_time_and_tables_precede_guests() -> None:
    offload, done = Offload(), list[str]()
    async with occupied(offload):
        guests = [await waiting(asyncio.create_task(offload.run(done.append, f"guest {n}"))) for n in range(2)]
        table = await waiting(asyncio.create_task(offload.run_for_table(done.append, "table")))
        assert done == []
    await asyncio.gather(table, *guests)
    assert done == ["table", "guest 0", "guest 1"]


async def asked(address: str, offload: Offload, done: list[str]) -> None:
    CLIENT_ADDRESS.set(address)
    await offload.run(done.append, address)


async def test_an_overloaded_queue_refuses_guests_but_not_tables() -> None:
    offload, done = Offload(), list[str]()
    async with occupied(offload):
        guests = [await waiting(asyncio.create_task(offload.run(done.append, "guest"))) for _ in range(MAX_PER_ADDRESS)]
        with pytest.raises(Refused) as refused:
            await offload.run(done.append, "one too many")
        table = await waiting(asyncio.create_task(offload.run_for_table(done.append, "table")))
    await asyncio.gather(table, *guests)
    assert refused.value.code == "busy"
    assert done == ["table", *["guest"] * MAX_PER_ADDRESS]


async def test_addresses_take_turns_in_the_queue() -> None:
    offload, done = Offload(), list[str]()
    async with occupied(offload):
        come = ["bully"] * 40 + ["ada", "bob", "ada"]
        guests = [await waiting(asyncio.create_task(asked(address, offload, done))) for address in come]
    await asyncio.gather(*guests)
    assert done[:5] == ["bully", "ada", "bob", "bully", "ada"]
    assert sorted(done) == sorted(come)


async def test_a_full_queue_drops_jobs_of_the_address_with_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offloads, "MAX_WAITING", 5, raising=False)
    offload, done = Offload(), list[str]()
    async with occupied(offload):
        come = ["bully"] * 5 + ["ada", "bob", "bully"]
        guests = [await waiting(asyncio.create_task(asked(address, offload, done))) for address in come]
    ends = await asyncio.gather(*guests, return_exceptions=True)
    assert [isinstance(end, Refused) for end in ends] == [False] * 3 + [True] * 2 + [False] * 2 + [True]
    assert sorted(done) == ["ada", "bob", "bully", "bully", "bully"]


async def test_a_stalled_queue_refuses_new_jobs() -> None:
    time = FakeTime()
    offload, done = Offload(time), list[str]()
    async with occupied(offload):
        guest = await waiting(asyncio.create_task(offload.run(done.append, "guest")))
        time.value += MAX_WAIT + 1
        with pytest.raises(Refused):
            await offload.run(done.append, "one too late")
    await guest
    await offload.run(done.append, "another")
    assert done == ["guest", "another"]


async def test_a_cancelled_jobs_turn_passes_to_the_next() -> None:
    offload, done = Offload(), list[str]()
    async with occupied(offload) as job:
        gone = await waiting(asyncio.create_task(offload.run(done.append, "gone")))
        late = await waiting(asyncio.create_task(offload.run(done.append, "gone too")))
        last = await waiting(asyncio.create_task(offload.run(done.append, "last")))
        gone.cancel()
        job.over.set()
        while not late.done() and not late.cancelling():
            await asyncio.sleep(0)
            late.cancel()
    await last
    assert done[-1] == "last"
    assert "gone" not in done


async def test_overload_is_logged(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offloads, "MAX_PER_ADDRESS", 1, raising=False)
    async with online(store) as server, occupied(server.registry.offload) as job:
        first = asyncio.create_task(server.post("/api/v1/games/bebop/check", {}))
        await until(lambda: len(server.registry.offload._requests.of(HOST)) == 1)
        answer = await server.post("/api/v1/games/bebop/check", {})
        assert (answer.status, answer.body["code"]) == (503, "busy")
        assert answer.headers["retry-after"] == "2"
        assert (await server.get("/api/v1/games")).status == 200
        job.over.set()
        assert (await first).status == 200
