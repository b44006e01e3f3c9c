"""Plays the fourth game at a live table, three programs against each other: `python -m tests.plugins.at_a_table URL`.

Each checks its frames: before the end they must not reveal the buyer of another seat.
"""

import asyncio
import sys
from typing import Any

from jamboree.bots import player
from jamboree.client import Client, play
from jamboree.games import find

NAMES = ("Ada", "Bob", "Cleo")


class Watchful:
    """Plays as a rookie does, and counts the buyers it can see."""

    def __init__(self, seed: int) -> None:
        self.rookie = player(find("pearls"), "rookie", seed)
        self.moves = 0

    def choose(self, view: Any, offers: Any) -> Any:
        assert [bool(buyer) for buyer in view.buyers] == [seat == view.viewer for seat in range(len(NAMES))]
        self.moves += 1
        return self.rookie.choose(view, offers)


async def sit(client: Client, ticket: Any, seed: int) -> Any:
    watchful = Watchful(seed)
    async with client.connect(ticket, "en") as seat:
        await play(seat, watchful)
        assert seat.position
        assert watchful.moves
        assert all(seat.position.view.buyers)
        return seat.position.outcome


async def main(url: str) -> None:
    async with Client(url) as client:
        host = await client.open("pearls", len(NAMES), NAMES[0], options={"turns": 2})
        tickets = [host, *[await client.join(host.table, name) for name in NAMES[1:]]]
        await client.start(host)
        ends = await asyncio.gather(*(sit(client, ticket, seed) for seed, ticket in enumerate(tickets)))
        sentences = [line for step in await client.log(host.table) for line in step.sentences]
    assert ends[0]
    assert all(end == ends[0] for end in ends)
    print(f"{len(ends)} players have heard the same end.", sentences[-1])


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
