"""Tunes the cyclic garbage collector, so that full collections rarely stop the server.

With a thousand tables and four sockets at each, a full collection takes about 0.4 s, and Python would run one whenever
the heap has grown by a quarter. Sockets and tables break their reference cycles when they end, so reference counting
frees them. The young generation is collected several times a second, in a few milliseconds, and then frozen. A full
collection runs only when memory use has grown, in a moment without traffic, or at once if it has grown very much.
"""

import asyncio
import gc
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path

log = logging.getLogger(__name__)
YOUNG_EVERY = 0.25  # seconds between collections of the young generation
YOUNG, MIDDLE, NEVER = 10_000, 5, 1_000_000_000  # thresholds of the three generations
EVERY = 10.0  # seconds between checks of memory use
GROWN, FAR_GROWN = 1.25, 3.0  # growth of memory use for a full collection in a quiet moment, or at once
QUIET = 2.0  # seconds without a sent frame


def configure() -> None:
    """Exempt everything that exists after the start, and disable automatic full collections."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


async def collect_young() -> None:
    """Collect the young generation for ever; survivors are exempt from then on."""
    while True:
        await asyncio.sleep(YOUNG_EVERY)
        gc.collect(0)
        gc.freeze()


def memory_used() -> int:
    """Pages of memory in use, or allocated blocks on systems without /proc."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return sys.getallocatedblocks()


async def collect_when_grown(frames_sent: Callable[[], int], in_use: Callable[[], int] = memory_used) -> None:
    """Run a full collection whenever memory use has grown, for ever."""
    least = in_use()
    while True:
        await asyncio.sleep(EVERY)
        least = min(least, in_use())
        if await _wait_until_due(frames_sent, in_use, least):
            log.info("a full garbage collection took %.2f s", collect_all())
            least = in_use()


def collect_all() -> float:
    """Run a full collection; return its seconds."""
    begun = time.perf_counter()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return time.perf_counter() - begun


async def _wait_until_due(frames_sent: Callable[[], int], in_use: Callable[[], int], least: int) -> bool:
    """Wait for a quiet moment, or until memory use has grown too far; whether a collection is still due."""
    before = -1
    while frames_sent() != before and GROWN * least < in_use() < FAR_GROWN * least:
        before = frames_sent()
        await asyncio.sleep(QUIET)
    return in_use() > GROWN * least
