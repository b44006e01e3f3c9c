"""Tune the weights of a game's greedy players with CMA-ES; many fast games evaluate each proposal.

    python scripts/tuning/weights.py bpm --seconds 120

Needs cma (`pip install cma`). A proposal plays against the current weights and the last two checkpoints, on each seat
in turn with the same seeds. Every tenth generation is a checkpoint and is appended to a file. Better weights make a
better greedy player; measure with `jamboree rate` whether they also improve the search.
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

RESULTS = Path(__file__).parent
MARGIN_WEIGHT = 0.01  # of a win, for a point of margin; breaks ties between proposals that win equally often
CHECKPOINT_INTERVAL, OPPONENTS = 10, 2  # generations; checkpoints to play against
INITIAL_DEVIATION = 0.5  # of a weight's current size
MIN_SIZE = 10  # assumed for small weights, in hundredths

Weights = list[int]


def fitness(key: str, seats: int, games: int, against: Sequence[Weights], number: int, mine: Weights) -> Any:
    """Return the share of wins and the mean margin of a player against others with different weights."""
    layout, results = sources.layout(key), []
    for index, others in enumerate(against):
        for seat in range(seats):
            batch = Batch(key, seats, games=games // (seats * len(against)), seed=1000 * number + index, again=False)
            rows = numpy.array([mine if each == seat else others for each in range(seats)])
            batch.table[layout.WEIGHTS : layout.WEIGHTS + rows.size] = rows.ravel()
            batch.finish(greedy=True)
            margins = batch.scores[:, seat] - numpy.delete(batch.scores, seat, axis=1).max(axis=1)
            results.append([(batch.winners[:, seat] / batch.winners.sum(axis=1)).mean(), margins.mean()])
    return numpy.mean(results, axis=0)


def losses(plays: Any, proposals: list[Weights], pool: Executor | None) -> list[float]:
    """Return the values that CMA-ES minimizes."""
    return [-share - MARGIN_WEIGHT * ahead for share, ahead in (pool.map if pool else map)(plays, proposals)]


def tune(arguments: argparse.Namespace, pool: Executor | None) -> None:
    weights = import_module(f"jamboree.games.{arguments.game}.fast.weights").GREEDY
    usual = numpy.array([*asdict(weights).values()], float)
    sizes = numpy.maximum(usual, MIN_SIZE) * INITIAL_DEVIATION
    search = cma.CMAEvolutionStrategy(
        len(usual) * [0.0], 1.0, {"popsize": arguments.proposals, "seed": 1, "verbose": -9}
    )
    greedy, started, number = _to_integers(usual), time.monotonic(), 0
    checkpoints = [greedy]
    plays = partial(fitness, arguments.game, arguments.seats)
    while time.monotonic() - started < arguments.seconds:
        points, number = search.ask(), number + 1
        against = [greedy, *checkpoints[1:][-OPPONENTS:]]
        proposals = [_to_integers(usual + sizes * point) for point in points]
        search.tell(points, losses(partial(plays, arguments.games, against, number), proposals, pool))
        if number % CHECKPOINT_INTERVAL == 0:
            checkpoints.append(_to_integers(usual + sizes * search.mean))
            share, ahead = plays(20 * arguments.games, [greedy], 1_000_000 + number, checkpoints[-1])
            weights_now = dict(zip(asdict(weights), checkpoints[-1], strict=True))
            _append(
                arguments,
                {"generation": number, "share": round(share, 4), "ahead": round(ahead, 2), "weights": weights_now},
            )


def _append(arguments: argparse.Namespace, line: dict[str, Any]) -> None:
    print(line, flush=True)
    with (RESULTS / f"{arguments.game}-weights-{arguments.seats}.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def _to_integers(weights: Any) -> Weights:
    return [max(0, round(float(each))) for each in weights]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--proposals", type=int, default=28)
    parser.add_argument("--games", type=int, default=3000)
    arguments = parser.parse_args()
    with workers() as pool:
        tune(arguments, pool)


if __name__ == "__main__":
    main()
