"""One of several servers: the real node, lease, store and registry."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

from jamboree.server.live.clock import Tempo
from jamboree.server.live.registry import Registry
from jamboree.server.nodes.cluster import Cluster, FencedStore
from jamboree.server.nodes.lease import LEASE_SECONDS, Lease
from jamboree.server.nodes.node import Node, joined
from jamboree.server.wall_clock import WallClock

from ..machine.server import GAMES
from ..machine.thinker import Thinker
from .database import Database, Line, MemberPlug
from .loop import NodesLoop, Stoppable

ENDING = 60.0  # virtual seconds for a shutdown


class Member(Stoppable):
    """One run of a server. Its clock has a drift and an offset of its own."""

    def __init__(
        self, loop: NodesLoop, database: Database, name: str, rng: random.Random, broken: Callable[[str], None]
    ) -> None:
        super().__init__()
        self.loop, self.database, self.name, self.rng, self.broken = loop, database, name, rng, broken
        self.alive, self.cut_off, self.up, self._end = True, False, asyncio.Event(), asyncio.Event()
        rate, since = rng.uniform(0.93, 1.07), rng.uniform(0.0, 1e5)
        self.runs: set[str] = set()  # all run ids under which it has owned tables
        self.lease = Lease("", name, f"{name}:1", lambda: since + rate * loop.time())
        self.lease._renewals, self.lease._lookups = Line(self, LEASE_SECONDS), Line(self, LEASE_SECONDS)  # type: ignore[assignment]
        self.node = Node(self.lease)
        self.plug = MemberPlug(self)
        self.store = FencedStore(*self.plug.connections())
        self.store.lease = self.lease
        self.main = loop.employ(self, self._run(), name)

    async def _run(self) -> None:
        wall = WallClock(lambda: 1e9 + self.loop.time(), self.loop.time)
        more: dict[str, Any] = {"tempo": Tempo(patience=30.0), "now": self.loop.time, "wall": wall}
        thinker = Thinker(random.Random(f"{self.name} bots"))
        self.registry = Registry(self.store, GAMES, thinker=thinker, peers=Cluster(self.node), **more)
        self.node.registry = self.registry
        async with joined(self.node), self.registry:
            self.up.set()
            await self._end.wait()
            await self.node.drain()
            self.up.clear()
        self.store.close()

    @property
    def answers(self) -> bool:
        return self.alive and self.up.is_set()

    @property
    def has(self) -> set[str]:
        """Return the tables that accept moves here."""
        return set(self.registry.tables) if self.answers and not self.stopped and self.node.ready else set()

    def wrote(self, table: str) -> None:
        """Check, at the time of a write, that no other server has taken the table."""
        self.runs.add(self.lease.run)
        if self.database.taken.get(table, self.lease.run) not in self.runs:
            self.broken(f"{self.name} wrote to {table}, which another server has taken")

    async def leave(self) -> None:
        """Shut down cleanly."""
        self._end.set()
        await asyncio.wait([self.main], timeout=ENDING)
        await self.kill()

    async def kill(self) -> None:
        """Crash; remaining tasks are cancelled in isolation."""
        if self.alive and not self.main.done():
            self.plug.pull(self.rng)
        self.alive = False
        if self.stopped:
            self.go_on(self.loop)
        left = self.loop.working_for(self)
        for job in left:
            job.cancel()
        if left:
            await asyncio.wait(left, timeout=ENDING)
