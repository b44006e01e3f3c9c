"""A full garbage collection runs when memory use has grown, in a quiet moment."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from jamboree.server import gc_tuning


class Circle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def an_old_circle() -> "weakref.ref[Circle]":
    circle = Circle()
    gc.collect()  # it grows old
    return weakref.ref(circle)


class Server:
    """What the rule looks at: how much was sent, and how much is in use."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gc_tuning, "EVERY", 0.01)
        monkeypatch.setattr(gc_tuning, "QUIET", 0.02)
        self.busy, self.sent, self.used = True, 0, 1000

    def frames(self) -> int:
        self.sent += self.busy
        return self.sent

    @asynccontextmanager
    async def cleaned_up(self) -> AsyncIterator["weakref.ref[Circle]"]:
        gc_tuning.configure()
        gone = an_old_circle()
        cleaning = asyncio.create_task(gc_tuning.collect_when_grown(self.frames, lambda: self.used))
        await asyncio.sleep(0.1)
        assert gone(), "no more is in use than before"
        yield gone
        cleaning.cancel()


async def is_gone(circle: "weakref.ref[Circle]") -> None:
    async with asyncio.timeout(60):  # a full collection takes seconds in a large test process on a busy machine
        while circle():
            await asyncio.sleep(0.01)


async def test_growth_triggers_a_full_collection_at_the_next_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.used = 1500
        await asyncio.sleep(0.1)
        assert circle(), "people wait for answers"
        server.busy = False
        await is_gone(circle)


async def test_without_growth_no_full_collection_delays_anyone(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.busy, server.used = False, 1200
        await asyncio.sleep(0.1)
        assert circle()


async def test_large_growth_triggers_a_collection_immediately(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.used = 3100
        await is_gone(circle)


async def test_growth_is_measured_from_the_lowest_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.used = 300
        await asyncio.sleep(0.05)
        server.used = 950
        await is_gone(circle)


def test_young_generations_are_collected_continuously() -> None:
    gc_tuning.configure()
    gone = weakref.ref(Circle())
    stored = [[number] for number in range(2 * gc_tuning.YOUNG)]
    assert stored
    assert gone() is None


async def test_the_young_generation_stays_small_under_churn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_tuning, "YOUNG_EVERY", 0.01)
    gc_tuning.configure()
    old = [[number] for number in range(gc_tuning.YOUNG)]
    gc.freeze()
    looking = asyncio.create_task(gc_tuning.collect_young())
    gone = weakref.ref(Circle())
    for place in range(len(old)):
        old[place] = [place]
    assert gone(), "Python has made as much as it has freed, so it does not look"
    async with asyncio.timeout(5):
        while gone() or len(gc.get_objects(0)) + len(gc.get_objects(1)) > len(old) // 2:
            await asyncio.sleep(0.01)
    looking.cancel()
