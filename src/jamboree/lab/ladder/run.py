"""Plays a ladder: games with a stored result are not played again, and every new result is stored at once."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any, NamedTuple

from jamboree.core.errors import Stalled
from jamboree.core.kit.reporting import GameResult

from ..simulate import play_one
from .results import LadderResult, append, read
from .schedule import LadderGame

AHEAD = 64  # games handed out before the first is back


class StoredResults(NamedTuple):
    """What a file of results has of the games that are wanted."""

    results: dict[str, LadderResult]
    outdated: int  # games that were played by other versions of the bots, or with other settings


def stored_results(path: Path, scheduled: Sequence[LadderGame]) -> StoredResults:
    every = read(path)
    results = {game.name: every[game.name] for game in scheduled if game.name in every}
    played_before = {name.rpartition("-")[0] for name in every.keys() - results.keys()}
    return StoredResults(results, sum(c.name not in results and c.pairing in played_before for c in scheduled))


def play_ladder(
    key: str,
    options: Any,
    scheduled: Sequence[LadderGame],
    path: Path,
    pool: Executor | None,
    done: Callable[[int], None],
    fresh: bool = False,
) -> list[tuple[LadderGame, LadderResult]]:
    """Play the games without a stored result, or all of them if `fresh`; return the results in order."""
    results = dict(stored_results(path, scheduled).results)
    if fresh:
        results.clear()
    missing = [game for game in scheduled if game.name not in results]
    done(len(scheduled) - len(missing))
    for game, record in _records(key, options, missing, pool):
        if record.failure is not None:
            raise Stalled(f"The game {game.name} has no end: {record.failure}")
        results[game.name] = append(path, game.name, record)
        done(1)
    return [(game, results[game.name]) for game in scheduled]


def _records(
    key: str, options: Any, ladder_games: list[LadderGame], pool: Executor | None
) -> Iterable[tuple[LadderGame, GameResult]]:
    if pool is None:
        for game in ladder_games:
            yield game, play_one(game.series(key, options), game.seed)
        return
    running: dict[Future[GameResult], LadderGame] = {}
    waiting = iter(ladder_games)
    while True:
        for game in waiting:
            running[pool.submit(play_one, game.series(key, options), game.seed)] = game
            if len(running) >= AHEAD:
                break
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()
