"""Leases: a server owns tables as long as its row in the database exists, which it renews continually.

A peer that finds the row expired by the database's clock deletes it and may take the server's tables. The server goes
by its own monotonic clock and stops a little earlier. A table's epoch is the fencing token against late writes.
"""

import time
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

from ..tokens import source
from .lease_queries import Connection, TimedQueries

LEASE_SECONDS = 2.0  # how long a lease lasts after a renewal, by default
MARGIN = 0.15  # the fraction by which a server stops earlier, since clocks differ in speed
LONGEST = 30.0  # seconds: a later expiry was written before the database's clock was set back
NOW = "extract(epoch FROM clock_timestamp())::float8"
DELETE_EXPIRED = f"DELETE FROM nodes WHERE until < {NOW} OR until > {NOW} + %s"
JOIN = f"""INSERT INTO nodes (name, run, address, until) VALUES (%s, %s, %s, {NOW} + %s)
 ON CONFLICT (name) DO NOTHING"""
RENEW = f"UPDATE nodes SET until = {NOW} + %s WHERE run = %s"
LEAVE = "DELETE FROM nodes WHERE run = ANY(%s)"
PEERS = f"SELECT name, run, address, until - {NOW} FROM nodes WHERE run <> %s"
OWNER = "SELECT node FROM tables WHERE id = %s"
TAKE = """UPDATE tables SET node = %(run)s, epoch = epoch + 1 WHERE id = %(table)s
 AND (node = %(run)s OR node NOT IN (SELECT run FROM nodes))
 AND EXISTS (SELECT 1 FROM nodes WHERE run = %(run)s)"""
HAND_OVER = "UPDATE tables SET node = %s WHERE id = %s AND node = %s"


class Peer(NamedTuple):
    """Another server since it joined; after a restart it is a new peer."""

    name: str
    run: str  # an id that is also the key for internal requests; only clients of the database know it
    address: str


class NameTaken(JamboreeError):
    """A living server has the same name."""


class Lease:
    def __init__(
        self,
        database: str,
        name: str,
        address: str,
        now: Callable[[], float] = time.monotonic,
        duration: float = LEASE_SECONDS,
    ) -> None:
        self.name, self.address, self.now, self.duration = name, address, now, duration
        self.run = ""  # a new id for each join
        self.next_expiry = inf  # seconds until the first lease of another server expires, unless renewed
        self._runs = {""}  # all ids that may still be in the database
        self._holds, self._until = False, -inf
        self._renewals, self._lookups = TimedQueries(database, duration), TimedQueries(database, duration)

    @property
    def held(self) -> bool:
        """Whether no other server can own our tables, by a clock that runs on while the process is stopped."""
        return self._holds and self.now() < self._until

    @property
    def left(self) -> float:
        """Seconds until the lease expires, unless renewed."""
        return max(0.0, self._until - self.now()) if self._holds else 0.0

    def _expiry(self, asked: float) -> float:
        """When a lease expires whose renewal was requested at a time."""
        return asked + self.duration * (1 - MARGIN)

    async def join(self) -> None:
        """Acquire a lease under a name that no living server has."""
        run, asked, before = source().randbytes(16).hex(), self.now(), list(self._runs)
        self._runs.add(run)  # without an answer the join may still have succeeded

        async def joined(connection: Connection) -> bool:
            await connection.execute(LEAVE, (before,))
            await connection.execute(DELETE_EXPIRED, (LONGEST,))
            return (await connection.execute(JOIN, (self.name, run, self.address, self.duration))).rowcount == 1

        if not await self._renewals.ask(joined):
            raise NameTaken(f'Another server is named "{self.name}"; give each server its own name with --node.')
        self.run, self._runs = run, {run}
        self._holds, self._until = True, self._expiry(asked)

    async def renew(self) -> list[Peer]:
        """Renew the lease, delete expired leases of others, and return the peers that are alive.

        The answer is ignored for a lease that was given up or replaced meanwhile.
        """
        run, asked = self.run, self.now()

        async def renewed(connection: Connection) -> tuple[bool, list[Any]]:
            alive = (await connection.execute(RENEW, (self.duration, run))).rowcount == 1
            there = await (await connection.execute(PEERS, (run,))).fetchall()
            if any(not 0.0 <= left <= LONGEST for *_, left in there):
                await connection.execute(DELETE_EXPIRED, (LONGEST,))
                there = await (await connection.execute(PEERS, (run,))).fetchall()
            return alive, there

        alive, rows = await self._renewals.ask(renewed)
        if run == self.run:
            self._holds, self._until = self._holds and alive, self._expiry(asked)
        others = [row for row in rows if row[1] not in self._runs]
        self.next_expiry = min((left for *_, left in others), default=inf)
        return [Peer(*row[:3]) for row in others]

    def give_up(self) -> None:
        """Count as expired until the next join, whatever the database says."""
        self._holds = False

    async def owner(self, table: str) -> str | None:
        """The run id of a table's owner, dead or alive; None if there is no such table."""

        async def looked_up(connection: Connection) -> str | None:
            row = await (await connection.execute(OWNER, (table,))).fetchone()
            return row[0] if row else None

        return await self._lookups.ask(looked_up)

    async def take(self, table: str) -> bool:
        """Take a table that no living server owns; the new epoch fences off former owners."""

        async def taken(connection: Connection) -> bool:
            await connection.execute(DELETE_EXPIRED, (LONGEST,))
            return (await connection.execute(TAKE, {"run": self.run, "table": table})).rowcount == 1

        return await self._lookups.ask(taken)

    async def hand_over(self, table: str, peer: Peer) -> None:
        """Transfer a table of ours to another server."""

        async def take_picks(connection: Connection) -> None:
            await connection.execute(HAND_OVER, (peer.run, table, self.run))

        await self._lookups.ask(take_picks)

    async def leave(self) -> None:
        """Release the lease, so that others can take our tables at once."""
        self.give_up()

        async def left(connection: Connection) -> None:
            await connection.execute(LEAVE, (list(self._runs),))

        try:
            await self._lookups.ask(left)
        finally:
            await self.close()

    async def close(self) -> None:
        await self._lookups.close()
        await self._renewals.close()
