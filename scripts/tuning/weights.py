"""Tune what greedy players of a game go by: CMA-ES proposes weights, and many fast games judge each proposal.

    python scripts/tuning/weights.py bpm --seconds 120

Needs cma (`pip install cma`). A proposal plays against the weights there are now and against the last two that were
arrived at, on each seat in turn with the same luck. Every tenth generation is written down. What wins here makes a
better greedy player; whether a search is better for it, `jamboree rate` has to say.
"""

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import cma
import numpy
from msgspec.structs import asdict

from jamboree.fast import Batch, sources
from jamboree.lab.workers import workers

KEPT = Path(__file__).parent
MARGIN = 0.01  # of a win, for a point ahead: tells proposals apart that win equally often
EVERY, LAST = 10, 2  # generations between two notes; of what was arrived at, so many are played against
WIDTH = 0.5  # of a weight's usual size, by which proposals differ at first
SMALLEST = 10  # the usual size of a small weight, in hundredths

Weights = list[int]


def fitness(key: str, seats: int, games: int, against: Sequence[Weights], number: int, mine: Weights) -> Any:
    """Give the share of the wins and the mean margin of a player with some weights among players with others."""
    layout, ends = sources.layout(key), []
    for place, others in enumerate(against):
        for seat in range(seats):
            batch = Batch(key, seats, games=games // (seats * len(against)), seed=1000 * number + place, again=False)
            rows = numpy.array([mine if each == seat else others for each in range(seats)])
            batch.table[layout.WEIGHTS : layout.WEIGHTS + rows.size] = rows.ravel()
            batch.finish(greedy=True)
            margins = batch.scores[:, seat] - numpy.delete(batch.scores, seat, axis=1).max(axis=1)
            ends.append([(batch.winners[:, seat] / batch.winners.sum(axis=1)).mean(), margins.mean()])
    return numpy.mean(ends, axis=0)


def judged(plays: Any, proposals: list[Weights], pool: Executor | None) -> list[float]:
    """Give what is to become small."""
    return [-share - MARGIN * ahead for share, ahead in (pool.map if pool else map)(plays, proposals)]


def tune(asked: argparse.Namespace, pool: Executor | None) -> None:
    weights = import_module(f"jamboree.games.{asked.game}.bots.weights").GREEDY
    usual = numpy.array([*asdict(weights).values()], float)
    sizes = numpy.maximum(usual, SMALLEST) * WIDTH
    search = cma.CMAEvolutionStrategy(len(usual) * [0.0], 1.0, {"popsize": asked.proposals, "seed": 1, "verbose": -9})
    greedy, begun, number = _whole(usual), time.monotonic(), 0
    arrived = [greedy]
    plays = partial(fitness, asked.game, asked.seats)
    while time.monotonic() - begun < asked.seconds:
        points, number = search.ask(), number + 1
        against = [greedy, *arrived[1:][-LAST:]]
        proposals = [_whole(usual + sizes * point) for point in points]
        search.tell(points, judged(partial(plays, asked.games, against, number), proposals, pool))
        if number % EVERY == 0:
            arrived.append(_whole(usual + sizes * search.mean))
            share, ahead = plays(20 * asked.games, [greedy], 1_000_000 + number, arrived[-1])
            found = dict(zip(asdict(weights), arrived[-1], strict=True))
            _note(asked, {"generation": number, "share": round(share, 4), "ahead": round(ahead, 2), "weights": found})


def _note(asked: argparse.Namespace, line: dict[str, Any]) -> None:
    print(line, flush=True)
    with (KEPT / f"{asked.game}-weights-{asked.seats}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _whole(weights: Any) -> Weights:
    return [max(0, round(float(each))) for each in weights]


def main() -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("game")
    ask.add_argument("--seats", type=int, default=2)
    ask.add_argument("--seconds", type=float, default=120.0)
    ask.add_argument("--proposals", type=int, default=28)
    ask.add_argument("--games", type=int, default=3000)
    asked = ask.parse_args()
    with workers() as pool:
        tune(asked, pool)


if __name__ == "__main__":
    main()
