"""Who leads what and how it would end now: what a view says comes true if it happens now."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.kit.events import NO_EVENTS
from jamboree.games.bebop.box.board import festivals, load
from jamboree.games.bebop.rules.endgame import end_game
from jamboree.games.bebop.rules.projection import FamilyLead, StageLead
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.stages import perform
from jamboree.games.bebop.rules.state import State

from ..table import BEBOP, BILLIE, LOUIS, offered, position, scores

SIX_SPACES = """
    rating: 7 3 1
    map:
          1.rk  1.rb  .
       .     Ak    Ab    .
          Ap    2.gk  Ak
       .     Ab    Ap    .
          .     .     .
"""


def somewhere_in_a_game(seed: int, players: int, steps: int) -> State:
    rng, chance = random.Random(seed), Seeded(seed)
    options = Options(board=load(rng.choice(festivals())).source, star=rng.random() < 0.5)
    state = BEBOP.setup(players, options, chance)
    for _ in range(steps):
        if BEBOP.to_act(state):
            BEBOP.apply(state, state.turn, rng.choice(offered(state)), chance)
    return state


in_any_position = given(st.builds(somewhere_in_a_game, st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 250)))


@settings(max_examples=40)
@in_any_position
def test_the_game_would_end_as_projected(state: State) -> None:
    projected = BEBOP.view(state, None).projected
    if BEBOP.to_act(state):
        end_game(state, NO_EVENTS)
    assert projected == list(scores(state))


@settings(max_examples=40)
@in_any_position
def test_a_stage_would_pay_its_leaders(state: State) -> None:
    for number, seen in enumerate(BEBOP.view(state, None).stages):
        after = state.clone()
        perform(after, after.turn, number, NO_EVENTS)
        paid = [sum(lead.points for lead in seen.leads if seat in lead.leaders) for seat in range(state.seats)]
        assert [now - before for now, before in zip(scores(after), scores(state), strict=True)] == paid
        assert BEBOP.view(after, None).stages[number].paid == paid


@settings(max_examples=40)
@in_any_position
def test_what_stages_paid_adds_up_to_the_points_for_stages(state: State) -> None:
    view = BEBOP.view(state, None)
    assert all(bool(stage.paid) == (not stage.tokens) for stage in view.stages)
    for seat, points in enumerate(view.points):
        assert points.stages == sum(stage.paid[seat] for stage in view.stages if stage.paid)


def test_a_feature_that_is_there_twice_pays_twice_and_its_marker_drops() -> None:
    (stage,) = BEBOP.view(position(SIX_SPACES, centre="A"), None).stages
    assert stage.leads == [
        StageLead("keys", [1, 1], [BILLIE, LOUIS], 7 // 2 + 6 // 2),
        StageLead("brass", [1, 0], [BILLIE], 3 + 2),
        StageLead("percussion", [0, 0], [], 0),
    ]


def test_only_a_family_with_the_banner_has_leaders() -> None:
    state = position("""
        banners: red a1
        seat 1: tokens 2 0 1 1
        map:
        1.rk  2.rk  1.rp  .     1.rk  1.rb  Ak
    """)
    bannered, other = BEBOP.view(state, None).families
    assert bannered.leads == [
        FamilyLead("keys", [1, 1], 0, [BILLIE, LOUIS], [3, 0]),
        FamilyLead("percussion", [1, 0], 0, [BILLIE], [2, 0]),
    ]
    assert other.leads == []
