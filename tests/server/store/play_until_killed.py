"""Plays at several tables until it is killed: `python -m tests.server.store.play_until_killed DATABASE`.

It prints acknowledged and shown moves, each as soon as a client has received it.
"""

import asyncio
import os
import random
import sys

from jamboree.server.live.registry import Registry
from jamboree.server.store.store import open_store

from ..bench.local import Client, a_registry, started

TABLES = 4


class Witness(Client):
    def put(self, frame: bytes) -> None:
        super().put(frame)
        if self.received[-1]["type"] == "ack":
            ack = self.received[-1]
            say(f"acked {self.session.code} {self.session.person} {ack['id']} {ack['seq']}")
        elif self.received[-1]["type"] == "update":
            say(f"shown {self.session.code} {self.seq}")


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


async def play_for_ever(registry: Registry, rng: random.Random) -> None:
    while True:
        seated = await started(registry, rng.choice(["bebop", "high-card"]), 2)
        clients = [Witness(registry, client.session.code, client.token) for client in seated]
        for client in clients:
            await client.hello()
        number = 0
        while able := [client for client in clients if client.legal()]:
            client = rng.choice(able)
            await client.act(rng.choice(client.legal()), f"{number}")
            number += 1


async def main(where: str) -> None:
    async with a_registry(open_store(where)) as registry, asyncio.TaskGroup() as tables:
        for seed in range(TABLES):
            tables.create_task(play_for_ever(registry, random.Random(seed)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
