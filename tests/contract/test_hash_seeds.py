"""Games do not depend on the order of sets: they play the same under different hash seeds."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def fingerprints(seed: int, *names: str) -> str:
    command = [sys.executable, "-m", "tests.contract.fingerprint", *names]
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True, timeout=300)
    return run.stdout


def test_games_are_independent_of_the_hash_seed() -> None:
    assert fingerprints(1) == fingerprints(2)


def test_dependence_on_the_hash_seed_is_detected() -> None:
    assert len({fingerprints(seed, "DependsOnHashOrder") for seed in range(6)}) > 1
