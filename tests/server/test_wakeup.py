"""The event for one waiting task."""

import asyncio

import pytest

from jamboree.server.wakeup import Wakeup


async def test_whoever_waits_is_woken_once() -> None:
    bell = Wakeup()
    waiting = asyncio.create_task(bell.wait())
    await asyncio.sleep(0)
    bell.notify()
    bell.notify()
    async with asyncio.timeout(5):
        await waiting


async def test_a_bell_that_nobody_waited_for_is_not_heard_later() -> None:
    bell = Wakeup()
    bell.notify()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await bell.wait()


async def test_whoever_has_stopped_waiting_does_no_harm() -> None:
    bell = Wakeup()
    waiting = asyncio.create_task(bell.wait())
    await asyncio.sleep(0)
    waiting.cancel()
    bell.notify()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
    again = asyncio.create_task(bell.wait())
    await asyncio.sleep(0)
    bell.notify()
    async with asyncio.timeout(5):
        await again
