"""A fake monotonic clock, advanced by the test."""

import asyncio
from collections.abc import Callable

from jamboree.server.live.registry import Registry
from jamboree.server.live.table import Table


class FakeTime:
    def __init__(self, start: float = 1000.0) -> None:
        self.value = start

    def __call__(self) -> float:
        return self.value

    async def goes_by(self, registry: Registry, seconds: float) -> None:
        """Let time go by, and have everything done that was due meanwhile."""
        self.value += seconds
        for table in list(registry.tables.values()):
            await settled(table)


async def settled(table: Table) -> None:
    """Wait until nothing is due at a table any more, neither by the clock nor by a bot."""
    quiet = 0
    async with asyncio.timeout(60):
        while quiet < 3:  # what is being kept just now is due no more, and not done yet
            await table.read(lambda state: None)
            await asyncio.sleep(0)
            quiet = 0 if _is_due(table) else quiet + 1


def _is_due(table: Table) -> bool:
    alarms = table.inbox._alarms.values()
    return bool(table.scheduler.bot_scheduler._running) or any(alarm.at <= table.now() for alarm in alarms)


async def until(health: Callable[[], bool]) -> None:
    """Wait for something that will come, in real time."""
    async with asyncio.timeout(60):
        while not health():
            await asyncio.sleep(0.001)
