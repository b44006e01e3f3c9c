"""A ladder played: what is kept is not played again, and everything new is kept at once."""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED as ONE
from concurrent.futures import Executor, Future, wait
from pathlib import Path
from typing import Any

from jamboree.core.errors import Stalled
from jamboree.core.kit.reporting import Record

from ..simulate import play_one
from .contests import Game
from .keeping import Kept, keep, read

AHEAD = 64  # games handed out before the first is back


def played(
    key: str, options: Any, games: Iterable[Game], path: Path, pool: Executor | None, done: Callable[[int], None]
) -> list[tuple[Game, Kept]]:
    """Play what is missing, and give all games in their order."""
    wanted, kept = list(games), read(path)
    missing = [game for game in wanted if game.name not in kept]
    done(len(wanted) - len(missing))
    for game, record in _results(key, options, missing, pool):
        if record.failure is not None:
            raise Stalled(f"The game {game.name} has no end: {record.failure}")
        kept[game.name] = keep(path, game.name, record)
        done(1)
    return [(game, kept[game.name]) for game in wanted]


def _results(key: str, options: Any, games: list[Game], pool: Executor | None) -> Iterable[tuple[Game, Record]]:
    if pool is None:
        for game in games:
            yield game, play_one(game.series(key, options), game.seed)
        return
    running: dict[Future[Record], Game] = {}
    waiting = iter(games)
    while True:
        for game in waiting:
            running[pool.submit(play_one, game.series(key, options), game.seed)] = game
            if len(running) >= AHEAD:
                break
        if not running:
            return
        for future in wait(running, return_when=ONE).done:
            yield running.pop(future), future.result()
