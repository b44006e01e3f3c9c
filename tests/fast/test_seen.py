"""Observations of a twin, and its determinizations."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from jamboree.core.chance import Seeded
from jamboree.fast import Batch, load, sources, twin_keys
from jamboree.games import find

DRAWN = 4000
POSITIONS = 8


def position(key: str, seats: int, options: Any, number: int) -> Any:
    """Play a random game up to a part of its length: the higher the number, the more of it."""
    length = sum(1 for _ in random_steps(key, seats, options, number))
    return next(islice(random_steps(key, seats, options, number), length * (number + 1) // (POSITIONS + 1), None))


def random_steps(key: str, seats: int, options: Any, number: int) -> Iterator[Any]:
    """Yield the state before each step."""
    game, rng, chance = find(key), random.Random(number), Seeded(number)
    state = game.setup(seats, options, chance)
    while acting := sorted(game.to_act(state), key=str):
        yield state
        actor = rng.choice(acting)
        game.apply(state, actor, rng.choice(list(game.legal(state, actor))).action, chance)


def imagined(key: str, view: Any, number: int) -> tuple[Any, Any, Any]:
    """Imagine many rows from a view, in the twin."""
    batch = Batch(key, games=DRAWN, seed=number, view=view)
    batch.check()
    return batch.masks, batch.smalls, batch.table


def hidden_set_ups(key: str) -> list[tuple[int, Any]]:
    info = find(key).info
    return [(info.seats[number % 2], options) for number, options in enumerate(info.samples)]


@pytest.mark.parametrize("key", twin_keys())
def test_determinizations_are_as_likely_as_in_the_reference(key: str) -> None:
    """Compare how often each number has each value; chi-square, with room for many comparisons."""
    game, compared = find(key), 0
    for number in range(POSITIONS):
        seats, options = hidden_set_ups(key)[number % len(hidden_set_ups(key))]
        state = position(key, seats, options, number)
        view, chance = game.view(state, 0), Seeded(number + 1)
        bridge = sources.bridge(key)
        theirs = in_parts(*zip(*(bridge.row_of(game.imagine(view, chance)) for _ in range(DRAWN // 4)), strict=True))
        ours = in_parts(*imagined(key, view, number)[:2])
        compared += compare(theirs, ours, f"position {number}")
    assert compared > 10


def in_parts(masks: Any, smalls: Any) -> Any:
    """Write rows as small numbers only: of each word every four bits by themselves."""
    words = np.array(masks, np.int64)[:, :, None] >> np.arange(0, 64, 4) & 15
    return np.concatenate([words.reshape(len(words), -1), np.array(smalls)], axis=1)


def compare(theirs: Any, ours: Any, what: str) -> int:
    """Count the numbers that vary, and fail if one of them does not vary alike."""
    varies = (theirs != theirs[0]).any(axis=0) | (ours != ours[0]).any(axis=0)
    assert (theirs[0] == ours[0])[~varies].all(), what
    return sum(
        differs_by_chance(Counter(theirs[:, at].tolist()), Counter(ours[:, at].tolist()), f"{what}, number {at}")
        for at in np.flatnonzero(varies)
    )


def differs_by_chance(theirs: Counter[int], ours: Counter[int], what: str) -> int:
    """Return whether there was anything to compare; fail if two samples have different distributions."""
    values = [value for value in {*theirs, *ours} if theirs[value] + ours[value] >= 20]
    if len({*theirs, *ours}) < 2 or len(values) < 2:
        assert len({*theirs, *ours}) > 1 or theirs.keys() == ours.keys(), what
        return 0
    n, m = theirs.total(), ours.total()
    distance = sum((theirs[v] * (m / n) ** 0.5 - ours[v] * (n / m) ** 0.5) ** 2 / (theirs[v] + ours[v]) for v in values)
    free = len(values) - 1
    assert distance < free + 6 * (2 * free) ** 0.5 + 12, f"{what}: chi-square {distance:.1f} with {free} degrees"
    return 1


@pytest.mark.parametrize("key", twin_keys())
def test_observations_contain_nothing_hidden(key: str) -> None:
    """Whatever a viewer may imagine looks the same to that viewer."""
    game = find(key)
    for number in range(POSITIONS):
        seats, options = hidden_set_ups(key)[number % len(hidden_set_ups(key))]
        state, bridge = position(key, seats, options, number), sources.bridge(key)
        seat = number % seats
        masks, smalls, t = imagined(key, game.view(state, seat), number)
        real = bridge.row_of(state)
        masks[0], smalls[0] = real
        seen = np.zeros((DRAWN, sources.layout(key).OBSERVED), np.int16)
        load(key).observe_rows(masks, smalls, t, seat, seen, 0, DRAWN)
        assert (seen == seen[0]).all()
        assert seen.any()
