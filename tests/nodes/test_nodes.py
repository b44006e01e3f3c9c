"""Faults of a server during games, each once: a short form of `make nodes`."""

import asyncio
import random

import pytest

from tests.server.bench.postgres import Private

from .servers import Server, serving
from .trials import KINDS, attempt

LEASE = 4.0  # seconds, since the tests' machine may be busy


@pytest.mark.parametrize("kind", KINDS)
def test_no_acknowledged_change_is_lost_or_repeated(private: Private, kind: str) -> None:
    async def tried() -> None:
        async with serving(private.folder, "ab", LEASE) as servers:
            spare = Server("c", servers[0].cable, LEASE)
            try:
                outcome = await attempt(kind, servers, spare, private.address, random.Random(kind))
            finally:
                await spare.stop()
            assert outcome.moves > 0

    asyncio.run(asyncio.wait_for(tried(), 240))
