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

from jamboree.bots import LEVELS, bot_factory
from jamboree.bots.interface import BotPlayer
from jamboree.bots.levels import base_bot
from jamboree.bots.search import SearchBot, SearchSettings, search_settings
from jamboree.core.chance import Seeded
from jamboree.core.play import Match, play
from jamboree.games import find
from jamboree.lab.ladder.fingerprint import fingerprint
from jamboree.lab.workers import workers

FIRST_SEED = 9_000_000  # above the seeds of the ladder
RESULTS = Path(__file__).parent
MARGIN_WEIGHT = 0.01  # of a win, for a point of margin; breaks ties between proposals that win equally often


def propose(trial: optuna.Trial, usual: SearchSettings) -> SearchSettings:
    """Propose everything but the playouts, which define the strength of a level."""
    return replace(
        usual,
        min_candidates=trial.suggest_int("min_candidates", 2, 12),
        max_candidates=trial.suggest_int("max_candidates", 12, 100, log=True),
        playouts_per_candidate=trial.suggest_int("playouts_per_candidate", 6, 60, log=True),
        shuffle_ties=trial.suggest_categorical("shuffle_ties", [False, True]),
        greedy_bonus=trial.suggest_float("greedy_bonus", 0.0, 0.08),
        win_weight=trial.suggest_float("win_weight", 0.0, 1.0),
        margin_scale=trial.suggest_float("margin_scale", 2.0, 40.0, log=True),
    )


def one_game(key: str, seats: int, below: str, settings: SearchSettings, number: int) -> tuple[float, float]:
    """Play one game; return the share of the win and the margin. The seats rotate with the same seed."""
    game, rng, seat = find(key), random.Random(FIRST_SEED + number // seats), number % seats
    match = Match(game, seats, game.info.options(), Seeded(rng.getrandbits(64)))
    seeds = [rng.getrandbits(64) for _ in range(seats)]
    players = [bot_factory(game, below)(seed) for seed in seeds]
    players[seat] = BotPlayer(SearchBot(key, base_bot(game, seeds[seat]), seeds[seat], settings), settings.budget)
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
    usual = search_settings(arguments.game)[level]
    if arguments.playouts:
        usual = replace(usual, playouts=arguments.playouts)
    results = RESULTS / f"{arguments.game}-{level}-{arguments.seats}.jsonl"
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=1))
    study.enqueue_trial({name: getattr(usual, name) for name in NAMES})
    about = {"games": arguments.games, "among": below, "code": code_of(arguments.game, level, below)}
    lines = stored_lines(results, about)

    def value(trial: optuna.Trial) -> float:
        settings = propose(trial, usual)
        if trial.number < len(lines) and lines[trial.number]["settings"] == msgspec.to_builtins(settings):
            share, ahead = lines[trial.number]["share"], lines[trial.number]["ahead"]
        else:
            share, ahead = evaluate(
                pool, partial(one_game, arguments.game, arguments.seats, below, settings), arguments.games
            )
            line = {"share": share, "ahead": ahead, "settings": settings, **about}
            with results.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
        print(f"{trial.number:3}  {share:.1%}  {ahead:+.1f}  {trial.params}", flush=True)
        return share + MARGIN_WEIGHT * ahead

    study.optimize(value, n_trials=arguments.trials)
    print("best:", study.best_params)


NAMES = (
    "min_candidates",
    "max_candidates",
    "playouts_per_candidate",
    "shuffle_ties",
    "greedy_bonus",
    "win_weight",
    "margin_scale",
)


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
