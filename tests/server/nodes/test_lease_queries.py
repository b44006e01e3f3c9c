"""Database queries that time out."""

import asyncio
import socket

import pytest

from jamboree.server.nodes.lease_queries import Connection, TimedQueries
from jamboree.server.store import DatabaseUnreachable


async def _sleep(connection: Connection) -> None:
    await connection.execute("SELECT pg_sleep(30)")


async def _one(connection: Connection) -> int:
    row = await (await connection.execute("SELECT 1")).fetchone()
    return int(row[0]) if row else 0


async def test_an_unanswered_query_times_out(shared: str) -> None:
    asking, patient = TimedQueries(shared, 0.3), TimedQueries(shared, 60.0)
    with pytest.raises(DatabaseUnreachable):
        await asking.ask(_sleep)
    asking.within = 60.0
    assert await asking.ask(_one) == await patient.ask(_one) == 1
    await asking.close()
    await patient.close()


async def test_a_hanging_connection_does_not_block_the_event_loop(shared: str) -> None:
    """A file's number is given to the next one that is opened, as soon as it is closed."""
    asking, readable = TimedQueries(shared, 0.3), asyncio.Event()
    with pytest.raises(DatabaseUnreachable):
        await asking.ask(_sleep)
    near, far = socket.socketpair()
    with near, far:
        loop = asyncio.get_running_loop()
        loop.add_reader(near, readable.set)
        await asyncio.sleep(0.1)
        far.send(b"x")
        await asyncio.wait_for(readable.wait(), 20)
        loop.remove_reader(near)
    await asking.close()
