"""The champion uses its network for the set-up it was trained on, and an ordinary search otherwise."""

from importlib import import_module
from typing import Any

import numpy
import pytest
from msgspec.structs import replace

from jamboree.bots import Budget, bot, levels
from jamboree.bots.champion import Champion
from jamboree.bots.champion.network import load_network
from jamboree.bots.search import NativeSearch, SearchBot, SearchSettings, request_of_view
from jamboree.core.chance import Seeded
from jamboree.fast import Batch
from jamboree.games import all_games, find
from jamboree.games.bebop.fast import network as bebop_network
from jamboree.games.bpm.fast import layout as bpm
from jamboree.games.bpm.fast import network as bpm_network

BEBOP = find("bebop")
LEARNT = ("bebop", "bpm")
LITTLE = Budget(playouts=16)
GAMES = 20


def position(key: str, seats: int, steps: int) -> tuple[Any, int]:
    game, chance = find(key), Seeded(steps)
    state = game.setup(seats, game.info.options(), chance)
    for step in range(steps):
        asked = sorted(game.to_act(state))
        seat = asked[step % len(asked)]
        game.apply(state, seat, game.legal(state, seat)[0].action, chance)
    return state, int(min(game.to_act(state)))


def seen_after(key: str, steps: int) -> Any:
    batch = Batch(key, 2, games=32, seed=3)
    for _ in range(steps):
        asked = batch.greedy()
        if (asked < 0).any():  # whoever has sealed a choice waits for the other
            batch.turn_to(numpy.where(asked < 0, 1 - batch.actor, batch.actor))
            asked = batch.greedy()
        batch.step(asked)
    return batch.observe(1)


@pytest.mark.parametrize("key", LEARNT)
def test_rotating_a_two_player_table_twice_is_the_identity(key: str) -> None:
    own_side = import_module(f"jamboree.games.{key}.fast.network").own_side
    seen, everywhere = seen_after(key, 40), numpy.ones(32, "i2")
    once = own_side(seen, everywhere)
    assert (own_side(once, everywhere) == seen).all()
    assert (once != seen).any(axis=1).all()
    assert (own_side(seen, 0 * everywhere) == seen).all(), "the first player sits right"


def test_rotation_maps_fans_songs_and_turns_in_bpm() -> None:
    seen = seen_after("bpm", 40)
    turned = bpm_network.own_side(seen, numpy.ones(32, "i2"))
    fans = slice(bpm.SEEN_CELLS + 1, bpm.SEEN_PLAYED, 3)
    assert (numpy.sort(turned[:, fans][seen[:, fans] > 0]) == numpy.sort(3 - seen[:, fans][seen[:, fans] > 0])).all()
    assert (turned[:, fans][seen[:, fans] == 0] == 0).all()
    assert (turned[:, bpm.FIRST] == 1 - seen[:, bpm.FIRST]).all()
    hand = bpm.SEEN_SEATS + 23
    mine = seen[:, hand + bpm.BY_SEAT : hand + bpm.BY_SEAT + bpm.HAND_MOST]
    assert (turned[:, hand : hand + bpm.HAND_MOST] == mine).all()


def test_features_are_read_from_the_perspective_of_the_player() -> None:
    batch = Batch("bebop", 2, games=1, seed=5)
    seen = batch.observe(1)
    seen[0, 9:22], seen[0, 22:35] = range(13), range(100, 113)
    assert bebop_network.own_side(seen, numpy.array([1], "i2"))[0, 9:35].tolist() == [*range(100, 113), *range(13)]


@pytest.mark.parametrize("key", LEARNT)
@pytest.mark.parametrize("steps", [0, 7, 30])
def test_the_shortlist_has_the_greedy_choice_and_the_networks_best_priors(key: str, steps: int) -> None:
    state, seat = position(key, 2, steps)
    game = find(key)
    view, offers = game.view(state, seat), game.legal(state, seat)
    champion = bot(game, "champion", 1)
    assert isinstance(champion, Champion)
    most = champion.settings.shortlist(LITTLE)
    request = request_of_view(key, view, 1, SearchSettings(), len(offers))
    search = NativeSearch(replace(request, max_candidates=most))
    candidates, bonuses = champion.candidates(load_network(key), search)
    logits = load_network(key).logits(search.observe(), seat)[search.legal_ids()]
    assert candidates[0] == 0
    assert int(logits.argmax()) in candidates
    assert len(set(candidates)) == len(candidates) == len(bonuses) <= most
    assert len(set(bonuses)) > 1


@pytest.mark.parametrize("key", LEARNT)
def test_games_of_more_players_are_searched_without_a_network(key: str) -> None:
    state, seat = position(key, 3, 4)
    game = find(key)
    view, offers = game.view(state, seat), game.legal(state, seat)
    champion, star = bot(game, "champion", 3), bot(game, "star", 3)
    assert isinstance(champion, Champion)
    assert isinstance(star, SearchBot)
    star.settings = champion.settings
    assert champion.decide(view, offers, LITTLE) == star.decide(view, offers, LITTLE)


def test_only_games_with_a_network_have_a_champion() -> None:
    assert [key for key, game in all_games().items() if "champion" in levels(game)] == list(LEARNT)


def test_champion_beats_regular_with_little_search() -> None:
    won = 0.0
    for number in range(GAMES):
        chance, mine = Seeded(number // 2), number % 2
        state = BEBOP.setup(2, BEBOP.info.options(), chance)
        players = [bot(BEBOP, "champion" if seat == mine else "regular", number) for seat in range(2)]
        while asked := BEBOP.to_act(state):
            seat = int(min(asked))
            chosen = players[seat].decide(BEBOP.view(state, seat), BEBOP.legal(state, seat), LITTLE)
            BEBOP.apply(state, seat, chosen, chance)
        margin = BEBOP.scores(state)[mine] - BEBOP.scores(state)[1 - mine]
        won += 0.5 if margin == 0 else margin > 0
    assert won >= 0.6 * GAMES
