"""Damaged rows are detected before rules read or write out of bounds."""

import random
from typing import Any

import pytest

from jamboree.core.twin.chance import CHANCE, seed
from jamboree.fast import load, sources, twin_keys
from jamboree.games import find

Position = tuple[list[int], list[int], list[int]]
LOWEST, HIGHEST = -(1 << 15), (1 << 15) - 1
CHANGES = 1500  # tried on positions of every game


def positions(key: str, seats: int, options: Any) -> list[Position]:
    """Play a random game, and keep some of its rows, the last one too."""
    twin, layout, rng, kept = load(key, "python"), sources.layout(key), random.Random(1), []
    m, s, c, t = [0] * layout.MASKS, [0] * layout.SMALLS, [0] * CHANCE, sources.bridge(key).table(seats, options)
    twin.begin(m, s, c, t, 1, 0)
    while acting := twin.actors(m, s, t):
        assert twin.sound(m, s, t)
        kept += [([*m], [*s], t)] if rng.random() < 0.1 else []
        actor = twin.nth_in_word(acting, rng.randrange(acting.bit_count()))
        twin.apply(m, s, c, t, actor, twin.random_legal(m, s, c, t, actor))
    return [*kept, (m, s, t)]


def some_positions(key: str) -> list[Position]:
    info = find(key).info
    return [
        each for number, options in enumerate(info.samples) for each in positions(key, info.seats[~number % 2], options)
    ]


@pytest.mark.parametrize("key", twin_keys())
def test_every_number_out_of_bounds_is_detected(key: str) -> None:
    twin, layout = load(key, "python"), sources.layout(key)
    info = find(key).info
    for m, s, t in random.Random(1).sample(positions(key, info.seats[1], info.options()), 4):
        for at in range(getattr(layout, "MEMORY", layout.SMALLS)):
            for wrong in (LOWEST, HIGHEST):
                damaged = [*s]
                damaged[at] = wrong
                assert not twin.sound(m, damaged, t), f"small number {at} is {wrong}"


@pytest.mark.parametrize("key", twin_keys())
def test_rows_that_pass_validation_can_be_played(key: str) -> None:
    """No change that goes unnoticed makes rules leave their arrays."""
    twin, layout, rng, passed = load(key, "python"), sources.layout(key), random.Random(2), 0
    found = some_positions(key)
    for _ in range(CHANGES):
        m, s, t = ([*part] for part in rng.choice(found))
        if rng.random() < 0.3:
            m[rng.randrange(layout.MASKS)] ^= 1 << rng.randrange(62)
        else:
            s[rng.randrange(getattr(layout, "MEMORY", layout.SMALLS))] += rng.choice((-2, -1, 1, 2, 7, 77, 500))
        if twin.sound(m, s, t):
            passed += 1
            play_on(twin, Strict(m), Strict(s), t, rng)
    assert passed > 20


class Strict(list[int]):
    """A row without places before its first one."""

    def __getitem__(self, at: Any) -> Any:
        if at < 0:
            raise IndexError(at)
        return super().__getitem__(at)


def play_on(twin: Any, m: list[int], s: list[int], t: list[int], rng: random.Random) -> None:
    c = [0] * CHANCE
    seed(c, 1, 0)
    for _ in range(40):
        if acting := twin.actors(m, s, t):
            actor = twin.nth_in_word(acting, rng.randrange(acting.bit_count()))
            if count := twin.count_legal(m, s, t, actor):
                twin.apply(m, s, c, t, actor, twin.nth_legal(m, s, t, actor, rng.randrange(count)))
