"""`make nodes`: every trial many times, with figures."""

import argparse
import asyncio
import random
from pathlib import Path

from jamboree.server.store import open_store
from tests.server.bench.postgres import private_postgres

from .measure import measure
from .servers import Server, serving
from .trials import KINDS, attempt, mend

LEASE = 2.0
WITHIN = 3.0  # seconds in which 99 of 100 tables are back


def percentile(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] if times else 0.0


async def run(folder: Path, where: str, kinds: list[str], times: int, seed: int) -> bool:
    good = True
    for kind in kinds:
        back, moves = list[float](), 0
        async with serving(folder, "ab", LEASE) as servers:
            spare = Server("c", servers[0].cable, LEASE)
            for number in range(times):
                outcome = await attempt(kind, servers, spare, where, random.Random(f"{kind} {seed} {number}"))
                await mend(outcome.victim, spare)
                back, moves = [*back, *outcome.back], moves + outcome.moves
        late = percentile(back, 0.99)
        good &= late < WITHIN
        print(
            f"{kind:6} {times} times, {moves} moves acknowledged, {len(back)} tables back after "
            f"{percentile(back, 0.5):.2f} s (median), {late:.2f} s (p99), {max(back, default=0):.2f} s (last)",
            flush=True,
        )
    return good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kinds", nargs="*", default=[], metavar=f"{{{','.join(KINDS)}}}")
    parser.add_argument("--measure", action="store_true", help="what a move costs on one server and on two")
    told = parser.parse_args()
    with private_postgres() as server:
        open_store(server.address).close()
        if told.measure:
            asyncio.run(measure(server.folder, server.address, 10.0))
            return
        good = asyncio.run(run(server.folder, server.address, told.kinds or list(KINDS), told.times, told.seed))
    if not good:
        raise SystemExit(f"Not every table was back within {WITHIN:.0f} s at the 99th percentile.")


if __name__ == "__main__":
    main()
