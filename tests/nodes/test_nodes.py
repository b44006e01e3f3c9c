"""A server is killed, stopped, cut off, drained or joined while people play: a short form of `make nodes`."""

import asyncio
import random
from collections.abc import Iterator

import pytest

from jamboree.server.store import open_store
from tests.server.bench.postgres import Private, private_postgres

from .servers import Server, serving
from .trials import KINDS, Outcome, attempt

LEASE = 4.0  # seconds: the tests' machine may have much else to do


@pytest.fixture(scope="module")
def postgres() -> Iterator[Private]:
    with private_postgres() as server:
        open_store(server.address).close()
        yield server


async def tried(postgres: Private, kind: str) -> Outcome:
    async with serving(postgres.folder, "ab", LEASE) as servers:
        spare = Server("c", servers[0].cable, LEASE)
        try:
            return await attempt(kind, servers, spare, postgres.address, random.Random(kind))
        finally:
            await spare.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_acknowledged_is_lost_or_done_twice(postgres: Private, kind: str) -> None:
    outcome = asyncio.run(tried(postgres, kind))
    assert outcome.moves > 0
