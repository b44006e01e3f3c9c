"""No bot knows more than its seat sees: whatever is hidden is drawn anew, and the choice stays the same."""

import random
from typing import Any

import pytest

from jamboree.bots import Budget, Level, bot, levels
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, dump
from jamboree.games import all_games
from tests.contract.toy import HighCard

POSITIONS, TRUTHS = 6, 3
LITTLE = Budget(playouts=24)
EVERY = [
    pytest.param(game, level, id=f"{game.info.key}-{level}")
    for game in [*all_games().values(), HighCard()]
    for level in levels(game)
]


def hiding(game: AnyGame) -> Any:
    """Give options under which something is hidden."""
    return next((each for each in game.info.samples if getattr(each, "hidden_hands", False)), game.info.options())


def positions(game: AnyGame, number: int) -> tuple[Any, int]:
    """Play some steps at random, up to where a seat has a choice."""
    rng, chance = random.Random(number), Seeded(number)
    state = game.setup(game.info.seats[number % 2], hiding(game), chance)
    for step in range(60 + 9 * number):
        actor = rng.choice(sorted(game.to_act(state), key=str))
        offers = game.legal(state, actor)
        if step >= 8 * number and isinstance(actor, int) and len(offers) > 1:
            return state, actor
        game.apply(state, actor, offers[rng.randrange(len(offers))].action, chance)
    raise AssertionError("nobody had a choice")


@pytest.mark.parametrize(("game", "level"), EVERY)
def test_the_choice_is_the_same_whatever_is_hidden(game: AnyGame, level: Level) -> None:
    others = 0
    for number in range(POSITIONS):
        state, seat = positions(game, number)
        view = game.view(state, seat)
        choice = bot(game, level, number).decide(view, game.legal(state, seat), LITTLE)
        for truth in range(TRUTHS):
            other = game.imagine(view, Seeded(100 * number + truth))
            others += dump(other) != dump(state)
            seen = game.view(other, seat)
            assert bot(game, level, number).decide(seen, game.legal(other, seat), LITTLE) == choice
    assert others > POSITIONS, "there was something to redraw"
