"""Run the attacks at full length, or those that are named, and print a table."""

import asyncio
import sys
import tempfile
from pathlib import Path

from .attacks import ATTACKS, Attack
from .running import Outcome, endured

SECONDS = 30.0
PROMISED = 0.1  # seconds, at p95


def line(attack: Attack, outcome: Outcome) -> str:
    times = "".join(f"{outcome.gets.at(share) * 1000:9.1f}" for share in (50, 95, 100))
    memory = f"{outcome.before:8.0f}{outcome.most:8.0f}"
    return f"{attack.name:<30}{attack.size:>6}{times}{outcome.pings.at(95) * 1000:9.1f}{outcome.gets.failed:7}{memory}"


def main() -> None:
    wanted = [attack for attack in ATTACKS if not sys.argv[1:] or any(name in attack.name for name in sys.argv[1:])]
    rows = []
    for attack in wanted:
        with tempfile.TemporaryDirectory() as folder:
            outcome = asyncio.run(endured(attack, attack.size, SECONDS, Path(folder)))
        rows.append(line(attack, outcome))
        print(rows[-1], "·", "; ".join(outcome.notes), flush=True)
    print(f"\n{'':36}{'p50 ms':>9}{'p95':>9}{'max':>9}{'ping p95':>9}{'failed':>7}{'MiB':>8}{'most':>8}")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
