"""`make twins`: play many steps of every set-up in the reference and in its twin, on all cores, with a progress bar.

Results are stored as they come, so that a stopped run can be resumed unless either implementation has changed since.
"""

import json
import os
import sys
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import count, islice
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from jamboree.bots.fingerprint import contents, fingerprint_of, level_parts
from jamboree.fast import load, twin_keys
from jamboree.games import find

from .lockstep import play, samples

SetUp = tuple[str, int, int]
GAMES = 20  # played at a time by one worker
CORES = os.cpu_count() or 1
ROOT = Path(__file__).parents[2]
LOCKSTEP = Path(__file__).with_name("lockstep.py")
KEPT = ROOT / ".pytest_cache" / "twins.jsonl"


class Agreed:
    """The games that agreed before, by set-up and first number, for the forms of a game as they are now."""

    def __init__(self, path: Path) -> None:
        self.path, self.forms = path, {key: fingerprint(key) for key in twin_keys()}
        self.found: dict[SetUp, dict[int, Counter[str]]] = {}
        path.parent.mkdir(exist_ok=True)
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            form, (key, seats, sample), first, steps = json.loads(line)
            if form == self.forms[key]:
                self.found.setdefault((key, seats, sample), {})[first] = Counter(steps)

    def add(self, set_up: SetUp, first: int, steps: Counter[str]) -> None:
        self.found.setdefault(set_up, {})[first] = steps
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([self.forms[set_up[0]], set_up, first, steps]) + "\n")

    def steps(self, set_up: SetUp) -> Counter[str]:
        return sum(self.found.get(set_up, {}).values(), Counter())


def fingerprint(key: str) -> str:
    """Hash both forms of a game, what compiles the twin, and what compares the two."""
    game, package = find(key), ROOT / "src" / "jamboree"
    folders = [package / "core", *(package / "games" / key / name for name in ("box", "rules", "visibility"))]
    parts = [*level_parts(game, "champion"), *(part for folder in folders for part in contents(folder))]
    return fingerprint_of(game, [*parts, LOCKSTEP.read_bytes()])[:12]


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


def follow(pool: ProcessPoolExecutor, set_up: SetUp, steps: int, agreed: Agreed, bar: Progress) -> Counter[str]:
    """Play games of one set-up until enough steps agreed; the first difference is raised."""
    key, seats, sample = set_up
    task = bar.add_task(f"{key}, {seats} players, sample {sample}", total=steps)
    games = (first for first in count(0, GAMES) if first not in agreed.found.get(set_up, {}))
    running: dict[Future[Counter[str]], int] = {}
    while (done := agreed.steps(set_up)).total() < steps:
        bar.update(task, completed=done.total())
        for first in islice(games, 2 * CORES - len(running)):
            running[pool.submit(some_games, set_up, first)] = first
        for each in wait(running, return_when=FIRST_COMPLETED).done:
            agreed.add(set_up, running.pop(each), each.result())
    bar.update(task, completed=steps)
    return done


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for key in twin_keys():
        for loop in ("begin_rows", "step_rows", "actors", "list_legal", "rank"):
            getattr(load(key), loop)  # compiled once, before the workers want it
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    agreed = Agreed(KEPT)
    kinds: dict[str, Counter[str]] = {key: Counter() for key in twin_keys()}
    with Progress(*columns) as bar, ProcessPoolExecutor() as pool:
        for set_up in set_ups():
            kinds[set_up[0]] += follow(pool, set_up, steps, agreed, bar)
    for key, counted in kinds.items():
        shown = ", ".join(f"{kind} {number:,}" for kind, number in counted.most_common())
        print(f"{key}: {counted.total():,} steps agreed ({shown})")


if __name__ == "__main__":
    main()
