"""The protocol's default implementations, and serialisation of states."""

import inspect
import re

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import Game, dump, loads, read_action
from jamboree.games import all_games, find


def test_every_method_of_the_protocol_has_a_docstring() -> None:
    methods = {name: method for name, method in vars(Game).items() if inspect.isfunction(method) and name[0] != "_"}
    assert len(methods) >= 16
    assert [name for name, method in methods.items() if not method.__doc__] == []


def test_a_state_survives_serialization() -> None:
    game = find("bebop")
    first, other = (game.setup(3, game.info.options(), Seeded(seed)) for seed in (1, 2))
    again = loads(dump(first), other)
    assert dump(again) == dump(first) != dump(other)
    assert again.ground is other.ground
    (seat,) = game.to_act(again)
    game.apply(again, seat, game.legal(again, seat)[0].action, Seeded(3))
    assert dump(again) != dump(first)


@pytest.mark.parametrize("key", all_games())
def test_every_action_survives_serialization(key: str) -> None:
    game = find(key)
    state = game.setup(game.info.seats[0], game.info.options(), Seeded(1))
    actions = game.actions(state)
    assert [read_action(game, msgspec.to_builtins(action)) for action in actions] == list(actions)


@pytest.mark.parametrize("fields", [{}, {"type": "Cheat"}, {"type": ["Pass"]}, {"type": "ClaimSeat", "hex": 5}])
def test_an_invalid_action_is_not_decoded(fields: dict[str, object]) -> None:
    game = find("bebop")
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.convert(fields, game.info.action)
    with pytest.raises(msgspec.ValidationError, match=f"^{re.escape(str(error.value))}$"):
        read_action(game, fields)
