"""Every twin agrees with its reference at every step."""

import os
import random
from collections import Counter

import pytest

from jamboree.core.chance import Seeded
from jamboree.core.play import Match
from jamboree.core.play import play as play_match
from jamboree.fast import load, twin_keys
from jamboree.games import find

from . import lockstep

STEPS = int(os.environ.get("LOCKSTEPS", 20_000))  # for each game; `make twins` goes much further
SET_UPS = [(key, seats) for key in twin_keys() for seats in range(find(key).info.seats[0], find(key).info.seats[1] + 1)]


def test_every_game_has_a_twin() -> None:
    assert {"bebop", "boogie"} <= {*twin_keys()}


@pytest.mark.parametrize(("key", "seats"), SET_UPS)
def test_twin_and_reference_agree_in_random_games(key: str, seats: int) -> None:
    samples, kinds, number = lockstep.samples(key), Counter[str](), 0
    share = STEPS // sum(1 for each, _ in SET_UPS if each == key)
    while kinds.total() < share or number < len(samples):
        kinds.update(lockstep.play(key, seats, samples[number % len(samples)], number))
        number += 1
    assert kinds.total() >= share


@pytest.mark.parametrize(("key", "seats"), SET_UPS)
def test_twin_and_reference_agree_in_greedy_games(key: str, seats: int) -> None:
    """Random play rarely gets to the fine points."""
    game = find(key)
    for number, options in enumerate(lockstep.samples(key)):
        bots = [game.bots()["greedy"](number * 10 + seat) for seat in range(seats)]
        match = Match(game, seats, options, Seeded(number))
        play_match(match, bots, random.Random(number))
        assert lockstep.replay(match.journal()) > 0


@pytest.mark.parametrize("key", twin_keys())
def test_the_interpreted_twin_agrees_too(key: str) -> None:
    game = find(key)
    assert sum(1 for _ in lockstep.play(key, game.info.seats[1], game.info.samples[-1], 1, load(key, "python"))) > 50
