"""The games' own players choose as in their recorded games."""

import pytest

from . import greedy

SCENARIOS = [
    pytest.param(key, *about, id=f"{key} {about[0]}") for key in greedy.PLAYERS for about in greedy.scenarios(key)
]


@pytest.mark.parametrize(("key", "name", "bot", "sample", "seats"), SCENARIOS)
def test_greedy_games_equal_their_recordings(key: str, name: str, bot: str, sample: int, seats: int) -> None:
    assert greedy.choices(key, bot, sample, seats) == greedy.read(key)[name]


@pytest.mark.parametrize("key", greedy.PLAYERS)
def test_no_recording_is_unused(key: str) -> None:
    assert list(greedy.read(key)) == [name for name, *_ in greedy.scenarios(key)]
