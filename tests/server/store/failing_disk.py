"""Stores records until the disk fails: `python -m tests.server.store.failing_disk DATABASE [LIMIT]`.

With a limit its files may not grow beyond it, which is what a full disk looks like from inside. It prints how many
records were acknowledged.
"""

import asyncio
import resource
import signal
import sys

from jamboree.server.store import Unavailable
from jamboree.server.store.store import open_store

from .test_store import appended


def limit_files(size: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


async def fill(where: str, limit: int) -> None:
    store, stored = open_store(where), 0
    limit_files(limit)
    try:
        while stored < 100_000:
            await store.append(appended(after=stored, count=20))
            stored += 20
    except Unavailable:
        assert store.trouble, "/ready reports it at once"
    limit_files(resource.RLIM_INFINITY)
    assert (await store.load("t")).seq == stored, "reading goes on, and shows what was acknowledged"
    try:
        await store.append(appended(after=stored))
    except Unavailable:  # the store does not try again, even when the disk is well
        print(stored)
    store.close()


if __name__ == "__main__":
    asyncio.run(fill(sys.argv[1], int(sys.argv[2]) if sys.argv[2:] else resource.RLIM_INFINITY))
