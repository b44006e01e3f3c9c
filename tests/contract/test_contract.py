"""Every law, over every discovered game, seat count and sample of options."""

from collections.abc import Callable
from functools import lru_cache

import pytest

from jamboree.core.game import AnyGame
from jamboree.games import all_games, keys, rejected_plugins, versions

from .laws import LAWS
from .record import Recorded, play_at_random
from .toy import HighCard

EARLIER = {f"{key}-{old.info.rules_version}": old for key in all_games() for old in versions(key)[1:]}
GAMES: dict[str, AnyGame] = {"high-card": HighCard(), **all_games(), **EARLIER}
SETUPS = [
    pytest.param(key, seats, sample, id=f"{key}-{seats}p-{sample}")
    for key, game in GAMES.items()
    for seats in range(game.info.seats[0], game.info.seats[1] + 1)
    for sample in range(len(game.info.samples))
]


@lru_cache(maxsize=4)
def recorded(key: str, seats: int, sample: int, seed: int) -> Recorded:
    return play_at_random(GAMES[key], seats, GAMES[key].info.samples[sample], seed)


@pytest.mark.parametrize("key", keys())
def test_every_package_loads(key: str) -> None:
    """The only test of a package that can't be loaded: it shows the reason."""
    assert versions(key)


@pytest.mark.parametrize("sentence", rejected_plugins())
def test_every_package_is_tested(sentence: str) -> None:
    pytest.fail(sentence)


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)  # changes first: a game is recorded once for all
@pytest.mark.parametrize(("key", "seats", "sample"), SETUPS)
def test_law(key: str, seats: int, sample: int, law: Callable[[Recorded], None]) -> None:
    law(recorded(key, seats, sample, seed=11))


@pytest.mark.parametrize(("key", "seats", "sample"), SETUPS)
def test_random_games_terminate(key: str, seats: int, sample: int) -> None:
    for seed in range(5):
        play_at_random(GAMES[key], seats, GAMES[key].info.samples[sample], seed)
