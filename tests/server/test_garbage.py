"""Old garbage is collected at a quiet moment, and not before."""

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from jamboree.server import garbage


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


async def test_a_circle_goes_when_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "EVERY", 0.01)
    monkeypatch.setattr(garbage, "QUIET", 0.02)
    busy, sent = True, 0

    def frames() -> int:
        nonlocal sent
        sent += busy
        return sent

    garbage.settle_down()
    gone = an_old_circle()
    cleaning = asyncio.create_task(garbage.clean_up(frames))
    await asyncio.sleep(0.1)
    assert gone(), "people wait for answers"
    busy = False
    async with asyncio.timeout(5):
        while gone():
            await asyncio.sleep(0.01)
    cleaning.cancel()


async def test_nobody_waits_for_a_quiet_moment_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("EVERY", 0.01), ("QUIET", 0.01), ("LATEST", 0.05)):
        monkeypatch.setattr(garbage, name, seconds)
    numbers = iter(range(1_000_000))
    gone = an_old_circle()
    cleaning = asyncio.create_task(garbage.clean_up(lambda: next(numbers)))
    async with asyncio.timeout(5):
        while gone():
            await asyncio.sleep(0.01)
    cleaning.cancel()


def test_what_was_made_lately_is_looked_through_all_the_time() -> None:
    garbage.settle_down()
    gone = weakref.ref(Circle())
    kept = [[number] for number in range(2 * garbage.YOUNG)]
    assert kept
    assert gone() is None


async def test_what_was_made_lately_never_becomes_much_though_as_much_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "LITTLE", 0.01)
    garbage.settle_down()
    old = [[number] for number in range(garbage.YOUNG)]
    gc.freeze()
    looking = asyncio.create_task(garbage.look_lately())
    gone = weakref.ref(Circle())
    for place in range(len(old)):
        old[place] = [place]
    assert gone(), "Python has made as much as it has freed, so it does not look"
    async with asyncio.timeout(5):
        while gone() or len(gc.get_objects(0)) + len(gc.get_objects(1)) > len(old) // 2:
            await asyncio.sleep(0.01)
    looking.cancel()
