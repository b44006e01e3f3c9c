"""Levels mean the same in every game: both play by the rules, and a regular is better than a rookie."""

import random

import pytest

from jamboree.bots import LEVELS, player
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.core.play import Match, play
from jamboree.games import all_games
from tests.contract.toy import HighCard

from .test_bots import Lawful

SEVERAL: list[AnyGame] = [*all_games().values(), HighCard()]
EVERY = [pytest.param(game, id=game.info.key) for game in SEVERAL]
GAMES = 40


@pytest.mark.parametrize("game", EVERY)
def test_every_level_plays_what_is_on_offer_to_the_end(game: AnyGame) -> None:
    for options in game.info.samples:
        match = Match(game, game.info.seats[1], options, Seeded(1))
        levels = [LEVELS[seat % len(LEVELS)] for seat in range(game.info.seats[1])]
        play(match, [Lawful(player(game, level, seat)) for seat, level in enumerate(levels)], random.Random(2))
        assert game.outcome(match.state)


@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
def test_a_regular_is_better_than_a_rookie(key: str) -> None:
    game = all_games()[key]
    seats, points = game.info.seats[0], dict.fromkeys(LEVELS, 0)
    for number in range(GAMES):
        match = Match(game, seats, game.info.options(), Seeded(number))
        levels = [LEVELS[(seat + number) % len(LEVELS)] for seat in range(seats)]
        play(match, [player(game, level, number + seat) for seat, level in enumerate(levels)], random.Random(number))
        for level, score in zip(levels, game.scores(match.state), strict=True):
            points[level] += score
    counts = {level: sum(level == LEVELS[(s + n) % 2] for n in range(GAMES) for s in range(seats)) for level in LEVELS}
    assert points["regular"] / counts["regular"] > 1.15 * points["rookie"] / counts["rookie"]
