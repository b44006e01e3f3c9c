"""Legal actions as a bit mask: equal to the rules' list, and of constant length."""

import random

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Nature
from jamboree.core.offers import Caution, Menu, Offer
from jamboree.games import all_games
from jamboree.server.protocol.actions import ActionIndex, action_index, expanded, parse_mask


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.info.key)
def test_action_indices_map_to_legal_actions_and_have_constant_length(game: AnyGame) -> None:
    rng, seats = random.Random(3), game.info.seats[1]
    state = game.setup(seats, game.info.samples[0], Seeded(3))
    known = action_index(game.actions(state))
    every, lengths = expanded(known.groups), set[int]()
    for _ in range(60):
        seat = rng.choice(sorted(actor for actor in game.to_act(state) if actor is not Nature.CLOCK))
        menu = game.legal(state, seat)
        offers, legal = list(menu), known.legal(menu, lambda caution: caution.key)
        assert legal == known.legal(offers, lambda caution: caution.key)
        read = [msgspec.convert(every[index], game.info.action) for index in parse_mask(legal.mask)]
        assert sorted(map(repr, read)) == sorted(repr(offer.action) for offer in offers)
        lengths.add(len(legal.mask))
        game.apply(state, seat, rng.choice(offers).action, Seeded(rng.getrandbits(30)))
    assert len(lengths) == 1


class Step(msgspec.Struct, frozen=True, tag=True):
    to: int


def test_actions_are_found_by_equality_and_warnings_refer_to_their_index() -> None:
    known, danger = ActionIndex([Step(to) for to in range(12)]), Caution("edge", "near")
    legal = known.legal([Offer(Step(3)), Offer(Step(11), (danger,)), Offer(Step(0), (danger,))], lambda output: "Mind!")
    assert list(parse_mask(legal.mask)) == [0, 3, 11]
    (warned,) = legal.cautions
    assert (warned.key, warned.sentence, list(parse_mask(warned.mask))) == ("near", "Mind!", [0, 11])


def test_a_menu_is_decoded_block_by_block() -> None:
    every = [Step(to) for to in range(12)]
    known, plain = ActionIndex(every), [Offer(action) for action in every]
    warned = [*plain[:3], Offer(every[3], (Caution("edge", "near"),))]
    blocks = {"in order": plain[4:], "backwards": plain[::-1], "with a warning": warned}
    for name, table in blocks.items():
        menu = Menu([([plain[1:3]], 0b01), ([table, plain[8:]], 0b1001), ([plain[:0]], 0)])
        assert known.legal(menu, str) == known.legal(list(menu), str), name
    assert list(parse_mask(known.legal(Menu([([plain[4:]], 0b1001)]), str).mask)) == [4, 7]
    assert known.legal(Menu([([plain], 0)]), str).mask == ""


def test_without_legal_actions_nothing_is_encoded() -> None:
    assert ActionIndex([Step(1)]).legal([], lambda output: "").mask == ""


def test_one_list_of_actions_is_numbered_once() -> None:
    actions = [Step(1)]
    assert action_index(actions) is action_index(actions)
    assert all(
        list(parse_mask(action_index([Step(1)] * 1).legal([Offer(Step(1))], str).mask)) == [0] for _ in range(99)
    )
