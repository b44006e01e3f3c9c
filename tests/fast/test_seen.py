"""What a twin shows a seat, and what it imagines for one."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from jamboree.core.chance import Seeded
from jamboree.fast import Batch, load, sources, twin_keys
from jamboree.games import find

DRAWN = 4000
POSITIONS = 8


def positions(key: str, seats: int, options: Any, number: int, steps: int) -> Any:
    """Play some steps at random."""
    game, rng, chance = find(key), random.Random(number), Seeded(number)
    state = game.setup(seats, options, chance)
    for _ in range(steps):
        acting = sorted(game.to_act(state), key=str)
        if not acting:
            break
        actor = rng.choice(acting)
        game.apply(state, actor, rng.choice(list(game.legal(state, actor))).action, chance)
    return state


def imagined(key: str, view: Any, number: int) -> tuple[Any, Any, Any]:
    """Imagine many rows from a view, in the twin."""
    batch = Batch(key, games=DRAWN, seed=number, view=view)
    batch.check()
    return batch.masks, batch.smalls, batch.table


def hidden_set_ups(key: str) -> list[tuple[int, Any]]:
    info = find(key).info
    return [(info.seats[number % 2], options) for number, options in enumerate(info.samples)]


@pytest.mark.parametrize("key", twin_keys())
def test_what_is_imagined_is_as_likely_as_in_the_reference(key: str) -> None:
    """Compare how often each small number has each value; chi-square, with room for many comparisons."""
    game, compared = find(key), 0
    for number in range(POSITIONS):
        seats, options = hidden_set_ups(key)[number % len(hidden_set_ups(key))]
        state = positions(key, seats, options, number, 10 + 12 * number)
        if not game.to_act(state):
            continue
        view, chance = game.view(state, 0), Seeded(number + 1)
        bridge = sources.bridge(key)
        theirs = np.array([bridge.row_of(game.imagine(view, chance))[1] for _ in range(DRAWN // 4)])
        _, ours, _ = imagined(key, view, number)
        for at in range(ours.shape[1]):
            compared += differs_by_chance(
                Counter(theirs[:, at].tolist()), Counter(ours[:, at].tolist()), f"{number} {at}"
            )
    assert compared > 10


def differs_by_chance(theirs: Counter[int], ours: Counter[int], what: str) -> int:
    """Tell whether there was something to compare; fail if two samples can't be of one distribution."""
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
def test_a_seat_observes_nothing_that_its_view_hides(key: str) -> None:
    """Whatever a viewer may imagine looks the same to that viewer."""
    game = find(key)
    for number in range(POSITIONS):
        seats, options = hidden_set_ups(key)[number % len(hidden_set_ups(key))]
        state, bridge = positions(key, seats, options, number, 15 * number), sources.bridge(key)
        if not game.to_act(state):
            continue
        seat = number % seats
        masks, smalls, t = imagined(key, game.view(state, seat), number)
        real = bridge.row_of(state)
        masks[0], smalls[0] = real
        seen = np.zeros((DRAWN, sources.layout(key).OBSERVED), np.int16)
        load(key).observe_rows(masks, smalls, t, seat, seen, 0, DRAWN)
        assert (seen == seen[0]).all()
        assert seen.any()
