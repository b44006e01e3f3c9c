"""PostgreSQL crashes and restarts, or its replica takes over, during games on two servers."""

import asyncio
import random
import time
from collections.abc import Callable

import pytest

from jamboree.server.store import DatabaseUnreachable
from jamboree.server.store.postgres import PostgresConnection
from jamboree.server.store.store import open_store
from tests.server.bench.postgres import Standby, followed, private_postgres

from .players import Party
from .servers import serving
from .trials import BACK_WITHIN, check

TABLES, PLAYED = 3, 3  # moves that are acknowledged at each table before, and after
LEASE = 4.0


def promoted(standby: Standby) -> str:
    """Stop the primary for good, and promote the replica."""
    standby.first.process.kill()
    standby.first.process.wait()
    standby.promote()
    return standby.address


def restarted(standby: Standby) -> str:
    standby.first.restart()
    return standby.first.address


@pytest.mark.parametrize("happens", [promoted, restarted])
def test_a_database_failover_loses_nothing_acknowledged(happens: Callable[[Standby], str]) -> None:
    with private_postgres() as first, followed(first) as standby:
        both = f"postgresql://jamboree@/postgres?host={first.folder},{standby.folder}"
        open_store(both).close()
        _see_that_a_replica_is_not_written(standby)
        asyncio.run(asyncio.wait_for(_played_through(both, standby, happens), 240))


def _see_that_a_replica_is_not_written(standby: Standby) -> None:
    """Check that servers treat a read-only replica as a lost database, and keep looking for a primary."""
    with pytest.raises(DatabaseUnreachable):
        PostgresConnection(standby.address)
    connection = PostgresConnection(f"{standby.address}&target_session_attrs=any")
    while not list(connection.rows("SELECT 1 FROM pg_class WHERE relname = 'tables'")):
        time.sleep(0.05)  # replayed commits become visible there with a delay
    with pytest.raises(DatabaseUnreachable, match="read-only"):
        connection.change("UPDATE tables SET seq = seq + 1")
    connection.close()


async def _played_through(both: str, standby: Standby, happens: Callable[[Standby], str]) -> None:
    async with serving(standby.first.folder, "ab", LEASE, both) as servers:
        parties = [Party(list(servers), random.Random(number)) for number in range(TABLES)]
        for party in parties:
            await party.open()
        playing = [asyncio.create_task(party.play()) for party in parties]
        await _acknowledged(parties, playing, PLAYED)
        where = await asyncio.to_thread(happens, standby)
        await _acknowledged(parties, playing, max(len(party.acked) for party in parties) + PLAYED)
        for party in parties:
            party.over = True
        await asyncio.gather(*playing)
        for party in parties:
            await check(party, where)
            await party.leave()


async def _acknowledged(parties: list[Party], playing: "list[asyncio.Task[None]]", many: int) -> None:
    """Wait for a number of acknowledged moves at each table."""
    end = time.monotonic() + 3 * BACK_WITHIN
    while min(len(party.acked) for party in parties) < many:
        await asyncio.sleep(0.05)
        for task in playing:
            _ = task.done() and task.result()
        assert time.monotonic() < end, [party.troubles[-5:] for party in parties]
