"""Game end: family majority scoring, and who won."""

import pytest

from jamboree.core.game import Outcome
from jamboree.games.bebop.rules.actions import BookSeat
from jamboree.games.bebop.rules.events import GameEnded, MajorityScored
from jamboree.games.bebop.rules.state import State

from ..table import BEBOP, BILLIE, LOUIS, act, events_of, only_event, phase, position, scores

BLUE_FAMILY = """
    seat 1: tokens 0 5 0 0; supply 0; hand yk
    seat 2: tokens 4 3 2 0; supply 0
    banners: aqua a1
    map:
    2.ak  2.ak  1.ak  2.ap  1.ab  2.ab
       1.    Ak    .
"""

RED_FAMILY = """
    seat 1: tokens 1 5 2 {stars}; supply 0; hand yk
    seat 2: tokens 6 2 0 0; supply 0
    banners: red a1
    map:
    1.rb  1.rp  2.rb  1.rb  .     2.rk
       1.    Ak    .
"""


def end_game(drawing: str) -> tuple[State, list[MajorityScored]]:
    """Book the first player's last die on b1, which ends the game; list what the majorities gave."""
    state = position(drawing)
    events = act(state, BookSeat(0, "b1"))
    assert isinstance(events[-1], GameEnded)
    return state, events_of(events, MajorityScored)


def test_example_blue_family_majority() -> None:
    """Louis most keys and percussion, brass tied: his nine tokens score; Billie scores her five brass tokens."""
    state, scored = end_game(BLUE_FAMILY)
    assert [(event.feature, event.counts, event.points) for event in scored] == [
        ("keys", [1, 2], [0, 4]),
        ("brass", [1, 1], [5, 3]),
        ("percussion", [0, 1], [0, 2]),
    ]
    assert scores(state) == (5, 9)


def test_example_red_family_majority() -> None:
    """Billie most brass and percussion; the red keys die is not connected: her seven tokens score."""
    state, scored = end_game(RED_FAMILY.format(stars=0))
    assert [(event.feature, event.points) for event in scored] == [("brass", [5, 0]), ("percussion", [2, 0])]
    assert scores(state) == (7, 0)


def test_example_red_family_majority_with_two_stars() -> None:
    """Two star tokens count once for each of the two majorities: four more points, eleven in all."""
    state, _ = end_game(RED_FAMILY.format(stars=2))
    assert scores(state) == (11, 0)


def test_every_bannered_family_scores_and_no_other() -> None:
    state, scored = end_game("""
        seat 1: tokens 1 0 0 0; supply 0; hand yk
        seat 2: supply 0
        banners: red a1, green a7
        map:
        1.rk  2.rb  .     1.rk  2.rp  .     1.gk  2.gb
           1.    Ak    .
    """)
    assert [(event.colour, event.feature) for event in scored if event.points[BILLIE]] == [
        ("green", "keys"),
        ("red", "keys"),
    ]
    assert {tuple(event.family) for event in scored} == {("a1", "a2"), ("a7", "a8")}
    assert scores(state) == (2, 0)


def test_a_majority_is_worth_the_own_tokens_only() -> None:
    state, scored = end_game("""
        seat 1: supply 0; hand yk
        seat 2: tokens 3 0 0 0; supply 0
        banners: red a1
        map:
        1.rk  2.rb  .
           1.    Ak    .
    """)
    assert only_event(scored[:1], MajorityScored).winners == [BILLIE]
    assert scores(state) == (0, 0)


def test_stages_that_did_not_perform_score_nothing() -> None:
    state, scored = end_game("""
        seat 1: supply 0; hand yk
        seat 2: supply 0
        map:
        2.rk  Ak    .
           1.    .
    """)
    assert (scored, scores(state), state.held) == ([], (0, 0), [(0, 0, 0, 0)] * 2)
    assert state.tokens == [(0,)]


@pytest.mark.parametrize(
    ("billies", "points"),
    [
        ("1.rb", 0),  # two preprinted brass against one: nobody scores
        ("1.rb  1.rb", 3),  # two against two: the tied player scores
        ("1.rb  1.rb  1.rb", 3),
    ],
)
def test_ruling_printed_majority(billies: str, points: int) -> None:
    state, scored = end_game(f"""
        seat 1: tokens 0 3 0 0; supply 0; hand yk
        seat 2: tokens 0 4 0 0; supply 0
        banners: red a2
        map:
        =rb   2.rk  =rb   {billies}
           1.    Ak    .
    """)
    (brass,) = [event for event in scored if event.feature == "brass"]
    assert (brass.printed, brass.points) == (2, [points, 0])
    assert scores(state) == (points, 0)


def test_a_preprinted_face_without_rivals_scores_for_nobody() -> None:
    state, scored = end_game("""
        seat 1: tokens 3 3 3 0; supply 0; hand yk
        seat 2: supply 0
        banners: red a1
        map:
        =rb   2.rk  .
           1.    Ak    .
    """)
    assert [(event.feature, event.winners) for event in scored] == [("keys", [LOUIS]), ("brass", [])]
    assert scores(state) == (0, 0)


def final(billie: str, louis: str) -> Outcome:
    state, _ = end_game(f"""
        seat 1: {billie}; supply 0; hand yk
        seat 2: {louis}; supply 0
        map:
        .     2.rk
           1.    Ak    .
    """)
    result = BEBOP.outcome(state)
    assert result is not None
    return result


def test_most_points_win() -> None:
    assert final("points 3 4 0; tokens 0 0 0 0", "points 1 5 0; tokens 9 9 9 0") == Outcome([BILLIE], [7, 6])


def test_a_tie_goes_to_who_has_most_tokens() -> None:
    assert final("points 3 4 0; tokens 1 0 1 0", "points 2 5 0; tokens 3 0 0 0").winners == [LOUIS]


def test_ruling_a_star_is_one_token() -> None:
    assert final("points 7 0 0; tokens 0 0 0 1", "points 7 0 0; tokens 1 1 0 0").winners == [LOUIS]


def test_ruling_shared_victory() -> None:
    both = final("points 7 0 0; tokens 0 0 1 1", "points 7 0 0; tokens 1 1 0 0")
    assert both == Outcome([BILLIE, LOUIS], [7, 7])


def test_the_end_is_the_end() -> None:
    state, _ = end_game(BLUE_FAMILY)
    assert phase(state) == "over"
    assert BEBOP.to_act(state) == frozenset()
    assert list(BEBOP.legal(state, state.turn)) == []


def test_before_the_end_there_is_no_outcome() -> None:
    assert BEBOP.outcome(position(BLUE_FAMILY)) is None
