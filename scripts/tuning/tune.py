"""Tune how a level searches a game: optuna proposes numbers, and games among copies of the level below judge them.

    python scripts/tuning/tune.py boogie sharp --seats 4 --trials 30 --games 60

Needs optuna (`pip install optuna`). All proposals get the same luck; each is written down as it comes, and a run that
is repeated goes on. What wins was chosen for winning here: measure it anew with `jamboree rate`, whose luck is another.
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
from jamboree.lab.workers import workers

FIRST_SEED = 9_000_000  # the ladder's seeds are below
KEPT = Path(__file__).parent
MARGIN = 0.01  # of a win, for a point ahead: tells proposals apart that win equally often


def propose(trial: optuna.Trial, usual: Manner) -> Manner:
    """Let everything vary but the playouts, which say how strong a level is meant to be."""
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
    """Play one game; tell the share of the win and the points ahead. Seats take turns with the same luck."""
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


def worth(pool: Executor | None, plays: Any, games: int) -> tuple[float, float]:
    """Give the mean share and the mean margin."""
    ends = list(pool.map(plays, range(games), chunksize=4) if pool else map(plays, range(games)))
    shares, margins = zip(*ends, strict=True)
    return sum(shares) / games, sum(margins) / games


def tune(asked: argparse.Namespace, pool: Executor | None) -> None:
    level, below = asked.level, LEVELS[LEVELS.index(asked.level) - 1]
    usual = replace(manners(asked.game)[level], **({"playouts": asked.playouts} if asked.playouts else {}))
    kept = KEPT / f"{asked.game}-{level}-{asked.seats}.jsonl"
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
    study.enqueue_trial({name: getattr(usual, name) for name in NAMES})
    lines = [json.loads(line) for line in kept.read_text("utf-8").splitlines()] if kept.exists() else []

    def value(trial: optuna.Trial) -> float:
        manner = propose(trial, usual)
        if trial.number < len(lines) and lines[trial.number]["manner"] == msgspec.to_builtins(manner):
            share, ahead = lines[trial.number]["share"], lines[trial.number]["ahead"]
        else:
            share, ahead = worth(pool, partial(one_game, asked.game, asked.seats, below, manner), asked.games)
            line = {"share": share, "ahead": ahead, "games": asked.games, "among": below, "manner": manner}
            with kept.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
        print(f"{trial.number:3}  {share:.1%}  {ahead:+.1f}  {trial.params}", flush=True)
        return share + MARGIN * ahead

    study.optimize(value, n_trials=asked.trials)
    print("best:", study.best_params)


NAMES = ("fewest", "most", "each", "anywhere", "lean", "win_part", "spread")


def main(words: Sequence[str] | None = None) -> None:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("game")
    ask.add_argument("level", choices=("sharp", "star"))
    ask.add_argument("--seats", type=int, required=True)
    ask.add_argument("--trials", type=int, default=30)
    ask.add_argument("--games", type=int, default=60)
    ask.add_argument("--playouts", type=int)
    asked = ask.parse_args(words)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with workers() as pool:
        tune(asked, pool)


if __name__ == "__main__":
    main()
