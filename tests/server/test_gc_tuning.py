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


async def test_when_more_is_in_use_a_circle_goes_as_soon_as_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.used = 1500
        await asyncio.sleep(0.1)
        assert circle(), "people wait for answers"
        server.busy = False
        await is_gone(circle)


async def test_while_no_more_is_in_use_nobody_waits_for_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.busy, server.used = False, 1200
        await asyncio.sleep(0.1)
        assert circle()


async def test_when_very_much_more_is_in_use_no_quiet_moment_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.used = 3100
        await is_gone(circle)


async def test_it_is_the_least_that_was_in_use_which_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(monkeypatch)
    async with server.cleaned_up() as circle:
        server.used = 300
        await asyncio.sleep(0.05)
        server.used = 950
        await is_gone(circle)


def test_what_was_made_lately_is_looked_through_all_the_time() -> None:
    gc_tuning.configure()
    gone = weakref.ref(Circle())
    kept = [[number] for number in range(2 * gc_tuning.YOUNG)]
    assert kept
    assert gone() is None


async def test_what_was_made_lately_never_becomes_much_though_as_much_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
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
