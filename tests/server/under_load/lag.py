"""How long the worst requests block the event loop: `python -m tests.server.under_load.lag`.

It prints the longest delay of a task that is due every millisecond, and the longest uninterrupted work of the loop.
"""

import asyncio
import gc
import sys
import tempfile
from pathlib import Path

from jamboree.server.gc_tuning import configure
from jamboree.server.store.store import open_store

from .pulse import Pulse
from .stage import Stage, staged
from .worst_cases import HTTP, MESSAGES, Ask

PROMISED = 0.02  # seconds
TIMES = 5


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "tables.db"))
        async with staged(store, "boogie", 8, moves=400, tables=200) as stage:
            gc.collect()
            configure()
            over = 0
            for kind, cases in {**MESSAGES, **HTTP}.items():
                for about, ask in cases.items():
                    over += await measure(f"{kind} {about}".strip(), ask, stage)
        store.close()
    print(f"{over} of them over {PROMISED * 1000:.0f} ms")
    sys.exit(bool(over))


async def measure(case: str, ask: Ask, stage: Stage) -> bool:
    """Try a case some times. Printed is the middle of the waits, since a machine has moments of its own."""
    lags, held = list[float](), list[float]()
    for _ in range(TIMES):
        async with Pulse() as pulse:
            answer = await ask(stage)
        lags.append(pulse.lag)
        held.append(pulse.held)
    lag, work = sorted(lags)[TIMES // 2], max(held)
    status = answer if isinstance(answer, int) else answer.get("code", answer["type"])
    print(f"{lag * 1000:7.1f} ms waited {work * 1000:7.1f} ms held  {case} ({status})", flush=True)
    return max(lag, work) > PROMISED


if __name__ == "__main__":
    asyncio.run(main())
