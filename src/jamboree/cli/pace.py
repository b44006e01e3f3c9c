"""Random games as fast as they go: ours, and OpenSpiel's by the same loop."""

import random
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame

SEED = 1
CLONES = 2000
ELSEWHERE = ("python_tic_tac_toe", "hex(board_size=11)")

Contender = Callable[[], int]
"""Plays one random game to its end and says how many actions that took."""


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

    def one_game() -> int:
        state, actions = game.setup(seats, options, chance), 0
        while actors := game.to_act(state):
            if len(actors) == 1:
                (actor,) = actors
            else:
                actor = tuple(actors)[int(number() * len(actors))]
            offers = game.legal(state, actor)
            game.apply(state, actor, offers[int(number() * len(offers))].action, chance)
            actions += 1
        return actions

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

    def one_game() -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(number() * len(legal))])
            actions += 1
        return actions

    return one_game


def clone_time(game: AnyGame, seats: int) -> float:
    """Measure in seconds what a clone costs, half-way through a random game."""
    half = ours(game, seats)() // 2
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
