"""Runs the attacks at full length, prints a table, and fails if a guarantee is broken."""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

from .attacks import ATTACKS, Attack
from .running import Outcome, broken, endured

SECONDS = float(os.environ.get("JAMBOREE_SIEGE", "30"))  # of each attack


TITLES = (
    f"{'':36}{'alone':>8}{'p50 ms':>8}{'p95':>8}{'bound':>8}{'max':>9}{'ping':>8}{'failed':>8}"
    f"{'work':>7}{'MiB':>7}{'most':>7}{'bound':>7}"
)


def line(attack: Attack, outcome: Outcome) -> str:
    """Write an outcome: times in ms, of which alone and ping are p95; work as a share of a core; memory in MiB."""
    alone, ping = outcome.alone.at(95) * 1000, outcome.pings.at(95) * 1000
    p50, p95, slowest = (outcome.gets.at(share) * 1000 for share in (50, 95, 100))
    times = f"{alone:8.1f}{p50:8.1f}{p95:8.1f}{attack.within:8.0f}{slowest:9.1f}{ping:8.1f}{outcome.gets.failed:8}"
    memory = f"{outcome.before:7.0f}{outcome.most:7.0f}{attack.memory:7.0f}"
    return f"{attack.name:<30}{attack.size:>6}{times}{outcome.work:7.0%}{memory}"


def main() -> None:
    wanted = [attack for attack in ATTACKS if not sys.argv[1:] or any(name in attack.name for name in sys.argv[1:])]
    rows, complaints = [], []
    for attack in wanted:
        with tempfile.TemporaryDirectory() as folder:
            outcome = asyncio.run(endured(attack, attack.size, SECONDS, Path(folder)))
        rows.append(line(attack, outcome))
        complaints += [f"{attack.name}: {sentence}" for sentence in broken(attack, outcome)]
        print(rows[-1], "·", "; ".join(outcome.notes), flush=True)
    print("\n".join(["", TITLES, *rows]))
    if complaints:
        sys.exit("\n".join(["", "Promises were broken:", *complaints]))


if __name__ == "__main__":
    main()
