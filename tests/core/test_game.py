"""The protocol explains itself, and a whole state can be written down and read again."""

import inspect

from jamboree.core.chance import Seeded
from jamboree.core.game import Game, dump, loads
from jamboree.games import find


def test_every_method_of_the_protocol_says_what_it_does() -> None:
    methods = {name: method for name, method in vars(Game).items() if inspect.isfunction(method) and name[0] != "_"}
    assert len(methods) >= 16
    assert [name for name, method in methods.items() if not method.__doc__] == []


def test_a_state_is_read_as_it_was_dumped() -> None:
    game = find("bebop")
    first, other = (game.setup(3, game.info.options(), Seeded(seed)) for seed in (1, 2))
    again = loads(dump(first), other)
    assert dump(again) == dump(first) != dump(other)
    assert again.ground is other.ground
    (seat,) = game.to_act(again)
    game.apply(again, seat, game.legal(again, seat)[0].action, Seeded(3))
    assert dump(again) != dump(first)
