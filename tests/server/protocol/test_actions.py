"""Legal actions as places: everybody reads the same of them as the rules say, and lengths tell nothing."""

import random

import msgspec
import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Nature
from jamboree.core.offers import Caution, Offer
from jamboree.games import all_games
from jamboree.server.protocol.actions import Repertoire, listed, places_in, repertoire


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.info.key)
def test_places_lead_back_to_what_is_legal_and_are_always_as_long(game: AnyGame) -> None:
    rng, seats = random.Random(3), game.info.seats[1]
    state = game.setup(seats, game.info.samples[0], Seeded(3))
    known = repertoire(game.actions(state))
    every, lengths = listed(known.groups), set[int]()
    for _ in range(60):
        seat = rng.choice(sorted(actor for actor in game.to_act(state) if actor is not Nature.CLOCK))
        offers = list(game.legal(state, seat))
        legal = known.legal(offers, lambda caution: caution.key)
        read = [msgspec.convert(every[place], game.info.action) for place in places_in(legal.places)]
        assert sorted(map(repr, read)) == sorted(repr(offer.action) for offer in offers)
        lengths.add(len(legal.places))
        game.apply(state, seat, rng.choice(offers).action, Seeded(rng.getrandbits(30)))
    assert len(lengths) == 1


class Step(msgspec.Struct, frozen=True, tag=True):
    to: int


def test_an_action_is_found_also_if_it_is_another_object_and_warnings_name_its_place() -> None:
    known, danger = Repertoire([Step(to) for to in range(12)]), Caution("edge", "near")
    legal = known.legal([Offer(Step(3)), Offer(Step(11), (danger,)), Offer(Step(0), (danger,))], lambda said: "Mind!")
    assert list(places_in(legal.places)) == [0, 3, 11]
    (warned,) = legal.cautions
    assert (warned.key, warned.sentence, list(places_in(warned.places))) == ("near", "Mind!", [0, 11])


def test_nothing_is_written_where_nothing_is_legal() -> None:
    assert Repertoire([Step(1)]).legal([], lambda said: "").places == ""


def test_one_list_of_actions_is_numbered_once() -> None:
    actions = [Step(1)]
    assert repertoire(actions) is repertoire(actions)
    assert all(list(places_in(repertoire([Step(1)] * 1).legal([Offer(Step(1))], str).places)) == [0] for _ in range(99))
