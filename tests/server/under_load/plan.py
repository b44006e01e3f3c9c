"""The schedule that the server and the clients of `load.py` share."""

import os
from pathlib import Path
from typing import NamedTuple

STALLED = 50
SHORT = 0.98  # of the moves that fell due: with fewer, a round says nothing
QUIET, STALL, GO, DONE = "quiet", "stall", "go", "done"  # what the two processes say to each other


class Plan(NamedTuple):
    tables: int = 1000
    rate: int = 300  # moves a second
    moves: int = 3000  # a round
    rounds: int = 4


class Traffic(NamedTuple):
    """What the clients say of a round."""

    seconds: float
    sent: int
    updates: int
    received: int  # bytes of those
    waits: list[float]  # seconds, of every move, until its acknowledgement had come

    def is_on_time(self, plan: Plan) -> bool:
        return self.sent / self.seconds >= SHORT * plan.rate

    @property
    def size(self) -> float:
        return self.received / max(1, self.updates)

    def line(self, plan: Plan) -> str:
        rate = f"{self.sent / self.seconds:.1f} moves a second of {plan.rate}"
        return f"{rate}, {self.size:.0f} bytes a move and viewer, p99 {within(self.waits, 99) * 1000:.1f} ms to clients"


def within(times: list[float], share: int) -> float:
    """Return a percentile of some times."""
    times = sorted(times)
    return times[min(len(times) - 1, len(times) * share // 100)] if times else 0.0


def take_core(own: bool) -> None:
    """Keep the server on a core of its own, all its threads, and the clients off it, where there are several."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        for thread in Path("/proc/self/task").iterdir():
            os.sched_setaffinity(int(thread.name), cores[:1] if own else cores[1:])
