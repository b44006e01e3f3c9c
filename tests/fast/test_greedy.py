"""The compiled greedy player chooses like the uncompiled one, from its seat's view only."""

import random
from typing import Any

import numpy as np
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.play import WAIT
from jamboree.core.twin.greedy_player import GreedyPlayer
from jamboree.fast import load, sources, twin_keys
from jamboree.games import find

from .lockstep import numbered

DECISIONS = 1000
PLAYERS = [*((key, "greedy") for key in twin_keys()), ("bpm", "learnt"), ("boogie", "silent"), ("boogie", "liar")]


class Compiled:
    """The compiled decision function, asked about states of the reference in place of a player."""

    def __init__(self, key: str) -> None:
        self.twin, self.bridge, self.layout = load(key), sources.bridge(key), sources.layout(key)
        self.scratch, self.ids = np.zeros(self.layout.SCRATCH), np.zeros(1, np.int64)

    def choose(self, player: GreedyPlayer, state: Any, actor: int) -> int:
        masks, smalls = self.bridge.row_of(state)
        if player.memory:
            smalls[self.layout.MEMORY :] = player.memory
        table = np.array(player.table(self.bridge.table_for(state)), np.int64)
        row = np.array([masks], np.int64), np.array([smalls], np.int16), np.array([player.chance], np.int64)
        self.twin.decide_rows(*row, table, np.array([actor]), self.scratch, self.ids, 0, 1)
        return int(self.ids[0])


@pytest.mark.parametrize(("key", "name"), PLAYERS)
def test_compiled_and_interpreted_greedy_players_agree(key: str, name: str) -> None:
    game, decisions, number = find(key), 0, 0
    while decisions < DECISIONS:
        for options in game.info.samples:
            for seats in range(game.info.seats[0], game.info.seats[1] + 1):
                decisions += same_choices(game, seats, options, name, number)
            number += 1


def same_choices(game: Any, seats: int, options: Any, name: str, number: int) -> int:
    """Let players play a game, and ask the compiled one before each of their choices."""
    rng, chance, compiled = random.Random(number), Seeded(number), Compiled(game.info.key)
    players: list[GreedyPlayer] = [game.bots()[name](10 * number + seat) for seat in range(seats)]
    state, decisions = game.setup(seats, options, chance), 0
    ids = {action: at for at, action in enumerate(game.actions(state))}
    while acting := game.to_act(state):
        actor = rng.choice(sorted(acting, key=numbered))
        offers = game.legal(state, actor)
        if isinstance(actor, int):
            asked = compiled.choose(players[actor], state, actor)
            action = players[actor].choose(game.view(state, actor), offers)
            assert asked == (-1 if action is WAIT else ids[action]), f"{action}, decision {decisions}"
            action = rng.choice(list(offers)).action if action is WAIT else action
            decisions += 1
        else:
            action = offers[0].action
        game.apply(state, actor, action, chance)
    return decisions
