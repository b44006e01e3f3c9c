"""Tune the search settings of a level with optuna: each proposal plays games against copies of the level below.

    python scripts/tuning/tune.py boogie sharp --seats 4 --trials 30 --games 60

Needs optuna (`pip install optuna`). All proposals play with the same seeds. Each is appended to a file, from which a
repeated run continues, unless the bots have changed. The best proposal is biased by the selection: measure it with
`jamboree rate`, which uses other seeds.
"""

import argparse
import json
import random
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import optuna
from msgspec.structs import replace

from jamboree.bots import LEVELS, maker
from jamboree.bots.deciding import Seated
from jamboree.bots.levels import instinct
from jamboree.bots.search import Manner, Searcher, manners
from jamboree.core.chance import Seeded
from jamboree.core.play import Match, play
from jamboree.games import find
from jamboree.lab.ladder.fingerprint import fingerprint
from jamboree.lab.workers import workers

FIRST_SEED = 9_000_000  # above the seeds of the ladder
RESULTS = Path(__file__).parent
MARGIN_WEIGHT = 0.01  # of a win, for a point of margin; breaks ties between proposals that win equally often


def propose(trial: optuna.Trial, usual: Manner) -> Manner:
    """Propose everything but the playouts, which define the strength of a level."""
    return replace(
        usual,
        fewest=trial.suggest_int("fewest", 2, 12),
        most=trial.suggest_int("most", 12, 100, log=True),
        each=trial.suggest_int("each", 6, 60, log=True),
        anywhere=trial.suggest_categorical("anywhere", [False, True]),
        lean=trial.suggest_float("lean", 0.0, 0.08),
        win_part=trial.suggest_float("win_part", 0.0, 1.0),
        spread=trial.suggest_float("spread", 2.0, 40.0, log=True),
    )


def one_game(key: str, seats: int, below: str, manner: Manner, number: int) -> tuple[float, float]:
    """Play one game; return the share of the win and the margin. The seats rotate with the same seed."""
    game, rng, seat = find(key), random.Random(FIRST_SEED + number // seats), number % seats
    match = Match(game, seats, game.info.options(), Seeded(rng.getrandbits(64)))
    seeds = [rng.getrandbits(64) for _ in range(seats)]
    players = [maker(game, below)(seed) for seed in seeds]
    players[seat] = Seated(Searcher(key, instinct(game, seeds[seat]), seeds[seat], manner), manner.budget)
    play(match, players, rng)
    outcome = game.outcome(match.state)
    assert outcome
    share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    return share, outcome.scores[seat] - max(outcome.scores[:seat] + outcome.scores[seat + 1 :])


def evaluate(pool: Executor | None, plays: Any, games: int) -> tuple[float, float]:
    """Return the mean share of wins and the mean margin."""
    results = list(pool.map(plays, range(games), chunksize=4) if pool else map(plays, range(games)))
    shares, margins = zip(*results, strict=True)
    return sum(shares) / games, sum(margins) / games


def code_of(key: str, level: str, below: str) -> str:
    """Return the fingerprint of the code and settings of both levels."""
    return "-".join(fingerprint(find(key), name)[:12] for name in (level, below))


def stored_lines(path: Path, about: dict[str, Any]) -> list[dict[str, Any]]:
    """Read the proposals that were evaluated by the same code in as many games against the same level."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    return [line for line in lines if about.items() <= line.items()]


def tune(arguments: argparse.Namespace, pool: Executor | None) -> None:
    level, below = arguments.level, LEVELS[LEVELS.index(arguments.level) - 1]
    usual = replace(manners(arguments.game)[level], **({"playouts": arguments.playouts} if arguments.playouts else {}))
    results = RESULTS / f"{arguments.game}-{level}-{arguments.seats}.jsonl"
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
    study.enqueue_trial({name: getattr(usual, name) for name in NAMES})
    about = {"games": arguments.games, "among": below, "code": code_of(arguments.game, level, below)}
    lines = stored_lines(results, about)

    def value(trial: optuna.Trial) -> float:
        manner = propose(trial, usual)
        if trial.number < len(lines) and lines[trial.number]["manner"] == msgspec.to_builtins(manner):
            share, ahead = lines[trial.number]["share"], lines[trial.number]["ahead"]
        else:
            share, ahead = evaluate(
                pool, partial(one_game, arguments.game, arguments.seats, below, manner), arguments.games
            )
            line = {"share": share, "ahead": ahead, "manner": manner, **about}
            with results.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
        print(f"{trial.number:3}  {share:.1%}  {ahead:+.1f}  {trial.params}", flush=True)
        return share + MARGIN_WEIGHT * ahead

    study.optimize(value, n_trials=arguments.trials)
    print("best:", study.best_params)


NAMES = ("fewest", "most", "each", "anywhere", "lean", "win_part", "spread")


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("level", choices=("sharp", "star"))
    parser.add_argument("--seats", type=int, required=True)
    parser.add_argument("--trials", type=int, default=30)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--playouts", type=int)
    arguments = parser.parse_args(words)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with workers() as pool:
        tune(arguments, pool)


if __name__ == "__main__":
    main()
