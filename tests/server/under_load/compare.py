"""Load test of our server and boardgame.io's: `python -m tests.server.under_load.compare [TABLES RATE MOVES]`.

Both get the same number of tables for four and moves on the same schedule, one after the other, each with a core for
the server and one for the clients. Times are the clients', from a move until it is answered. Ours is on the disk by
then; the other server keeps matches in memory. `make beside` installs it first.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from .load import Round, serve
from .plan import QUIET, SHORT, Plan, within

PLAY = Path(__file__).parent / "beside" / "play.cjs"
USUAL = (50, 50, 3000)  # tables, moves a second, moves


class Figures(NamedTuple):
    """Of one server, in milliseconds."""

    moves: int
    rate: float
    p50: float
    p99: float
    work: float
    bytes: float

    def line(self, name: str, wanted: int) -> str:
        late = f"answered within {self.p50:.1f} ms (half) and {self.p99:.1f} ms (99 %)"
        work = f"{self.work:.2f} ms of work a move, {self.bytes:.0f} bytes a move and viewer"
        verdict = "" if self.rate >= SHORT * wanted else ", VOID: it fell short"
        return f"{name}: {self.moves} moves, {self.rate:.1f} a second of {wanted}{verdict}, {late}, {work}"


def theirs(plan: Plan) -> Figures:
    program = ["node", str(PLAY), str(plan.tables), str(plan.rate), str(plan.moves)]
    output = subprocess.run(program, capture_output=True, check=True, text=True).stdout
    return Figures(**json.loads(output.splitlines()[-1]))


def ours(plan: Plan) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        rounds, _ = asyncio.run(serve(plan, f"{folder}/tables.db", Path(folder)))
    return _figures(next(each for each in rounds if each.kind == QUIET))


def _figures(alone: Round) -> Figures:
    waits, traffic = alone.traffic.waits, alone.traffic
    p50, p99 = (within(waits, share) * 1000 for share in (50, 99))
    return Figures(len(waits), traffic.sent / traffic.seconds, p50, p99, alone.work * 1000, traffic.size)


def main() -> None:
    tables, rate, moves = map(int, sys.argv[1:4] or USUAL)
    plan = Plan(tables, rate, moves, rounds=1)
    known = {"boardgame.io": theirs(plan), "ours": ours(plan)}
    print(f"{plan.tables} tables of four, {plan.rate} moves a second")
    for name, figures in known.items():
        print(figures.line(name, plan.rate))
    their, our = known.values()
    ratios = f"work {their.work / our.work:.1f} times ours, 99 % within {their.p99 / our.p99:.1f} times as long"
    print(f"boardgame.io: {ratios}, {their.bytes / our.bytes:.1f} times the bytes")


if __name__ == "__main__":
    main()
