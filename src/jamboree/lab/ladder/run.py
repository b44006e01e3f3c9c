"""Plays a ladder: games with a stored result are not played again, and every new result is stored at once."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import Any, NamedTuple

from jamboree.core.errors import Stalled
from jamboree.core.kit.reporting import Record

from ..simulate import play_one
from .contests import Contest
from .results import Result, append, read

AHEAD = 64  # games handed out before the first is back


class Stored(NamedTuple):
    """What a file of results has of the games that are wanted."""

    results: dict[str, Result]
    outdated: int  # games that were played by other versions of the bots, or with other settings


def stored(path: Path, wanted: Sequence[Contest]) -> Stored:
    every = read(path)
    results = {contest.name: every[contest.name] for contest in wanted if contest.name in every}
    played_before = {name.rpartition("-")[0] for name in every.keys() - results.keys()}
    return Stored(results, sum(c.name not in results and c.pairing in played_before for c in wanted))


def played(
    key: str,
    options: Any,
    wanted: Sequence[Contest],
    path: Path,
    pool: Executor | None,
    done: Callable[[int], None],
    fresh: bool = False,
) -> list[tuple[Contest, Result]]:
    """Play the games without a stored result, or all of them if `fresh`; return the results in order."""
    results = dict(stored(path, wanted).results)
    if fresh:
        results.clear()
    missing = [contest for contest in wanted if contest.name not in results]
    done(len(wanted) - len(missing))
    for contest, record in _records(key, options, missing, pool):
        if record.failure is not None:
            raise Stalled(f"The game {contest.name} has no end: {record.failure}")
        results[contest.name] = append(path, contest.name, record)
        done(1)
    return [(contest, results[contest.name]) for contest in wanted]


def _records(
    key: str, options: Any, contests: list[Contest], pool: Executor | None
) -> Iterable[tuple[Contest, Record]]:
    if pool is None:
        for contest in contests:
            yield contest, play_one(contest.series(key, options), contest.seed)
        return
    running: dict[Future[Record], Contest] = {}
    waiting = iter(contests)
    while True:
        for contest in waiting:
            running[pool.submit(play_one, contest.series(key, options), contest.seed)] = contest
            if len(running) >= AHEAD:
                break
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            yield running.pop(future), future.result()
