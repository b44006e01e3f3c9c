"""Mutation testing of a game's rules: lists the mutants that no test detects."""

import argparse
import json
import os
import random
import sys
from collections import Counter
from pathlib import Path

import pytest

from . import loading
from .mutants import Mutant, mutants
from .trying import KILLED, LOADED, SURVIVED, Trying

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src" / "jamboree" / "games"
KEPT = ROOT / ".pytest_cache" / "mutants.jsonl"
EQUIVALENT = Path(__file__).parent / "equivalent"
LEFT_OUT = ("bots", "locale", "text", "board_text", "board_check", "crate", "imagining", "laws_at_the_edge")
LONGER = ("tests/contract/test_contract.py", "tests/fast/test_lockstep.py")  # too long to load them anew each time
CHOSEN = "not left_over and not plain_python and not games_end and (not test_law or conserved or independent)"
PLAIN = ["-n", "0", "-p", "no:cacheprovider", "-p", "no:terminal", "--assert=plain"]


def of_game(key: str) -> list[Mutant]:
    rules = sorted((GAMES / key / "rules").glob("*.py"))
    return [each for path in rules for each in mutants(f"jamboree.games.{key}.rules.{path.stem}", path)]


def equivalent(key: str) -> dict[str, str]:
    """Read which mutants play by the same rules, and why."""
    path = EQUIVALENT / f"{key}.json"
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def arguments(key: str, *more: str) -> list[str]:
    """Return the tests of a game's rules, the fastest first."""
    left_out = [f"--ignore=tests/games/{key}/test_{name}.py" for name in LEFT_OUT]
    return [*PLAIN, "tests/golden/test_golden.py", f"tests/games/{key}", *more, *left_out, "-k", f"{key} and {CHOSEN}"]


class Log:
    """The result of each mutant, saved at once so that an interrupted run resumes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.found: dict[str, str] = dict(json.loads(line) for line in lines)

    def add(self, mutant: Mutant, fate: str) -> None:
        name = f"{mutant.module.split('.')[2]} {mutant.name}"
        self.found[name] = fate
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([name, fate], ensure_ascii=False) + "\n")


def try_all(key: str, wanted: list[Mutant], log: Log, longer: tuple[str, ...]) -> None:
    """Try the mutants inside functions by swapping, and the others by loading the game anew for each."""
    inside = [mutant for mutant in wanted if mutant.function]
    if not (child := os.fork()):
        os.environ["LOCKSTEPS"] = "2000"
        trying = Trying(GAMES / key / "rules", inside, log.add)
        os._exit(int(pytest.main(arguments(key, *longer), plugins=[trying])))
    if os.waitpid(child, 0)[1]:
        sys.exit(f"The tests of {key} do not pass with the real rules.")
    fates = Log(log.path).found
    for mutant in wanted:
        if not mutant.function or fates.get(f"{key} {mutant.name}") == LOADED:
            log.add(mutant, SURVIVED if loading.survives(mutant, arguments(key)) else KILLED)


def report(key: str, every: list[Mutant], found: dict[str, str]) -> bool:
    """Say how many were killed, and name those that live and are not known to play by the same rules."""
    known, fates = equivalent(key), {mutant.name: found.get(f"{key} {mutant.name}") for mutant in every}
    alive = [name for name, fate in fates.items() if fate == SURVIVED and name not in known]
    counts = Counter(fate for fate in fates.values() if fate)
    same = counts[SURVIVED] - len(alive)
    print(
        f"{key}: {counts.total()} of {len(every)} mutants tried: "
        f"{counts[KILLED]} killed, {same} equivalent, {len(alive)} alive"
    )
    for name in alive:
        print(f"  {name}")
    return not alive


def drawn(key: str, every: list[Mutant], sample: int | None, again: bool, log: Log) -> list[Mutant]:
    """Choose untested mutants, or only survivors; the same number gives the same ones."""
    fates = {mutant.name: log.found.get(f"{key} {mutant.name}") for mutant in every}
    if again:
        return [mutant for mutant in every if fates[mutant.name] == SURVIVED]
    some = random.Random(key).sample(every, len(every))[:sample]
    return [mutant for mutant in some if fates[mutant.name] not in (KILLED, SURVIVED)]


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.mutation", description=__doc__)
    parser.add_argument("games", nargs="*", default=sorted(path.parent.name for path in GAMES.glob("*/rules")))
    parser.add_argument("--sample", type=int, help="how many of each game, drawn the same way each time")
    parser.add_argument("--file", type=Path, default=KEPT, help="where results are kept")
    parser.add_argument("--again", action="store_true", help="try only those that lived, once more")
    parser.add_argument(
        "--quick", action="store_true", help="leave out the contract suite and the comparison with the twin"
    )
    chosen = parser.parse_args()
    log, clean = Log(chosen.file), True
    for key in chosen.games:
        every = of_game(key)
        try_all(key, drawn(key, every, chosen.sample, chosen.again, log), log, () if chosen.quick else LONGER)
        clean &= report(key, every, Log(chosen.file).found)
    sys.exit(not clean)


if __name__ == "__main__":
    main()
