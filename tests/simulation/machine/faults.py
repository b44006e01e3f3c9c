"""Fault injection: crashes, restarts, failing and slow disks, and clock changes."""

import asyncio
from typing import TYPE_CHECKING

from .disk import Fault

if TYPE_CHECKING:
    from ..world import World

DAY = 24 * 3600.0


class Weather:
    def __init__(self, world: "World") -> None:
        self.world, self.rng = world, world.rng

    async def blow(self, seconds: float) -> None:
        """Inject faults now and then for a number of seconds."""
        world, until = self.world, self.world.loop.time() + seconds
        while world.loop.time() < until and not world.problems:
            await asyncio.sleep(min(self.rng.expovariate(1 / world.plan.weather), until - world.loop.time() + 0.01))
            await self.rng.choices(*zip(*self._kinds(), strict=True))[0]()
            if world.server.store.health.stopped:  # the server must be restarted
                await asyncio.sleep(self.rng.uniform(0.5, 8.0))
                await world.restart_server(crash=self.rng.random() < 0.3)

    def _kinds(self) -> list[tuple[object, float]]:
        return [(self.crash, 3), (self.restart, 2), (self.fail, 2), (self.slow_down, 3), (self.set_the_clock, 1)]

    async def crash(self) -> None:
        await self.world.restart_server(crash=True)

    async def restart(self) -> None:
        await self.world.restart_server(crash=False)

    async def fail(self) -> None:
        """Let the next commit of a record fail in a random way."""
        fault = self.rng.choice(list(Fault))
        self.world.trace("disk", f"next commit: {fault}")
        self.world.disk.fault = fault
        self.world.disk.faults += 1
        await asyncio.sleep(self.rng.uniform(1.0, 8.0))

    async def slow_down(self) -> None:
        self.world.trace("disk", "is slow")
        self.world.disk.slow = True
        await asyncio.sleep(self.rng.uniform(2.0, 12.0))
        self.world.disk.slow = False

    async def set_the_clock(self) -> None:
        self.world.wall_set_by = self.rng.choice((0.0, 1 / 24, -1 / 24, 40.0, -40.0, 400.0)) * DAY
        self.world.trace("clock", f"is set by {self.world.wall_set_by}")
