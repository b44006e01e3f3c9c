"""A server, its disk and its people from one seed: no guarantee is broken under any fault."""

import os
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

from .world import World, simulate

SEEDS, EACH = 200, 10
ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("first", range(0, SEEDS, EACH))
def test_invariants_hold_under_faults(first: int) -> None:
    failed = [report for report in map(simulate, range(first, first + EACH)) if report.problems]
    assert failed == [], f"python -m tests.simulation --seed {failed[0].seed} --trace"


@pytest.mark.parametrize("seed", [3, 10])
def test_equal_seeds_give_equal_runs_in_another_process(seed: int) -> None:
    report = simulate(seed)
    command = [sys.executable, "-m", "tests.simulation", "--seed", str(seed)]
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        output = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=100).stdout
        assert f"trace {report.digest}" in output


def test_different_seeds_give_different_runs() -> None:
    assert len({simulate(seed).digest for seed in (19, 23, 29)}) == 3


def test_a_finished_run_leaks_no_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    worlds, created = weakref.WeakSet[World](), World.__init__

    def note(self: World, *args: object) -> None:
        worlds.add(self)
        created(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(World, "__init__", note)
    simulate(5)
    assert not worlds
