"""`make nodes`: every fault many times, with figures."""

import argparse
import asyncio
import random
import sys
from pathlib import Path

import msgspec

from jamboree.server.store.store import open_store
from tests.server.bench.postgres import private_postgres

from .measure import measure
from .servers import Server, serving
from .trials import KINDS, attempt, mend

LEASE = 2.0
WITHIN = 3.0  # seconds: p99 of the time until a table is back


def percentile(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] if times else 0.0


class TrialResult(msgspec.Struct, frozen=True):
    """The result of one attempt."""

    kind: str
    seed: int
    number: int
    back: list[float]
    moves: int


class Book:
    """The results of all attempts, optionally in a file from which an interrupted run resumes."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        lines = file.read_bytes().splitlines() if file and file.exists() else []
        self.tried = [msgspec.json.decode(line, type=TrialResult) for line in lines]

    def add(self, tried: TrialResult) -> None:
        self.tried.append(tried)
        if self.file:
            with self.file.open("ab") as file:
                file.write(msgspec.json.encode(tried) + b"\n")

    def of(self, kind: str, seed: int, times: int) -> dict[int, TrialResult]:
        wanted = [each for each in self.tried if (each.kind, each.seed) == (kind, seed) and each.number < times]
        return {each.number: each for each in wanted}


async def run(folder: Path, where: str, kinds: list[str], times: int, seed: int, book: Book) -> bool:
    good = True
    for kind in kinds:
        missing = [number for number in range(times) if number not in book.of(kind, seed, times)]
        if missing:
            await try_out(folder, where, kind, missing, seed, book)
        good &= report(kind, list(book.of(kind, seed, times).values()))
    return good


async def try_out(folder: Path, where: str, kind: str, numbers: list[int], seed: int, book: Book) -> None:
    async with serving(folder, "ab", LEASE) as servers:
        spare = Server("c", servers[0].cable, LEASE)
        for number in numbers:
            outcome = await attempt(kind, servers, spare, where, random.Random(f"{kind} {seed} {number}"))
            await mend(outcome.victim, spare)
            book.add(TrialResult(kind, seed, number, outcome.back, outcome.moves))
            print(f"\r{kind:6} {number + 1}", end="", file=sys.stderr, flush=True)


def report(kind: str, tried: list[TrialResult]) -> bool:
    """Print the results of one kind of fault; return whether recovery was fast enough."""
    back = [seconds for each in tried for seconds in each.back]
    late, moves = percentile(back, 0.99), sum(each.moves for each in tried)
    print(
        f"\r{kind:6} {len(tried)} times, {moves} moves acknowledged, {len(back)} tables back after "
        f"{percentile(back, 0.5):.2f} s (p50), {late:.2f} s (p99), {max(back, default=0):.2f} s (last)",
        flush=True,
    )
    return late < WITHIN


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kinds", nargs="*", default=[], metavar=f"{{{','.join(KINDS)}}}")
    parser.add_argument("--measure", action="store_true", help="what a move costs on one server and on two")
    parser.add_argument("--book", type=Path, help="a file to keep the outcomes in, and to go on from")
    asked = parser.parse_args()
    with private_postgres() as server:
        open_store(server.address).close()
        if asked.measure:
            asyncio.run(measure(server.folder, server.address, 10.0))
            return
        kinds = asked.kinds or list(KINDS)
        good = asyncio.run(run(server.folder, server.address, kinds, asked.times, asked.seed, Book(asked.book)))
    if not good:
        raise SystemExit(f"Not every table was back within {WITHIN:.0f} s at the 99th percentile.")


if __name__ == "__main__":
    main()
