"""The inbox: deadlines count from arrival."""

import asyncio
import gc
from typing import Any

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.clock import Alarm
from jamboree.server.live.table import Inbox, Job


class Sleeper:
    def __init__(self) -> None:
        self.woken = asyncio.Event()

    def wake(self) -> None:
        self.woken.set()


async def nothing() -> Any:
    return None


def wish(arrived: float) -> Job:
    return Job(nothing, asyncio.get_running_loop().create_future(), arrived)


async def test_a_job_that_arrived_before_a_deadline_precedes_its_alarm() -> None:
    inbox = Inbox(Sleeper().wake, now=lambda: 70.0)
    inbox.set_alarm("minute", 60.0, nothing)
    early, late = wish(59.999), wish(60.001)
    inbox.put(early)
    inbox.put(late)
    assert inbox.next() is early
    assert isinstance(inbox.next(), Alarm)
    assert inbox.next() is late


async def test_an_alarm_fires_once() -> None:
    sleeper = Sleeper()
    inbox, woken = Inbox(sleeper.wake), sleeper.woken
    inbox.set_alarm("soon", inbox.now() + 0.02, nothing)
    woken.clear()
    assert inbox.next() is None
    async with asyncio.timeout(5):
        await woken.wait()
    assert isinstance(inbox.next(), Alarm)
    inbox.put(last := wish(inbox.now()))
    assert (inbox.next(), inbox.next()) == (last, None)


async def test_a_rescheduled_or_cleared_alarm_does_not_fire_at_its_old_time() -> None:
    inbox = Inbox(Sleeper().wake, now=lambda: 10.0)
    inbox.set_alarm("one", 5.0, nothing)
    inbox.set_alarm("one", 50.0, nothing)
    inbox.set_alarm("two", 5.0, nothing)
    inbox.clear_alarm("two")
    inbox.put(only := wish(9.0))
    assert inbox.next() is only


async def test_an_earlier_alarm_shortens_the_wait() -> None:
    sleeper = Sleeper()
    inbox, woken = Inbox(sleeper.wake), sleeper.woken
    inbox.set_alarm("far", inbox.now() + 60, nothing)
    assert inbox.next() is None
    inbox.set_alarm("near", inbox.now() + 0.02, nothing)
    assert inbox.next() is None
    woken.clear()
    async with asyncio.timeout(5):
        await woken.wait()
    assert isinstance(inbox.next(), Alarm)


async def test_a_refusal_without_a_waiter_is_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Readers of the log may not know hidden information, which a refusal may contain."""

    inbox = Inbox(Sleeper().wake)
    waiting = asyncio.ensure_future(inbox.submit(nothing))
    handed_in = inbox.next()
    assert isinstance(handed_in, Job)
    waiting.cancel()
    await asyncio.wait([waiting])
    handed_in.refuse(Refused("illegal", "The bag holds two reds."))
    await asyncio.sleep(0)
    del handed_in, waiting
    gc.collect()
    assert not caplog.records
