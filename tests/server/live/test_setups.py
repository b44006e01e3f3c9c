"""Stored set-ups: small, shared if equal, and verified."""

import random

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.game import dump
from jamboree.games import find
from jamboree.server.live.positions import PackedPicks, position_from, shared_options
from jamboree.server.store.store import Store

from ..bench.local import EVERY, Client, a_registry, play_on, started


def test_picks_survive_compression() -> None:
    for key, seats in (("bebop", 4), ("bpm", 3), ("boogie", 5)):
        game, chance = find(key), Recorded(Seeded(5))
        game.setup(seats, game.info.options(), chance)
        assert PackedPicks.of(chance.picks).picks == chance.picks


def test_equal_setups_share_components() -> None:
    game, set_ups = find("bebop"), list[int]()
    states = [game.setup(3, game.info.options(), Seeded(seed)) for seed in range(3)]

    def set_up() -> object:
        set_ups.append(1)
        return states[0]

    read = [position_from(dump(state), game, 3, {"about": "this test"}, set_up) for state in states]
    assert [dump(state) for state in read] == [dump(state) for state in states]
    assert len(set_ups) == 1


async def test_equal_options_are_stored_once(store: Store) -> None:
    one, other = ({"board": "".join(["hexes "] * 100), "star": True} for _ in range(2))
    assert one["board"] is not other["board"]
    assert shared_options(one) == one and shared_options(one) is shared_options(other)
    async with a_registry(store, EVERY) as registry:
        tables = [await started(registry, "bebop", 2) for _ in range(2)]
        codes = [clients[0].session.code for clients in tables]
        for clients in tables:
            await play_on(clients, random.Random(3), 40)
            await registry.unload(clients[0].session.code)
        first, second = [(await registry.table(code)).state.roster.options for code in codes]
        assert first is second, "also when they are read from a snapshot"


async def test_a_sealed_beginning_survives_a_restart(store: Store) -> None:
    for game, is_sealed in (("bebop", False), ("bpm", True), ("boogie", True)):
        async with a_registry(store, EVERY, seed=3) as registry:
            clients = await started(registry, game, 3)
            code, token = clients[0].session.code, clients[0].token
            await play_on(clients, random.Random(3), 40)
            table = await registry.table(code)
            assert table.state.begins_sealed == is_sealed
        async with a_registry(store, EVERY, seed=3) as registry:
            again = Client(registry, code, token)
            await again.hello()
            assert (await registry.table(code)).state.begins_sealed == is_sealed
