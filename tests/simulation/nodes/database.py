"""PostgreSQL for leases and tables: the real statements, on the simulated disk, over a connection that can be cut."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from jamboree.server.nodes import lease
from jamboree.server.nodes.lease import NOW
from jamboree.server.store.connection import Connect, DatabaseConnection
from jamboree.server.store.contract import Append, Change, DatabaseUnreachable, StoreError
from jamboree.server.store.health import StoreHealth
from jamboree.server.store.writer import OnCommit, PendingChange

from ..machine.disk import AGAIN, Cable, Disk, LoopWriter, Plug

if TYPE_CHECKING:
    from .member import Member

WAY = (0.0005, 0.03)  # seconds to the database and back


class Rows(NamedTuple):
    rows: list[Any]
    rowcount: int

    async def fetchone(self) -> Any:
        return self.rows[0] if self.rows else None

    async def fetchall(self) -> list[Any]:
        return self.rows


class Database:
    """The disk with a clock of its own, which can be set."""

    def __init__(self, disk: Disk) -> None:
        self.disk, self.set_by = disk, 1e6
        self.set_at = -1e9  # when that was
        self.taken: dict[str, str] = {}  # by table: the run that took it last

    def asked(self, statement: str, values: Any) -> Rows:
        """Execute a PostgreSQL statement in SQLite's dialect."""
        sql = statement.replace(NOW, repr(self.disk.loop.time() + self.set_by))
        if isinstance(values, dict):
            sql = re.sub(r"%\((\w+)\)s", r":\1", sql)
        else:
            for value in values:
                if isinstance(value, list):
                    sql = sql.replace("= ANY(%s)", f"IN ({', '.join('?' * len(value))})", 1)
            values = [each for value in values for each in (value if isinstance(value, list) else [value])]
            sql = sql.replace("%s", "?")
        connection = self.disk.database._connection
        found = Rows(list(connection.execute(sql, values)), connection.changes())
        if statement == lease.TAKE and found.rowcount:
            self.taken[values["table"]] = values["run"]
        return found


class Line:
    """Runs queries like `TimedQueries`, over a connection that can lose answers."""

    def __init__(self, member: "Member", within: float) -> None:
        self.member, self.within = member, within
        self._one_at_a_time = asyncio.Lock()

    async def ask(self, question: Callable[[Any], Awaitable[Any]]) -> Any:
        try:
            async with asyncio.timeout(self.within), self._one_at_a_time:
                return await question(self)
        except TimeoutError:
            raise DatabaseUnreachable("The database does not answer.") from None

    async def execute(self, statement: str, values: Any) -> Rows:
        await self._way()
        found = self.member.database.asked(statement, values)
        await self._way()
        return found

    async def _way(self) -> None:
        member = self.member
        await asyncio.sleep(member.rng.uniform(*WAY))
        if not member.alive or member.database.disk.away:
            raise DatabaseUnreachable("The database can't be reached.")
        if member.cut_off:
            await asyncio.Event().wait()

    async def close(self) -> None:
        pass


class MemberCable(Cable):
    plug: "MemberPlug"

    def _database(self) -> DatabaseConnection:
        if self.plug.member.cut_off:
            raise DatabaseUnreachable("The database can't be reached.")
        return super()._database()


class MemberPlug(Plug):
    def __init__(self, member: "Member") -> None:
        super().__init__(member.database.disk)
        self.member = member

    def connections(self) -> tuple[Connect, Connect, Callable[[Connect, StoreHealth], LoopWriter]]:
        return lambda: MemberCable(self, True), lambda: MemberCable(self, False), self._writer

    def _writer(self, connect: Connect, health: StoreHealth) -> LoopWriter:
        self.writer = MemberWriter(connect, health, self.disk)
        self.writer.member = self.member
        return self.writer

    def pull(self, rng: random.Random) -> None:
        """Crash; writes of a disconnected server are lost."""
        if self.member.cut_off:
            self.connected = False
        else:
            super().pull(rng)


class MemberWriter(LoopWriter):
    """Writes nothing while its server is paused, and the whole queue when it resumes."""

    member: "Member"

    def _write(self) -> None:
        if self.member.stopped:
            self.member.do_later(self._write)
        else:
            super()._write()

    def _find_again(self) -> None:
        if self.member.stopped:
            self.member.do_later(self._find_again)
        elif self.member.cut_off:
            self.disk.loop.call_later(AGAIN, self._find_again)
        else:
            super()._find_again()

    def _commit(self, connection: DatabaseConnection, group: list[PendingChange]) -> None:
        super()._commit(connection, [(change, self._noting(change, answer)) for change, answer in group])

    def _noting(self, change: Change, answer: OnCommit) -> OnCommit:
        """Answer, and record which table was written."""

        def noted(error: StoreError | None) -> None:
            answer(error)
            if error is None and isinstance(change, Append):
                self.member.wrote(change.table)

        return noted
