"""Score the stage: when a band performs, who listens, what it brings."""

import pytest

from jamboree.games.bebop.rules.actions import BookSeat, ClaimSeat, PerformStage, TakeFromQueue
from jamboree.games.bebop.rules.events import FamilyScored, FeatureScored, StagePerformed
from jamboree.games.bebop.rules.state import State

from ..boards import board_text
from ..table import (
    BEBOP,
    BILLIE,
    ELLA,
    LOUIS,
    act,
    events_of,
    offered,
    only_event,
    phase,
    position,
    refused,
    scores,
    shows,
)

CUT_BY_A_BORDER = board_text(
    """
  . . . .
 . A A * .
  . . . .
""",
    regions="""
  2 2 2 2
 3 2 2 2 4
  3 2 2 2
""",
)


def rulebook_example() -> State:
    """Louis (2) has an open VIP seat; the hexes left of the stage are outside the two-player region."""
    return position(
        """
        seat 1: hand ab
        seat 2: supply 9 dsit
        rating: 7 6 7
        map:
              1.rb  2.gk  2.pb  1.pk
                 Ab    Ak    2v
                    1.ak  1.    2.ak
        """,
        CUT_BY_A_BORDER,
    )


def test_example_double_stage_of_two_players() -> None:
    state = rulebook_example()
    events = act(state, BookSeat(0, "c3"))
    assert only_event(events, FamilyScored).points == 1  # one brass die in the blue family
    keys, brass = events_of(events, FeatureScored)
    assert [len(heard) for heard in brass.listeners] == [2, 1]
    assert (brass.winners, brass.points, brass.token_to, brass.marker) == ([BILLIE], 6, BILLIE, 5)
    assert [len(heard) for heard in keys.listeners] == [2, 2]
    assert (keys.winners, keys.points, keys.token_to, keys.marker) == ([BILLIE, LOUIS], 3, BILLIE, 6)
    assert scores(state) == (1 + 6 + 3, 3)
    assert (state.rating, state.held[BILLIE]) == ([6, 5, 7], (1, 1, 0, 0))


def test_an_open_vip_seat_does_not_hold_a_stage_up() -> None:
    state = rulebook_example()
    assert BEBOP.view(state, BILLIE).stages[0].missing == ["c3"]
    assert events_of(act(state, BookSeat(0, "c3")), StagePerformed)


def test_hexes_outside_the_region_do_not_hold_a_stage_up() -> None:
    """With three players the hexes left of the stage count, and it does not perform."""
    state = position(
        """
        seats: 3
        seat 1: hand ab
        map:
              1.rb  2.gk  2.pb  1.pk
           .     Ab    Ak    2v
              .     1.ak  1.    2.ak
        """,
        CUT_BY_A_BORDER,
    )
    assert events_of(act(state, BookSeat(0, "c3")), StagePerformed) == []
    assert BEBOP.view(state, BILLIE).stages[0].missing == ["b1", "c1"]


def test_a_seat_without_a_die_is_not_enough() -> None:
    state = position("""
        seat 1: hand gk
        map:
           1.    2.
        .     Ak
           .     .
    """)
    events = act(state, BookSeat(0, "a1"))
    assert events_of(events, StagePerformed) == []
    assert BEBOP.view(state, BILLIE).stages[0].missing == ["a2", "b1", "c1", "c2"]


def test_a_preprinted_die_fills_its_hex() -> None:
    state = position("""
        seat 1: hand gk
        map:
        1.    Ak    =rk
    """)
    assert events_of(act(state, BookSeat(0, "a1")), StagePerformed)


def test_preprinted_dice_connect_families_to_a_stage_and_do_not_compete() -> None:
    state = position("""
        seat 1: hand gk
        map:
        2.rb  =rk   Ak    1.    =gk
           2.rk
    """)
    scored = only_event(act(state, BookSeat(0, "a4")), FeatureScored)
    assert scored.listeners == [["a4"], ["b1"]]  # a2 and a5 belong to nobody
    assert (scored.winners, scored.token_to) == ([BILLIE, LOUIS], BILLIE)


def test_dice_in_a_family_next_to_the_stage_listen_however_far_away() -> None:
    state = position("""
        seat 1: hand gk
        map:
        1.    Ak    2.rb  1.rk  1.rk  2.rk  .     2.rk
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FeatureScored)
    assert scored.listeners == [["a1", "a4", "a5"], ["a6"]]


def test_the_winner_need_not_be_the_active_player() -> None:
    state = position("""
        seat 1: hand gb
        map:
        1.    Ak    2.rk
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FeatureScored)
    assert (scored.winners, scored.points, scored.token_to, scored.marker) == ([LOUIS], 7, LOUIS, 6)
    assert (scores(state), state.held[LOUIS]) == ((0, 7), (1, 0, 0, 0))


def test_tied_players_divide_the_points_rounded_down() -> None:
    state = position("""
        seats: 3
        seat 1: hand gk
        rating: 8 10 10
        map:
        1.    Ak    2.rk  3.rk
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FeatureScored)
    assert (scored.winners, scored.points, scored.marker) == ([BILLIE, LOUIS, ELLA], 2, 7)
    assert scores(state) == (2, 2, 2)


def test_a_tie_without_the_active_player_sends_the_token_to_the_box() -> None:
    state = position("""
        seats: 3
        seat 1: hand gb
        map:
        1.    AK    2.rk  3.rk
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FeatureScored)
    assert (scored.winners, scored.points, scored.token_to) == ([LOUIS, ELLA], 5, None)
    assert state.box == [0, 0, 0, 1, 0, 0]
    assert state.held == [(0, 0, 0, 0)] * 3


def test_a_star_is_won_like_any_token_and_shows_its_other_side() -> None:
    state = position("""
        options: star
        seat 1: hand gb
        map:
        1.    AB    2.rk
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FeatureScored)
    assert (scored.points, scored.marker, state.held[BILLIE]) == (7, 6, (0, 0, 0, 1))


def test_the_spaces_of_a_performed_stage_are_empty() -> None:
    state = position("""
        seat 1: hand gk
        queue: rk rk rk rk
        map:
        1.    Ak    Ab    2.rk
    """)
    act(state, BookSeat(0, "a1"))
    act(state, TakeFromQueue(0), "red", "keys")
    shows(state, "1.gk  A-    A-    2.rk")
    act(state, ClaimSeat("backstage", "a3"))
    shows(state, "1.gk  A-    2s    2.rk")


TWO_STAGES = """
    seat 1: hand gk
    queue: rk rk rk rk
    map:
    2.rk  Ak    1.    Bk    1.yb
"""


def test_the_active_player_picks_the_order_of_several_stages() -> None:
    state = position(TWO_STAGES)
    assert events_of(act(state, BookSeat(0, "a3")), StagePerformed) == []
    assert (phase(state), offered(state)) == ("perform", [PerformStage("A"), PerformStage("B")])
    events = act(state, PerformStage("B"))
    assert [event.stage for event in events_of(events, StagePerformed)] == ["B", "A"]  # the last needs no choice
    first, second = events_of(events, FeatureScored)
    assert (first.stage, first.value, first.winners) == ("B", 7, [BILLIE])
    assert (second.stage, second.value, second.points) == ("A", 6, 3)
    assert scores(state) == (10, 3)
    assert phase(state) == "take a die"


def test_the_other_order_of_these_stages() -> None:
    state = position(TWO_STAGES)
    act(state, BookSeat(0, "a3"))
    act(state, PerformStage("A"))
    assert scores(state) == (3 + 6, 3)


def test_only_complete_stages_can_be_picked() -> None:
    state = position("""
        seat 1: hand gk
        map:
        2.rk  Ak    1.    Bk    1.yb  Ck    .
    """)
    act(state, BookSeat(0, "a3"))
    refusal = refused(state, PerformStage("C"))
    assert (refusal.rule, refusal.key) == ("stage", "not-complete")


def test_ruling_nobody_listens() -> None:
    state = position("""
        seat 1: hand gk
        rating: 4 4 4
        map:
        1.    Ab    2.rk
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FeatureScored)
    assert (scored.winners, scored.points, scored.token_to, scored.marker) == ([], 0, None, 4)
    assert (state.rating, state.box, scores(state)) == ([4, 4, 4], [0, 1, 0, 0, 0, 0], (0, 0))


def test_ruling_feature_order() -> None:
    """Keys, brass, percussion, however the tokens lie."""
    state = position("""
        seat 1: hand gk
        map:
        1.    Ap    Ak    AB    2.rb
    """)
    events = events_of(act(state, BookSeat(0, "a1")), FeatureScored)
    assert [event.token.feature for event in events] == ["keys", "brass", "percussion"]


def test_ruling_feature_twice() -> None:
    """Token by token, the marker dropping between."""
    state = position(
        """
        seat 1: hand gk
        rating: 7 6 5
        map:
        1.    Ak    Ab    Ap    Ak    Ab    Ap    2.rb
        """,
        centre="A",
    )
    events = events_of(act(state, BookSeat(0, "a1")), FeatureScored)
    assert [(event.token.feature, event.value) for event in events] == [
        ("keys", 7),
        ("keys", 6),
        ("brass", 6),
        ("brass", 5),
        ("percussion", 5),
        ("percussion", 5),  # nobody listens for it
    ]
    assert scores(state) == (13, 11)
    assert (state.held[BILLIE], state.held[LOUIS]) == ((2, 0, 0, 0), (0, 2, 0, 0))


@pytest.mark.parametrize(("marker", "points", "after"), [(1, 1, 0), (0, 0, 0)])
def test_ruling_marker_at_zero(marker: int, points: int, after: int) -> None:
    state = position(f"""
        seat 1: hand gk
        rating: {marker} 7 7
        map:
        1.    Ak    2.rb
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FeatureScored)
    assert (scored.points, scored.marker, state.rating[0]) == (points, after, after)
    assert state.held[BILLIE] == (1, 0, 0, 0)  # the token is still worth having


def test_ruling_dice_anywhere_count() -> None:
    """Dice on VIP hexes and on spaces of performed stages are next to things and in families like any other."""
    state = position(
        """
        seat 1: hand rk
        map:
        2srk  1.rb  Ak    2vgk
                 1.
        """,
        board_text("B . A *\n   ."),
    )
    events = act(state, BookSeat(0, "b1"))
    assert only_event(events, FamilyScored).family == ["a1", "a2", "b1"]
    assert only_event(events, FeatureScored).listeners == [["b1"], ["a1", "a4"]]
