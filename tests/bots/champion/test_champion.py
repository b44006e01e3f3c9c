"""The champion uses what it has learnt where it has learnt it, and searches like others elsewhere."""

from typing import Any

import numpy
import pytest

from jamboree.bots import Budget, bot, levels
from jamboree.bots.champion import Champion
from jamboree.bots.champion.network import network
from jamboree.bots.search import Manner
from jamboree.bots.search.trials import Trials
from jamboree.core.chance import Seeded
from jamboree.fast import Batch
from jamboree.games import all_games, find
from jamboree.games.bebop.fast.network import own_side

BEBOP = find("bebop")
LITTLE = Budget(playouts=16)
GAMES = 20


def position(seats: int, steps: int) -> tuple[Any, int]:
    chance = Seeded(steps)
    state = BEBOP.setup(seats, BEBOP.info.options(), chance)
    for _ in range(steps):
        seat = min(BEBOP.to_act(state))
        BEBOP.apply(state, seat, BEBOP.legal(state, seat)[0].action, chance)
    return state, int(min(BEBOP.to_act(state)))


def test_a_table_turned_twice_is_the_same_and_once_another() -> None:
    batch = Batch("bebop", 2, games=32, seed=3)
    for _ in range(40):
        batch.step(batch.greedy())
    seen, everywhere = batch.observe(1), numpy.ones(32, "i2")
    once = own_side(seen, everywhere)
    assert (own_side(once, everywhere) == seen).all()
    assert (once != seen).any(axis=1).all()
    assert (own_side(seen, 0 * everywhere) == seen).all(), "the first player sits right"


def test_what_one_player_holds_is_where_the_other_looks_for_their_own() -> None:
    batch = Batch("bebop", 2, games=1, seed=5)
    seen = batch.observe(1)
    seen[0, 9:22], seen[0, 22:35] = range(13), range(100, 113)
    assert own_side(seen, numpy.array([1], "i2"))[0, 9:35].tolist() == [*range(100, 113), *range(13)]


@pytest.mark.parametrize("steps", [0, 7, 30])
def test_its_shortlist_begins_with_what_greedy_would_do_and_names_what_the_network_likes(steps: int) -> None:
    state, seat = position(2, steps)
    view, offers = BEBOP.view(state, seat), BEBOP.legal(state, seat)
    trials, champion = Trials("bebop", view, 1, Manner()), bot(BEBOP, "champion", 1)
    assert isinstance(champion, Champion)
    menu = champion._menu(trials, len(offers), LITTLE, 0).tolist()
    logits = network("bebop").logits(trials.observed(), seat)[trials.legal_ids(len(offers))]
    assert menu[0] == 0
    assert int(logits.argmax()) in menu
    assert len(set(menu)) == len(menu) <= 8
    assert len({float(each) for each in champion._leaning(menu, 0)}) > 1


def test_with_more_players_it_searches_like_others() -> None:
    state, seat = position(3, 4)
    view, offers = BEBOP.view(state, seat), BEBOP.legal(state, seat)
    both = [bot(BEBOP, level, 3).decide(view, offers, LITTLE) for level in ("champion", "star")]
    assert both[0] == both[1]


def test_only_games_with_a_network_have_a_champion() -> None:
    assert [key for key, game in all_games().items() if "champion" in levels(game)] == ["bebop"]


def test_it_beats_a_regular_while_it_hardly_looks_ahead() -> None:
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
