"""A bot in a program of its own: it joins a live table over the network and plays there.

    python docs/examples/outside_bot.py http://127.0.0.1:8300 CODE "Robbie"

Write your own `choose`. Its arguments are the view of the seat, in the game's own types, and the legal actions. It may
also return `WAIT`, if several players act at the same time and there is nothing to do yet.
"""

import asyncio
import random
import sys
from collections.abc import Sequence
from typing import Any

from jamboree.client import Client, play
from jamboree.core.offers import Offer


class RandomBot:
    """Takes a random action without warnings, or else any action."""

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        free = [offer for offer in offers if not offer.cautions]
        return random.choice(free or list(offers)).action


async def main(url: str, table: str, name: str) -> None:
    async with Client(url) as client:
        credentials = await client.join(table, name)
        async with client.connect(credentials) as connection:
            await play(connection, RandomBot())
            assert connection.position and connection.position.outcome
            print("winners:", ", ".join(connection.names()[winner] for winner in connection.position.outcome.winners))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
