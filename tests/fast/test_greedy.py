"""The greedy twin chooses what the greedy bot chooses, when their dice are the same."""

import random
from typing import Any

import numpy as np
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.play import WAIT
from jamboree.core.twin.chance import CHANCE, COUNTER, random_at, seed
from jamboree.fast import load, sources, twin_keys
from jamboree.games import find

from .lockstep import numbered

DECISIONS = 1000
GREEDY = "greedy"
PLAYERS = [*((key, GREEDY) for key in twin_keys()), ("bpm", "learnt")]  # by game, and the weights they go by


class Dice(random.Random):
    """A bot's dice from a row of chance, so that the twin can have the same ones."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.chance = [0] * CHANCE
        seed(self.chance, number, 0)

    def random(self) -> float:
        self.chance[COUNTER] += 1
        return random_at(self.chance, self.chance[COUNTER]) / (1 << 32)

    __call__ = random


class Thinker:
    """The twin's greedy player, asked about states of the reference."""

    def __init__(self, key: str, seats: int, options: Any, weights: str) -> None:
        self.twin, self.bridge = load(key), sources.bridge(key)
        self.t, layout = np.array(self.bridge.table(seats, options), np.int64), sources.layout(key)
        if weights != GREEDY:
            self.bridge.weigh_by(self.t, weights)
        self.scratch, self.ids = np.zeros(layout.SCRATCH), np.zeros(1, np.int64)
        self.memory = getattr(layout, "MEMORY", layout.SMALLS)  # from here on: what players keep in mind, if anything
        self.mind = [0] * (layout.SMALLS - self.memory)

    def choose(self, state: Any, actor: int, dice: Dice) -> int:
        masks, smalls = self.bridge.row_of(state)
        smalls[self.memory :] = self.mind
        row = np.array([masks], np.int64), np.array([smalls], np.int16), np.array([dice.chance], np.int64)
        self.twin.decide_rows(*row, self.t, np.array([actor]), self.scratch, self.ids, 0, 1)
        self.mind = row[1][0, self.memory :].tolist()
        return int(self.ids[0])


@pytest.mark.parametrize(("key", "weights"), PLAYERS)
def test_the_greedy_twin_chooses_as_the_bot(key: str, weights: str) -> None:
    game, decisions, number = find(key), 0, 0
    while decisions < DECISIONS:
        for options in game.info.samples:
            for seats in range(game.info.seats[0], game.info.seats[1] + 1):
                decisions += same_choices(game, seats, options, weights, number)
            number += 1


def same_choices(game: Any, seats: int, options: Any, weights: str, number: int) -> int:
    """Let bots play a game, and ask the twin beside each of their choices."""
    rng, chance, dice = random.Random(number), Seeded(number), Dice(number)
    bots, thinker = [game.bots()[weights](1) for _ in range(seats)], Thinker(game.info.key, seats, options, weights)
    for bot in bots:
        bot._random = dice
    state, decisions = game.setup(seats, options, chance), 0
    ids = {id(action): at for at, action in enumerate(game.actions(state))}
    while acting := game.to_act(state):
        actor = rng.choice(sorted(acting, key=numbered))
        offers = game.legal(state, actor)
        if isinstance(actor, int):
            ours = thinker.choose(state, actor, dice)
            action = bots[actor].choose(game.view(state, actor), offers)
            by_value = {offer.action: ids[id(offer.action)] for offer in offers}
            assert ours == (-1 if action is WAIT else by_value[action]), f"{action}, decision {decisions}"
            action = rng.choice(list(offers)).action if action is WAIT else action
            decisions += 1
        else:
            action = offers[0].action
        game.apply(state, actor, action, chance)
    return decisions
