"""Garbage that goes in circles is looked for everywhere only when need be: that stops the server while it lasts.

With a thousand tables and four sockets at each it lasts some four tenths of a second, and Python would do it whenever a
quarter more has come together. But sockets and tables that end are cut loose, so that counting references frees them,
and what goes in circles for a moment is found among what was made lately, which is looked through several times a
second, in a few milliseconds. Hardly anything is left for a search of everything. It is made when much more is in use
than before, which might be garbage that nobody has thought of, as soon as nobody is told anything; in the middle of
everything only when so much more is in use that waiting would be worse.

Python itself counts what was made less what was freed: where tables forget as much as they remember, that hardly grows,
and what was made lately does.
"""

import asyncio
import gc
import logging
import sys
import time
from collections.abc import Callable
from pathlib import Path

log = logging.getLogger(__name__)
LITTLE = 0.25  # seconds in which little is made
YOUNG, MIDDLE, NEVER = 10_000, 5, 1_000_000_000  # objects made, rounds of those, rounds of these
EVERY = 10.0  # seconds after which it is looked how much is in use
MORE, MUCH_MORE = 1.25, 3.0  # times what was in use: reason for a search in a quiet moment, or at once
QUIET = 2.0  # seconds in which nothing is sent to anybody


def settle_down() -> None:
    """Leave out of it what is there when the server is up, and look at old things only when told to."""
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


async def look_lately() -> None:
    """Look through what was made lately, for ever; what is still in use is left out of it from then on."""
    while True:
        await asyncio.sleep(LITTLE)
        gc.collect(0)
        gc.freeze()


def memory_in_use() -> int:
    """Say how much memory the process has, or where the system does not tell, how many objects it has."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return sys.getallocatedblocks()


async def clean_up(frames: Callable[[], int], in_use: Callable[[], int] = memory_in_use) -> None:
    """Look everywhere when much more is in use than once was, for ever; `frames` counts what was sent."""
    least = in_use()
    while True:
        await asyncio.sleep(EVERY)
        least = min(least, in_use())
        if await _is_time(frames, in_use, least):
            log.info("garbage was searched for everywhere, which took %.2f s", search())
            least = in_use()


def search() -> float:
    """Look everywhere at once, and say how many seconds everybody waited for that."""
    begun = time.perf_counter()
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    return time.perf_counter() - begun


async def _is_time(frames: Callable[[], int], in_use: Callable[[], int], least: int) -> bool:
    """Wait for a quiet moment, or until it can't wait; tell whether there still is a reason."""
    before = -1
    while frames() != before and MORE * least < in_use() < MUCH_MORE * least:
        before = frames()
        await asyncio.sleep(QUIET)
    return in_use() > MORE * least
