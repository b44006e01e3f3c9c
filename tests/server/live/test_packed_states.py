"""Compressed states."""

import random
from typing import Any

import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, dump
from jamboree.core.journal import state_hash
from jamboree.games import all_games
from jamboree.server.live.positions import pack, unpack


@pytest.mark.parametrize("game", all_games().values(), ids=all_games().keys())
def test_packing_a_state_is_lossless_after_every_step(game: AnyGame) -> None:
    luck, chance = random.Random(4), Seeded(4)
    state = game.setup(4, game.info.options(), chance)
    for _ in range(60):
        if game.outcome(state):
            break
        again, packed = unpack(pack(state)), pack(state)
        assert (dump(again), state_hash(again)) == (dump(state), state_hash(state))
        assert all(getattr(again, name) is getattr(state, name) for name, _ in packed.components), "these are shared"
        assert len(packed.own) < len(dump(state)) / 2
        actor = luck.choice(sorted(game.to_act(state), key=str))
        offers: Any = game.legal(again, actor)
        assert list(offers) == list(game.legal(state, actor))
        state = again
        game.apply(state, actor, luck.choice(offers).action, chance, lambda event: None)
