"""Every bot of every game: plays to the end, and the same way from the same seed."""

import random
from typing import Any

import msgspec
import pytest

from jamboree.bots import RandomBot, bot_factories
from jamboree.bots.levels import SEARCHING
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame
from jamboree.core.journal import Journal
from jamboree.core.offers import menu_of
from jamboree.core.play import WAIT, Match, Whisper, play
from jamboree.games import all_games


def quick(game: AnyGame) -> list[str]:
    """Name the bots that need no time to think; the searching levels are tested with small budgets elsewhere."""
    return [name for name in bot_factories(game) if name not in SEARCHING]


TABLES = [
    pytest.param(game, seats, options, id=f"{game.info.key}-{seats}-{number}")
    for game in all_games().values()
    for seats in range(game.info.seats[0], game.info.seats[1] + 1)
    for number, options in enumerate(game.info.samples)
]


class Lawful:
    """Asserts that a player chooses only what is on offer, or says a phrase to another player."""

    def __init__(self, player: Any) -> None:
        self.player = player

    def choose(self, view: Any, offers: Any) -> Any:
        action = self.player.choose(view, offers)
        if isinstance(action, Whisper):
            assert action.to != view.viewer
            return action
        assert action is WAIT or any(offer.action == action for offer in offers)
        return action


def played(game: AnyGame, seats: int, options: Any, bot: str, seed: int) -> Journal:
    match = Match(game, seats, options, Seeded(seed))
    play(match, [Lawful(bot_factories(game)[bot](seed + seat)) for seat in range(seats)], random.Random(seed))
    return match.journal()


@pytest.mark.parametrize(("game", "seats", "options"), TABLES)
def test_every_bot_plays_legal_actions_to_the_end(game: AnyGame, seats: int, options: Any) -> None:
    for bot in quick(game):
        played(game, seats, options, bot, seed=3)


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.info.key)
def test_the_same_seed_plays_the_same_game(game: AnyGame) -> None:
    seats, options = game.info.seats[1], game.info.samples[0]
    for bot in quick(game):
        first, second, other = (msgspec.json.encode(played(game, seats, options, bot, seed)) for seed in (5, 5, 500))
        assert first == second != other


def test_a_random_bot_chooses_every_offer_eventually() -> None:
    bot = RandomBot(1)
    assert {bot.choose(None, menu_of("a", "b", "c")) for _ in range(50)} == {"a", "b", "c"}


def test_a_random_bot_waits_without_offers() -> None:
    assert RandomBot(1).choose(None, []) is WAIT
