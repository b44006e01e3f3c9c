"""Views, and the distribution of determinizations."""

from collections import Counter
from math import sqrt
from textwrap import dedent

import pytest

from jamboree.core.chance import Seeded
from jamboree.core.game import Eye, dump
from jamboree.games.bpm.rules.actions import CueSong, DiscardSongs, PlaceToken, SwapDancers
from jamboree.games.bpm.rules.events import TokenPlaced
from jamboree.games.bpm.rules.setup import Options

from .table import ADA, BIX, BPM, act, only_event, position


def test_hands_discards_and_quests_are_their_owners() -> None:
    state = BPM.setup(3, Options(), Seeded(2))
    for seat in range(3):
        act(state, DiscardSongs(0, 1), *(["two-step"] if seat == 2 else []), actor=seat)
    for viewer in (0, 1, 2, None):
        view = BPM.view(state, viewer)
        for seat in range(3):
            mine = seat == viewer
            assert (view.hands[seat].songs is not None) == mine
            assert (view.aside[seat].songs is not None) == mine
            assert (view.quests[seat] is not None) == mine
            assert (view.hands[seat].count, view.aside[seat].count) == (8, 2)
    everything = BPM.view(state, Eye.ALL)
    assert all(hand.songs is not None for hand in everything.hands)


TINY = """
    round: 8 cue
    turn: -
    hype: slow-burn
    used: two-step slow-burn
    {played}
    seat 1: hand 1; aside 2 3; quest red
    seat 2: hand 4; aside 5 6; quest left; sealed 0
    floor:
    r^  y>  g^
    yv  r<  b<
"""


def test_every_way_is_imagined_as_often_as_it_is_likely() -> None:
    """Ada does not see songs 4 to 8: each is equally often in Bix's hand; so is each of seven quests with Bix."""
    played = "played: " + " ".join(str(number) for number in range(9, 61))
    view = BPM.view(position(TINY.format(played=played)), ADA)
    hands = Counter[int]()
    quests = Counter[int]()
    games = 4000
    for seed in range(games):
        state = BPM.imagine(view, Seeded(seed))
        hands[state.hands[BIX][0]] += 1
        quests[state.quests[BIX]] += 1
        assert {*state.hands[BIX], *state.aside[BIX]} <= {3, 4, 5, 6, 7}
    for counted, ways in ((hands, 5), (quests, 7)):
        assert len(counted) == ways
        expected = games / ways
        assert all(abs(count - expected) < 4.5 * sqrt(expected) for count in counted.values())


def test_an_all_seeing_view_gives_the_position_back() -> None:
    state = BPM.setup(4, Options(hypemaster=True), Seeded(2))
    for seat in range(3):
        act(state, DiscardSongs(0, seat + 1), actor=seat)
    again = BPM.imagine(BPM.view(state, Eye.ALL), Seeded(1))
    assert dump(again) == dump(state)


LINE = """
    seat 1: song red hop
    seat 2: song blue hop
    floor:
    r^1 r<  rv1
       o
    y^  b<2 g>1
    yv  b^  --
"""


def test_a_placement_that_completes_a_line_says_so() -> None:
    view = BPM.view(position(LINE), ADA)
    preview = BPM.preview(view, PlaceToken("b1"))
    placed = only_event(preview.events, TokenPlaced)
    assert placed.lines[ADA].cells == ["a1", "b1", "c1"]
    assert placed.lines[ADA].superfans == 2
    assert preview.points == [0, 0], "they are not made yet"


def test_lines_and_the_next_hop_are_in_the_view() -> None:
    view = BPM.view(position(LINE.replace("r< ", "r<1")), None)
    assert [line.superfans for line in view.lines] == [2, 0]
    assert (view.ball, view.hop) == ("a1", "a2")


def test_lines_are_listed_one_by_one() -> None:
    view = BPM.view(
        position("""
            seat 1: song red hop
            seat 2: song blue hop
            floor:
            r^1 r<1 rv1
            y^2 b<1 g>2
            yv1 b^  r^1
        """),
        None,
    )
    assert view.lines[ADA].runs == [["a1", "b1", "c1"], ["a1", "b2", "c3"], ["c1", "b2", "a3"]]
    assert view.lines[ADA].cells == ["a1", "b1", "c1", "b2", "a3", "c3"]
    assert view.lines[BIX].runs == []


@pytest.mark.parametrize(
    ("card", "bends", "area"),
    [
        ("-", [], []),
        ("slow-burn", ["order"], []),
        ("power-cut", ["moves", "breaks"], []),
        ("warm-welcome", ["welcome"], ["a3", "b3", "c3"]),
        ("corners", ["bonus"], ["a1", "c1", "a3", "c3"]),
    ],
)
def test_what_the_hype_card_bends_is_in_the_view(card: str, bends: list[str], area: list[str]) -> None:
    view = BPM.view(position(f"hype: {card}\n" + dedent(LINE)), None)
    assert (view.bends, view.area) == (bends, area)


def test_who_would_catch_the_ball_is_in_the_view() -> None:
    assert BPM.view(position(LINE), None).catching == [ADA, BIX]
    assert BPM.view(position(LINE.replace("r< ", "r<1")), None).catching == [ADA]
    assert BPM.view(position(LINE.replace("^1", "^ ").replace("<2", "< ")), None).catching == []


def test_looking_ahead_changes_nothing() -> None:
    state = position(LINE)
    before = dump(state)
    view = BPM.view(state, ADA)
    BPM.preview(view, SwapDancers("a1", "c1"))
    BPM.why_not(view, CueSong(0))
    assert dump(state) == before
