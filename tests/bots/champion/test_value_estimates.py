"""Value estimates of a network, computed from the player's own observations only."""

from typing import Any

import numpy
import pytest

from jamboree.bots.champion.champion import value_estimates
from jamboree.bots.champion.network import load_network
from jamboree.bots.search import NativeSearch, SearchSettings, request_of_view
from jamboree.core.chance import Seeded
from jamboree.fast.playouts import GOES_ON
from jamboree.games import find
from jamboree.games.bpm.fast import layout as at

from .test_champion import position

BPM = find("bpm")


def search_of(view: Any, offers: int) -> NativeSearch:
    return NativeSearch(request_of_view("bpm", view, 1, SearchSettings(), offers))


def search_after(steps: int) -> tuple[NativeSearch, list[int], int]:
    state, seat = position("bpm", 2, steps)
    offers = len(BPM.legal(state, seat))
    return search_of(BPM.view(state, seat), offers), list(range(offers))[:6], seat


@pytest.mark.parametrize("steps", [1, 9, 30])
def test_next_observations_hide_the_other_hand(steps: int) -> None:
    search, candidates, seat = search_after(steps)
    seen, values = search.look_ahead(candidates, 8)
    theirs = at.SEEN_SEATS + at.BY_SEAT * (1 - seat)
    going_on = seen[values == GOES_ON]
    assert len(going_on)
    assert (going_on[:, theirs + 23 : theirs + 23 + at.HAND_MOST] == at.UNSEEN).all()
    assert (going_on[:, at.SEEN_SEATS + at.BY_SEAT * seat + 3] == 0).all(), "they are asked: they have sealed nothing"


def test_a_final_position_is_valued_by_its_result() -> None:
    chance = Seeded(5)
    state = BPM.setup(2, BPM.info.options(), chance)
    last: Any = None
    step = 0
    while asked := sorted(BPM.to_act(state)):
        seat, step = int(asked[step % len(asked)]), step + 1
        last = BPM.view(state, seat), len(BPM.legal(state, seat))
        BPM.apply(state, seat, BPM.legal(state, seat)[0].action, chance)
    search, candidates = search_of(*last), list(range(last[1]))
    _, values = search.look_ahead(candidates, 1)
    ended = [k for k in candidates if values[0, k] != GOES_ON]
    assert ended
    played = search.run(candidates, len(candidates), None, keep=0)
    assert [values[0, k] for k in ended] == [played.mean(k) for k in ended]


def test_estimates_are_values_that_depend_on_the_candidate_only() -> None:
    search, candidates, _ = search_after(9)
    estimates = value_estimates(load_network("bpm"), search, candidates)
    assert all(0 <= each <= 1 for each in estimates)
    assert len(set(estimates)) > 1
    assert value_estimates(load_network("bpm"), search, candidates[:2]) == pytest.approx(estimates[:2], abs=1e-6)


def test_more_points_give_a_higher_value() -> None:
    """A lead in fans and superfans late in the game raises the chance to win."""
    net, seat, pairs = load_network("bpm"), 0, []
    for number in range(12):
        chance, step = Seeded(number), 0
        state = BPM.setup(2, BPM.info.options(), chance)
        while (asked := sorted(BPM.to_act(state))) and state.round < 6:
            who, step = asked[step % len(asked)], step + 1
            offers = BPM.legal(state, who)
            BPM.apply(state, who, offers[step * 7 % len(offers)].action, chance)
        if seat in asked:
            value = net.values(search_of(BPM.view(state, seat), len(BPM.legal(state, seat))).observe(), seat)[0]
            pairs.append((BPM.scores(state)[seat] - BPM.scores(state)[1 - seat], float(value)))
    assert len(pairs) > 5
    margins, values = zip(*pairs, strict=True)
    assert numpy.corrcoef(margins, values)[0, 1] > 0.3
