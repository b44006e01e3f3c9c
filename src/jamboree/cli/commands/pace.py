"""Random games as fast as they go: ours, and OpenSpiel's by the same loop."""

import random
from collections.abc import Callable
from itertools import count
from time import perf_counter
from typing import Any, NamedTuple

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame

SEED = 1
CLONES = 2000
TOGETHER = 64  # games of a twin that are played one after the other in one call
ELSEWHERE = ("python_tic_tac_toe", "hex(board_size=11)")

Contender = Callable[[], tuple[int, int]]
"""Plays random games to their ends and says how many actions that took, and how many games."""


class Round(NamedTuple):
    actions: int
    games: int
    seconds: float

    @property
    def pace(self) -> float:
        return self.actions / self.seconds

    @property
    def games_pace(self) -> float:
        return self.games / self.seconds


def ours(game: AnyGame, seats: int) -> Contender:
    chance, number, options = Seeded(SEED), random.Random(SEED).random, game.info.options()

    def one_game() -> tuple[int, int]:
        state, actions = game.setup(seats, options, chance), 0
        while actors := game.to_act(state):
            if len(actors) == 1:
                (actor,) = actors
            else:
                actor = tuple(actors)[int(number() * len(actors))]
            offers = game.legal(state, actor)
            game.apply(state, actor, offers[int(number() * len(offers))].action, chance)
            actions += 1
        return actions, 1

    return one_game


def theirs() -> dict[str, Contender]:
    """Set up the games of OpenSpiel, if it is there."""
    try:
        import open_spiel.python.games.tic_tac_toe  # noqa: F401  registers itself
        import pyspiel
    except ImportError:
        return {}
    return {name: _elsewhere(pyspiel.load_game(name)) for name in ELSEWHERE}


def _elsewhere(game: Any) -> Contender:
    number = random.Random(SEED).random

    def one_game() -> tuple[int, int]:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(number() * len(legal))])
            actions += 1
        return actions, 1

    return one_game


def twin(key: str, seats: int, greedy: bool = False) -> Contender:
    """Set up a game's fast twin on one core: games side by side, played at random or by greedy players."""
    from jamboree.fast import Simulation

    field, rounds = Simulation(key, seats, games=TOGETHER, threads=1), count(SEED)
    field.play(0, greedy)  # loads it, or compiles it

    def some_games() -> tuple[int, int]:
        return field.play(next(rounds), greedy), TOGETHER

    return some_games


def clone_time(game: AnyGame, seats: int) -> float:
    """Measure in seconds what a clone costs, half-way through a random game."""
    half = ours(game, seats)()[0] // 2
    chance, number = Seeded(SEED), random.Random(SEED).random
    state = game.setup(seats, game.info.options(), chance)
    for _ in range(half):
        actor = next(iter(game.to_act(state)), None)
        if actor is None:
            break
        offers = game.legal(state, actor)
        game.apply(state, actor, offers[int(number() * len(offers))].action, chance)
    start = perf_counter()
    for _ in range(CLONES):
        state.clone()
    return (perf_counter() - start) / CLONES
