"""Levels mean the same in every game: all follow the rules, and Regular is better than Rookie."""

import random
from itertools import cycle
from typing import Any

import pytest

from jamboree.bots import LEVELS, Budget, Level, available_level, bot, character, levels, player
from jamboree.bots.interface import BotPlayer
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.core.play import Match, play
from jamboree.core.words import LANGUAGES
from jamboree.games import all_games
from tests.contract.toy import HighCard

from .test_bots import Lawful

SEVERAL: list[AnyGame] = [*all_games().values(), HighCard()]
EVERY = [pytest.param(game, id=game.info.key) for game in SEVERAL]
GAMES = 40
LITTLE = Budget(playouts=6)
MEETING: tuple[Level, Level] = ("rookie", "regular")


def quick(game: AnyGame, level: Level, seed: int) -> Any:
    return Lawful(BotPlayer(bot(game, level, seed), LITTLE))


@pytest.mark.parametrize("game", EVERY)
def test_every_level_plays_legal_actions_to_the_end(game: AnyGame) -> None:
    for number, options in enumerate(game.info.samples):
        seats = game.info.seats[number % 2]
        match, sitting = Match(game, seats, options, Seeded(1)), cycle(LEVELS[number % len(LEVELS) :] + LEVELS)
        play(match, [quick(game, next(sitting), seat) for seat in range(seats)], random.Random(2))
        assert game.outcome(match.state)


@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
def test_a_regular_is_better_than_a_rookie(key: str) -> None:
    game = all_games()[key]
    seats, points, counts = game.info.seats[0], dict.fromkeys(MEETING, 0), dict.fromkeys(MEETING, 0)
    for number in range(GAMES):
        match = Match(game, seats, game.info.options(), Seeded(number))
        sitting = [MEETING[(seat + number) % 2] for seat in range(seats)]
        play(match, [player(game, level, number + seat) for seat, level in enumerate(sitting)], random.Random(number))
        for level, score in zip(sitting, game.scores(match.state), strict=True):
            points[level] += score
            counts[level] += 1
    assert points["regular"] / counts["regular"] > 1.15 * points["rookie"] / counts["rookie"]


@pytest.mark.parametrize("game", EVERY)
def test_a_missing_level_falls_back_to_the_next_lower_one(game: AnyGame) -> None:
    there = levels(game)
    assert there[:2] == ("rookie", "regular")
    for level in LEVELS:
        assert available_level(game, level) == (level if level in there else there[-1])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_level_has_its_own_character(lang: str) -> None:
    everybody = [character(level, lang) for level in LEVELS]
    for field in zip(*everybody, strict=True):
        assert len(set(field)) == len(LEVELS)
    assert [each.name for each in everybody] == ["Pip", "Mabel", "Otto", "Vesper", "Magna"]
