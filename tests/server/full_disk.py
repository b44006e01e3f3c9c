"""A program that keeps records until the disk is full: `python -m tests.server.full_disk DATABASE`.

Its files may not grow beyond a limit, which is what a full disk looks like from inside.
"""

import asyncio
import resource
import signal
import sys

from jamboree.server.store import Unavailable, open_store

from .test_store import appended

LIMIT = 300_000


async def fill(where: str) -> None:
    store = open_store(where)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, resource.RLIM_INFINITY))
    kept = 0
    try:
        while kept < 1_000_000:
            await store.append(appended(after=kept, count=20))
            kept += 20
    except Unavailable:
        assert store.trouble, "whoever asks whether the server is ready is told at once"
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert (await store.load("t")).seq == kept, "reading goes on, and shows what was acknowledged"
    try:
        await store.append(appended(after=kept))
    except Unavailable:
        print(kept)
    store.close()


if __name__ == "__main__":
    asyncio.run(fill(sys.argv[1]))
