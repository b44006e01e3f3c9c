"""A monotonic clock that a test turns by hand."""

import asyncio
from collections.abc import Callable

from jamboree.server.house import House
from jamboree.server.table import Table


class FakeTime:
    def __init__(self, start: float = 1000.0) -> None:
        self.value = start

    def __call__(self) -> float:
        return self.value

    async def goes_by(self, house: House, seconds: float) -> None:
        """Let time go by, and have everything done that was due meanwhile."""
        self.value += seconds
        for table in list(house.tables.values()):
            for _ in range(2):
                await table.look()  # comes after whatever was due before it
            await until(lambda table=table: not bots_at_work(table))  # type: ignore[misc]


def bots_at_work(table: Table) -> bool:
    alarms = table.steward.inbox._alarms.items()
    due = any(name.startswith("bot ") and alarm.at <= table.now() for name, alarm in alarms)
    return due or bool(table.steward.thoughts._running)


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that will come, in real time."""
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.001)
