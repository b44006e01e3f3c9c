"""Run simulations: `python -m tests.simulation --seed 123 --trace`, or `--seeds 10000` for the first ten thousand."""

import argparse
import gc
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator

from .nodes.story import simulate_nodes
from .stage import Report
from .world import simulate

Kind = Callable[..., Report]
AT_ONCE, ROUNDS = 4, 50  # seeds per batch, and batches per process: memory grows over thousands of simulations


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seed", type=int, help="one simulation")
    parser.add_argument("--trace", action="store_true", help="tell everything that happens in it")
    parser.add_argument("--seeds", type=int, default=1000, help="how many simulations")
    parser.add_argument("--first", type=int, default=0, help="the first seed of those")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--nodes", action="store_true", help="several servers on one database, not one on a disk")
    asked = parser.parse_args()
    kind: Kind = simulate_nodes if asked.nodes else simulate
    if asked.seed is not None:
        return _one(kind, asked.seed, asked.trace)
    return _many(kind, range(asked.first, asked.first + asked.seeds), asked.processes)


def _one(kind: Kind, seed: int, trace: bool) -> int:
    began, report = time.perf_counter(), kind(seed, print if trace else None)
    print(_told(report), f"in {time.perf_counter() - began:.2f} s; trace {report.digest}")
    for problem in report.problems:
        print(f"  {problem}")
    return bool(report.problems)


def _told(report: Report) -> str:
    verdict = "FAILED" if report.problems else "fine"
    return (
        f"seed {report.seed}: {verdict}, {report.seconds:.0f} virtual s, {report.records} records, {report.acked} acks"
    )


def run_all(kind: Kind, seeds: range, processes: int | None) -> Iterator[Report]:
    frozen = gc.freeze  # loaded modules are exempt from garbage collection after every seed
    context = multiprocessing.get_context("spawn")
    with context.Pool(processes, initializer=frozen, maxtasksperchild=ROUNDS) as pool:
        yield from pool.imap_unordered(kind, seeds, chunksize=AT_ONCE)


def _many(kind: Kind, seeds: range, processes: int | None) -> int:
    began, failed, virtual, records = time.perf_counter(), list[Report](), 0.0, 0
    for number, report in enumerate(run_all(kind, seeds, processes), 1):
        virtual, records = virtual + report.seconds, records + report.records
        if report.problems:
            failed.append(report)
            flag = "--nodes " if kind is simulate_nodes else ""
            again = f"python -m tests.simulation {flag}--seed {report.seed} --trace"
            print(f"\n{_told(report)}: {report.problems[0]}\n  {again}")
        if number % 50 == 0 or number == len(seeds):
            spent = time.perf_counter() - began
            print(f"\r{number} of {len(seeds)}, {len(failed)} failed, {spent:.0f} s", end="", flush=True)
    print(f"\n{virtual / 3600:.1f} hours of virtual time, {records} records")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
