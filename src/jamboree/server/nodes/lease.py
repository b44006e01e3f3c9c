"""A server's right to have tables: a row in the database, good for a moment and renewed again and again.

While the row is there, nobody takes a table away. Whoever finds that its time is over by the database's clock deletes
it, and with that decides that the server is dead. The server itself goes by its own clock, and stops a little earlier.
"""

import time
from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

from ..tokens import source
from .lease_queries import Asking, Connection

LASTS = 2.0  # seconds a lease is good for since it was renewed, unless another time was asked for
MARGIN = 0.15  # the part of it by which we stop earlier by our own clock, since clocks do not run alike
LONGEST = 30.0  # seconds: what lasts longer was written before the database's clock was set back
NOW = "extract(epoch FROM clock_timestamp())::float8"
BURY = f"DELETE FROM nodes WHERE until < {NOW} OR until > {NOW} + %s"
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
    """Another server, as it was when it joined: one that was started again is another one."""

    name: str
    run: str  # what only those know who can read the database
    address: str


class NameTaken(JamboreeError):
    """Another server goes by the same name."""


class Lease:
    def __init__(
        self, database: str, name: str, address: str, now: Callable[[], float] = time.monotonic, lasts: float = LASTS
    ) -> None:
        self.name, self.address, self.now, self.lasts = name, address, now, lasts
        self.run = ""  # a new one each time we join
        self.soonest = inf  # seconds until another server's lease is over, unless it is renewed
        self._runs = {""}  # all that we may still be known by
        self._holds, self._until = False, -inf
        self._renewing, self._asking = Asking(database, lasts), Asking(database, lasts)

    @property
    def held(self) -> bool:
        """Tell whether nobody else can have our tables, by the clock that goes on while we are stopped."""
        return self._holds and self.now() < self._until

    @property
    def left(self) -> float:
        """Say for how many seconds we hold it, unless it is renewed."""
        return max(0.0, self._until - self.now()) if self._holds else 0.0

    def _end(self, asked: float) -> float:
        """Say when a lease is over that was renewed some time after we asked for that."""
        return asked + self.lasts * (1 - MARGIN)

    async def join(self) -> None:
        """Get a lease, under a name that no living server has."""
        run, asked, before = source().randbytes(16).hex(), self.now(), list(self._runs)
        self._runs.add(run)  # if there is no answer, we may have joined all the same

        async def joined(connection: Connection) -> bool:
            await connection.execute(LEAVE, (before,))
            await connection.execute(BURY, (LONGEST,))
            return (await connection.execute(JOIN, (self.name, run, self.address, self.lasts))).rowcount == 1

        if not await self._renewing.ask(joined):
            raise NameTaken(f'Another server is called "{self.name}"; give each a name of its own with --node.')
        self.run, self._runs = run, {run}
        self._holds, self._until = True, self._end(asked)

    async def renew(self) -> list[Peer]:
        """Make the lease last, bury the dead if there are any, and say who else is there; the buried have nothing more.

        A lease that was given up, or another one that we have got meanwhile, is not what the answer is about.
        """
        run, asked = self.run, self.now()

        async def renewed(connection: Connection) -> tuple[bool, list[Any]]:
            alive = (await connection.execute(RENEW, (self.lasts, run))).rowcount == 1
            there = await (await connection.execute(PEERS, (run,))).fetchall()
            if any(not 0.0 <= left <= LONGEST for *_, left in there):
                await connection.execute(BURY, (LONGEST,))
                there = await (await connection.execute(PEERS, (run,))).fetchall()
            return alive, there

        alive, rows = await self._renewing.ask(renewed)
        if run == self.run:
            self._holds, self._until = self._holds and alive, self._end(asked)
        others = [row for row in rows if row[1] not in self._runs]
        self.soonest = min((left for *_, left in others), default=inf)
        return [Peer(*row[:3]) for row in others]

    def give_up(self) -> None:
        """Hold nothing from now on until we join anew, whatever the database says."""
        self._holds = False

    async def owner(self, table: str) -> str | None:
        """Look up whose a table is, dead or alive; None if there is no such table."""

        async def looked_up(connection: Connection) -> str | None:
            row = await (await connection.execute(OWNER, (table,))).fetchone()
            return row[0] if row else None

        return await self._asking.ask(looked_up)

    async def take(self, table: str) -> bool:
        """Take a table that nobody alive has; from now on no former owner can change it."""

        async def taken(connection: Connection) -> bool:
            await connection.execute(BURY, (LONGEST,))
            return (await connection.execute(TAKE, {"run": self.run, "table": table})).rowcount == 1

        return await self._asking.ask(taken)

    async def hand_over(self, table: str, peer: Peer) -> None:
        """Give a table of ours to another server."""

        async def handed_over(connection: Connection) -> None:
            await connection.execute(HAND_OVER, (peer.run, table, self.run))

        await self._asking.ask(handed_over)

    async def leave(self) -> None:
        """Let everybody have what was ours."""
        self.give_up()

        async def left(connection: Connection) -> None:
            await connection.execute(LEAVE, (list(self._runs),))

        try:
            await self._asking.ask(left)
        finally:
            await self.close()

    async def close(self) -> None:
        await self._asking.close()
        await self._renewing.close()
