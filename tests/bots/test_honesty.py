"""No bot knows more than its seat sees: resampling hidden information does not change its choice."""

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from jamboree.bots import Budget, Level, bot, levels
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Eye, dump
from jamboree.games import all_games
from tests.contract.toy import HighCard

Look = Callable[[AnyGame, Any, int], Any]
POSITIONS, TRUTHS = 6, 3
LITTLE = Budget(playouts=24)
EVERY = [
    pytest.param(game, level, id=f"{game.info.key}-{level}")
    for game in [*all_games().values(), HighCard()]
    for level in levels(game)
]


def hiding(game: AnyGame) -> Any:
    """Return options under which something is hidden."""
    return next((each for each in game.info.samples if getattr(each, "hidden_hands", False)), game.info.options())


def positions(game: AnyGame, number: int) -> tuple[Any, int]:
    """Play random steps, and return the last position in which a seat had a choice."""
    rng, chance, found = random.Random(number), Seeded(number), list[tuple[Any, int]]()
    state = game.setup(game.info.seats[number % 2], hiding(game), chance)
    while (actors := sorted(game.to_act(state), key=str)) and len(found) <= 8 * number:
        actor = rng.choice(actors)
        offers = game.legal(state, actor)
        if isinstance(actor, int) and len(offers) > 1:
            found.append((state.clone(), actor))
        game.apply(state, actor, offers[rng.randrange(len(offers))].action, chance)
    return found[-1]


def depends_on_the_truth(game: AnyGame, level: Level, look: Look) -> bool:
    """Return whether a bot's choice depends on information that its seat does not see."""
    others = 0
    for number in range(POSITIONS):
        state, seat = positions(game, number)
        choice = bot(game, level, number).decide(look(game, state, seat), game.legal(state, seat), LITTLE)
        for truth in range(TRUTHS):
            other = game.imagine(game.view(state, seat), Seeded(100 * number + truth))
            others += dump(other) != dump(state)
            again = bot(game, level, number).decide(look(game, other, seat), game.legal(other, seat), LITTLE)
            if again != choice:
                return True
    assert others > POSITIONS, "there was something to redraw"
    return False


@pytest.mark.parametrize(("game", "level"), EVERY)
def test_choices_do_not_depend_on_hidden_information(game: AnyGame, level: Level) -> None:
    assert not depends_on_the_truth(game, level, lambda game, state, seat: game.view(state, seat))


def test_a_bot_that_reads_the_state_is_detected() -> None:
    pytest.importorskip("numba")

    def peek(game: AnyGame, state: Any, seat: int) -> Any:
        return msgspec.structs.replace(game.view(state, Eye.ALL), viewer=seat)

    assert depends_on_the_truth(all_games()["bebop"], "star", peek)
