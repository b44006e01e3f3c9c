"""`make twins`: play many steps of every set-up in the reference and in its twin, on all cores, with a progress bar."""

import os
import sys
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from jamboree.fast import load, twin_keys
from jamboree.games import find

from .lockstep import play, samples

SetUp = tuple[str, int, int]
GAMES = 20  # played at a time by one worker


def some_games(set_up: SetUp, first: int) -> Counter[str]:
    """Play some games of a set-up; count the steps by kind of action."""
    key, seats, sample = set_up
    done: Counter[str] = Counter()
    for number in range(first, first + GAMES):
        done.update(play(key, seats, samples(key)[sample], number))
    return done


def set_ups() -> list[SetUp]:
    infos = {key: find(key).info for key in twin_keys()}
    return [
        (key, seats, sample)
        for key, info in infos.items()
        for seats in range(info.seats[0], info.seats[1] + 1)
        for sample in range(len(samples(key)))
    ]


def follow(pool: ProcessPoolExecutor, set_up: SetUp, steps: int, bar: Progress) -> Counter[str]:
    """Play games of one set-up until enough steps agreed; the first difference is raised."""
    key, seats, sample = set_up
    task = bar.add_task(f"{key}, {seats} players, sample {sample}", total=steps)
    done, games, cores = Counter[str](), count(0, GAMES), os.cpu_count() or 1
    running: set[Future[Counter[str]]] = set()
    while done.total() < steps:
        running |= {pool.submit(some_games, set_up, next(games)) for _ in range(2 * cores - len(running))}
        finished, running = wait(running, return_when=FIRST_COMPLETED)
        for each in finished:
            done += each.result()
        bar.update(task, completed=min(done.total(), steps))
    return done


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for key in twin_keys():
        for loop in ("begin_rows", "step_rows", "actors", "list_legal", "rank"):
            getattr(load(key), loop)  # compiled once, before the workers want it
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    kinds: dict[str, Counter[str]] = {key: Counter() for key in twin_keys()}
    with Progress(*columns) as bar, ProcessPoolExecutor() as pool:
        for set_up in set_ups():
            kinds[set_up[0]] += follow(pool, set_up, steps, bar)
    for key, counted in kinds.items():
        shown = ", ".join(f"{kind} {number:,}" for kind, number in counted.most_common())
        print(f"{key}: {counted.total():,} steps agreed ({shown})")


if __name__ == "__main__":
    main()
