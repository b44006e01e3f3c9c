"""A finished game, played by programs, for tests of the pages after it."""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from jamboree.client import Client
from jamboree.server.protocol.bodies import Credentials

from .programs import Brisk, plays


def a_finished_game(url: str, game: str, seats: int, options: Mapping[str, Any] | None = None) -> Credentials:
    """Play a game at a live table; return the host's place at it."""

    async def go() -> Credentials:
        async with Client(url) as client:
            host = await client.open(game, seats, "Ada", options=dict(options or {}))
            tickets = [host, *[await client.join(host.table, f"Guest {seat}") for seat in range(2, seats + 1)]]
            await client.start(host)
            await asyncio.gather(*(plays(client, ticket, Brisk(seed)) for seed, ticket in enumerate(tickets)))
            return host

    with ThreadPoolExecutor() as threads:  # a browser's tests hold a loop of their own in this one
        return threads.submit(asyncio.run, go()).result()
