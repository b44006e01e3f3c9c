"""Previews of actions, and reasons why an action is impossible."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.errors import Illegal
from jamboree.core.game import Eye, Preview, Viewer
from jamboree.games.bebop.box.board import load
from jamboree.games.bebop.box.dice import Die
from jamboree.games.bebop.rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DrawFromBag,
    KeepDice,
    Pass,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)
from jamboree.games.bebop.rules.events import (
    AnyEvent,
    DieTaken,
    FamilyScored,
    FeatureScored,
    GameEnded,
    MajorityScored,
    SeatBooked,
    SeatClaimed,
    StagePerformed,
)
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.state import State

from ..table import BEBOP, BILLIE, LOUIS, SCREENS, act, events_of, offered, only_event, position


def preview(state: State, action: AnyAction, viewer: Viewer = BILLIE) -> Preview:
    return BEBOP.preview(BEBOP.view(state, viewer), action)


def kinds(previewed: Preview) -> list[type]:
    return [type(event) for event in previewed.events]


def test_preview_of_a_claim() -> None:
    previewed = preview(position(SCREENS), ClaimSeat("basic", "a1"))
    assert previewed == Preview([SeatClaimed(BILLIE, "basic", "a1", False)], [0, 0], False)


def test_preview_of_family_points() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    2.rk  .     Ak
    """)
    previewed = preview(state, BookSeat(0, "a1"))
    assert (previewed.points, previewed.chance_follows) == ([2, 0], False)
    assert only_event(previewed.events, FamilyScored).points == 2
    assert state.family_points == [0, 0]


def test_preview_of_a_stage_with_a_tie() -> None:
    state = position("""
        seat 1: hand gk
        map:
        1.    Ak    2.rk
    """)
    previewed = preview(state, BookSeat(0, "a1"))
    assert (previewed.points, previewed.chance_follows) == ([3, 3], False)
    assert kinds(previewed) == [SeatBooked, StagePerformed, FeatureScored]


def test_preview_stops_where_the_order_of_stages_is_to_be_chosen() -> None:
    state = position("""
        seat 1: hand gk
        map:
        2.rk  Ak    1.    Bk    1.yb
    """)
    previewed = preview(state, BookSeat(0, "a3"))
    assert (kinds(previewed), previewed.points, previewed.chance_follows) == ([SeatBooked], [0, 0], False)
    act(state, BookSeat(0, "a3"))
    assert preview(state, PerformStage("B")).points == [10, 3]
    assert preview(state, PerformStage("A")).points == [9, 3]


TAKING = """
    turn: 1 take a die
    queue: gk gk gk gk
    {bag}
    map:
    1.rk  .     Ak
"""


def test_preview_of_what_is_left_to_chance() -> None:
    state = position(TAKING.format(bag="passed:"))
    assert preview(state, DrawFromBag()) == Preview([], [0, 0], True)
    taken = DieTaken(BILLIE, 0, Die("green", "keys"))
    assert preview(state, TakeFromQueue(0)) == Preview([taken], [0, 0], True)


@pytest.mark.parametrize(
    ("viewer", "key"), [(LOUIS, "not-your-turn"), (None, "only-watching"), (Eye.ALL, "only-watching")]
)
def test_only_who_is_to_act_can_look_ahead(viewer: Viewer, key: str) -> None:
    with pytest.raises(Illegal) as refused:
        preview(position(SCREENS), ClaimSeat("basic", "a1"), viewer)
    assert refused.value.key == key


def test_with_three_open_seats_the_question_is_which_to_book() -> None:
    state = position("""
        seat 1: hand gk
        map:
        1.    1.    1.    .     Ak
    """)
    assert "Three of your seats are open" in BEBOP.words.question(BEBOP.view(state, BILLIE), "en")


def test_preview_of_a_die_taken_when_the_bag_is_empty() -> None:
    assert not preview(position(TAKING.format(bag="bag: 0")), TakeFromQueue(0)).chance_follows


def test_preview_of_a_reroll() -> None:
    state = position(SCREENS)
    act(state, ClaimSeat("basic", "a1"))
    assert preview(state, RerollDie(0)) == Preview([], [0, 0], True)
    assert not preview(state, KeepDice()).chance_follows


def test_preview_of_the_last_booking_counts_the_majorities() -> None:
    state = position("""
        seat 1: tokens 0 2 0 0; supply 0; hand rb
        seat 2: supply 0
        map:
        1.    2.rk  .     Ak
    """)
    previewed = preview(state, BookSeat(0, "a1"))
    assert previewed.points == [1 + 2, 0]
    assert isinstance(previewed.events[-1], GameEnded)
    assert events_of(previewed.events, MajorityScored)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 150), st.booleans())
def test_previews_come_true(seed: int, players: int, steps: int, hidden: bool) -> None:
    """The events of a preview happen, and no others unless a pick follows."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BEBOP.setup(players, Options(load("point-city").source, hidden_hands=hidden), chance)
    for _ in range(steps):
        if not BEBOP.to_act(state):
            return
        action = rng.choice(offered(state))
        events = list[AnyEvent]()
        before = BEBOP.scores(state)
        previewed = preview(state, action, state.turn)
        assert BEBOP.why_not(BEBOP.view(state, state.turn), action) is None
        BEBOP.apply(state, state.turn, action, chance, events.append)
        assert previewed.events == events[: len(previewed.events)]
        if not previewed.chance_follows:
            assert previewed.events == events
            assert previewed.points == [after - one for after, one in zip(BEBOP.scores(state), before, strict=True)]


@pytest.mark.parametrize("action", [ClaimSeat("basic", "a1"), BookSeat(2, "a2")])
def test_why_not_has_nothing_against_what_is_legal(action: AnyAction) -> None:
    state = position(SCREENS)
    assert BEBOP.why_not(BEBOP.view(state, BILLIE), action) is None


def test_why_not_for_who_is_not_to_act() -> None:
    refusal = BEBOP.why_not(BEBOP.view(position(SCREENS), LOUIS), Pass())
    assert refusal is not None
    assert refusal.key == "not-your-turn"


@pytest.mark.parametrize("action", [DrawFromBag(), TakeFromQueue(0)])
def test_why_not_lets_chance_be(action: AnyAction) -> None:
    state = position(TAKING.format(bag="passed:"))
    assert BEBOP.why_not(BEBOP.view(state, BILLIE), action) is None
