"""Simulation of many games between bots, in this process or a pool; a seed always gives the same game."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Any

from jamboree.bots import bot_factory
from jamboree.core.chance import Seeded
from jamboree.core.errors import Stalled
from jamboree.core.game import AnyGame, Eye
from jamboree.core.kit.reporting import FinishedGame, GameResult, Series
from jamboree.core.offers import Offer
from jamboree.core.play import Match, Player, play
from jamboree.games import find

BATCH = 10  # games per task of a worker
LONGEST = 20_000  # decisions, after which a game counts as endless


class CountingPlayer:
    """Counts the decisions of a player, and aborts an endless game."""

    def __init__(self, player: Player, tally: list[int]) -> None:
        self.player, self.tally = player, tally

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        self.tally[0] += 1
        if self.tally[0] > LONGEST:
            raise Stalled(f"the game did not end after {LONGEST} decisions")
        return self.player.choose(view, offers)


def simulate(
    series: Series,
    seeds: Sequence[Any],
    pool: Executor | None = None,
    done: Callable[[int], None] = lambda games: None,
) -> list[GameResult]:
    """Play a game for each seed and return the results in order; `done` is called with numbers of finished games."""
    batches = [seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)]
    records: list[GameResult] = []
    results = pool.map(play_batch, [series] * len(batches), batches) if pool else map(_of(series), batches)
    for batch in results:
        records += batch
        done(len(batch))
    return records


def _of(series: Series) -> Callable[[Sequence[Any]], list[GameResult]]:
    return lambda seeds: play_batch(series, seeds)


def play_batch(series: Series, seeds: Sequence[Any]) -> list[GameResult]:
    return [play_one(series, seed) for seed in seeds]


def play_one(series: Series, seed: Any) -> GameResult:
    """Play one game; a failure is part of the result."""
    try:
        return _play(find(series.game), series, seed)
    except Exception as error:
        return GameResult(seed, failure=f"{type(error).__name__}: {error}")


def _play(game: AnyGame, series: Series, seed: Any) -> GameResult:
    rng, tally = random.Random(seed), [0]
    match = Match(game, len(series.bots), series.options, Seeded(rng.getrandbits(64)))
    players = [CountingPlayer(bot_factory(game, name)(rng.getrandbits(64)), tally) for name in series.bots]
    opening, steps = game.view(match.state, Eye.ALL), list[list[Any]]()
    if series.measure:
        match.listeners.append(lambda actor, action, events: steps.append(events))
    play(match, players, rng)
    outcome = game.outcome(match.state)
    if outcome is None:
        raise Stalled("no player is to act, but the game has no outcome")
    facts = None
    if series.measure:
        end = game.view(match.state, Eye.ALL)
        facts = series.measure(FinishedGame(opening, steps, end, outcome.winners, outcome.scores))
    return GameResult(seed, outcome.winners, outcome.scores, tally[0], facts)
