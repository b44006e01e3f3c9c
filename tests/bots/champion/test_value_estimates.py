"""Value estimates of a network, computed from the player's own observations only."""

from typing import Any

import numpy
import pytest

from jamboree.bots.champion.network import load_network
from jamboree.bots.champion.value_estimates import MAX_WORLDS, ValueEstimates
from jamboree.bots.search import SearchSettings
from jamboree.bots.search.rollouts import Rollouts
from jamboree.core.chance import Seeded
from jamboree.games import find
from jamboree.games.bpm.fast import layout as at

from .test_champion import position

BPM = find("bpm")


def rollouts_after(steps: int) -> tuple[Rollouts, Any, int]:
    state, seat = position("bpm", 2, steps)
    rollouts = Rollouts("bpm", BPM.view(state, seat), 1, SearchSettings())
    return rollouts, rollouts.candidates(list(range(len(BPM.legal(state, seat))))[:6]), seat


@pytest.mark.parametrize("steps", [1, 9, 30])
def test_next_observations_hide_the_other_hand(steps: int) -> None:
    rollouts, candidates, seat = rollouts_after(steps)
    seen, _, ended = rollouts.next_observations(candidates, 0, 8)
    theirs = at.SEEN_SEATS + at.BY_SEAT * (1 - seat)
    going_on = seen[~ended]
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
    rollouts = Rollouts("bpm", last[0], 1, SearchSettings())
    candidates = rollouts.candidates(list(range(last[1])))
    _, worth, ended = rollouts.next_observations(candidates, 0, 4)
    assert ended.any()
    assert worth[ended].tolist() == rollouts.values(candidates, 0, 4)[ended].tolist()


def test_determinizations_are_sampled_until_the_minimum_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    rollouts, candidates, _ = rollouts_after(9)
    estimates, requested = ValueEstimates(load_network("bpm"), rollouts), list[int]()
    next_observations = rollouts.next_observations

    def noted(candidates: Any, first: int, worlds: int) -> Any:
        requested.append(first)
        return next_observations(candidates, first, worlds)

    monkeypatch.setattr(rollouts, "next_observations", noted)
    expected = [estimates.means(candidates, first, 4) for first in range(0, 2 * MAX_WORLDS, 4)]
    assert requested == list(range(0, MAX_WORLDS, 4))
    assert all(((each >= 0) & (each <= 1)).all() for each in expected)
    assert expected[-1].tolist() == expected[MAX_WORLDS // 4 - 1].tolist()
    fewer = estimates.means(candidates[:2], 2 * MAX_WORLDS, 4)
    assert fewer.tolist() == expected[-1][:2].tolist()


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
            value = net.values(Rollouts("bpm", BPM.view(state, seat), 1, SearchSettings()).observed(), seat)[0]
            pairs.append((BPM.scores(state)[seat] - BPM.scores(state)[1 - seat], float(value)))
    assert len(pairs) > 5
    margins, values = zip(*pairs, strict=True)
    assert numpy.corrcoef(margins, values)[0, 1] > 0.3
