"""A program in which a phase runs until it is killed: `python -m tests.server.live.phase_until_killed DATABASE`.

It prints the code of the table, then what is left, again and again.
"""

import asyncio
import os
import sys

from jamboree.server.store.store import open_store

from ..bench.local import a_registry, started


async def main(where: str) -> None:
    async with a_registry(open_store(where)) as registry:
        clients = await started(registry, "high-card", 2, timed=True)
        table = registry.tables[clients[0].session.code]
        say(table.code)
        (countdown,) = table.scheduler.clock.countdowns.values()
        while True:
            say(str(countdown.left(table.now())))
            await asyncio.sleep(0.02)


def say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
