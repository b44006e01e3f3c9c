"""Garbage that goes in circles is looked for everywhere only when nobody waits: that stops the server while it lasts.

With a thousand tables it lasts half a second, and Python would do it whenever a quarter more has come together. What
was made lately is looked through several times a second, in a few milliseconds. Python itself counts what was made less
what was freed: where tables forget as much as they remember, that hardly grows, and what was made lately does.
"""

import asyncio
import gc
import time
from collections.abc import Callable

LITTLE = 0.25  # seconds in which little is made
YOUNG, MIDDLE, NEVER = 10_000, 5, 1_000_000_000  # objects made, rounds of those, rounds of these
EVERY, LATEST = 120.0, 600.0  # seconds: a quiet moment is waited for, but not for ever
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


async def clean_up(frames: Callable[[], int]) -> None:
    """Look everywhere from time to time, for ever; `frames` counts what was sent."""
    while True:
        await asyncio.sleep(EVERY)
        await _quiet(frames, time.monotonic() + LATEST - EVERY)
        gc.unfreeze()
        gc.collect()
        gc.freeze()


async def _quiet(frames: Callable[[], int], latest: float) -> None:
    before = -1
    while frames() != before and time.monotonic() < latest:
        before = frames()
        await asyncio.sleep(QUIET)
