"""The event for one waiting task."""

import asyncio

import pytest

from jamboree.server.wakeup import Wakeup


async def test_a_waiter_is_woken_once() -> None:
    bell = Wakeup()
    waiting = asyncio.create_task(bell.wait())
    await asyncio.sleep(0)
    bell.notify()
    bell.notify()
    async with asyncio.timeout(5):
        await waiting


async def test_a_notification_without_a_waiter_is_not_remembered() -> None:
    bell = Wakeup()
    bell.notify()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await bell.wait()


async def test_a_cancelled_waiter_is_harmless() -> None:
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
