"""The players that games bring along choose what they chose when their games were recorded."""

import random
from typing import Any

import pytest

from jamboree.core.twin.chance import CHANCE, COUNTER, random_at, seed

from . import greedy

SCENARIOS = [
    pytest.param(key, *about, id=f"{key} {about[0]}") for key in greedy.PLAYERS for about in greedy.scenarios(key)
]


class Dice(random.Random):
    """A random generator that draws from a row of chance, as twins do."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.chance = [0] * CHANCE
        seed(self.chance, number, 0)

    def random(self) -> float:
        self.chance[COUNTER] += 1
        return random_at(self.chance, self.chance[COUNTER]) / (1 << 32)

    __call__ = random


def with_dice(game: Any, bot: str, seats: int, number: int) -> list[Any]:
    made = [game.bots()[bot](100 * number + seat) for seat in range(seats)]
    for seat, player in enumerate(made):
        player._random = Dice(100 * number + seat)
    return made


@pytest.mark.parametrize(("key", "name", "bot", "sample", "seats"), SCENARIOS)
def test_a_game_is_played_as_it_was_recorded(
    key: str, name: str, bot: str, sample: int, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(greedy, "players", with_dice)
    assert greedy.choices(key, bot, sample, seats) == greedy.read(key)[name]


@pytest.mark.parametrize("key", greedy.PLAYERS)
def test_nothing_is_left_over(key: str) -> None:
    assert list(greedy.read(key)) == [name for name, *_ in greedy.scenarios(key)]
