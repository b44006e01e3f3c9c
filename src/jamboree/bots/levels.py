"""How well a bot plays, by words that mean the same in every game."""

import random
from collections.abc import Sequence
from typing import Any, Literal, get_args

from jamboree.core.game import AnyGame
from jamboree.core.offers import Offer
from jamboree.core.play import WAIT, Player

from .random_bot import RandomBot

Level = Literal["rookie", "regular"]
LEVELS: tuple[Level, ...] = get_args(Level)

FAVOURITE = "greedy"  # what a game calls the best player it brings along
SLIPS = 0.35  # of a rookie's choices are made without a thought


class Rookie:
    """Knows what a better player would do, and now and then takes something else."""

    def __init__(self, better: Player, seed: int | None = None) -> None:
        self.better = better
        self._random = random.Random(seed)
        self._whim = RandomBot(self._random.getrandbits(64))

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        action = self.better.choose(view, offers)
        if action is WAIT or self._random.random() >= SLIPS:
            return action
        return self._whim.choose(view, offers)


def player(game: AnyGame, level: Level, seed: int | None = None) -> Player:
    """Make a player of a level; without players of its own a game has random ones."""
    better: Player = game.bots().get(FAVOURITE, RandomBot)(seed)
    return Rookie(better, seed) if level == "rookie" else better
