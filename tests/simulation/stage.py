"""The basis of every simulation: a loop, a disk, the oracle, and the violations found."""

import asyncio
import gc
import random
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from .machine.disk import Disk
from .machine.loop import VirtualLoop
from .oracle.chronicle import Chronicle, History
from .trace import Trace


class Report(NamedTuple):
    seed: int
    problems: list[str]
    digest: str
    seconds: float  # virtual ones
    records: int
    acked: int


class Stage:
    def __init__(self, loop: VirtualLoop, seed: int, tell: Callable[[str], None] | None) -> None:
        self.seed, self.trace = seed, Trace(loop.time, tell)
        self.disk = Disk(loop, random.Random(f"{seed} disk"))
        self.chronicle = Chronicle(self.disk)
        self.problems: list[str] = []
        self.calm = self.over = False

    def history(self, code: str) -> History:
        self.chronicle.follow()
        return self.chronicle.tables[code]

    def broken(self, problem: str) -> None:
        self.trace("!", problem)
        self.problems.append(f"{self.disk.loop.time():.3f} {problem}")

    def calm_the_disk(self) -> None:
        """Stop injecting disk faults."""
        self.disk.slow, self.disk.moody, self.disk.fault = False, False, None
        self.disk.back_at = 0.0

    def report(self, acked: int) -> Report:
        records = sum(table.last for table in self.chronicle.tables.values())
        return Report(self.seed, self.problems, self.trace.digest, self.disk.loop.time(), records, acked)


def stop_all(loop: VirtualLoop) -> None:
    """Cancel all running tasks."""
    left = list(loop.jobs.values())
    for job in left:
        job.cancel()
    with suppress(Exception):
        loop.run_until_complete(asyncio.wait(left, timeout=60)) if left else None
    del left
    gc.collect()  # unretrieved exceptions are reported now


def close(loop: VirtualLoop) -> None:
    asyncio.set_event_loop(None)
    loop.close()
