"""After the songs: the ball's superfans, the Crowd Bonus, combos and the token from the left."""

import pytest

from jamboree.games.bpm.rules.actions import FinishSong, KeepFan, MakeSuperfan, PlaceToken
from jamboree.games.bpm.rules.events import AnyEvent, BallCaught, BonusScored, ComboScored, FloorFilled, TokenPlaced
from jamboree.games.bpm.rules.state import State

from ..table import ADA, BIX, act, events_of, offered, only_event, phase, position, refused, shows, superfans
from .test_floor import empty_pile

LAST = """
    round: 5 song
    at: 1
    hype: {hype}
    seat 1: song red hop
    seat 2: song blue hop
    floor:
"""


def after_songs(floor: str, *values: str, hype: str = "slow-burn") -> tuple[State, list[AnyEvent]]:
    """End the last song of the round without any action; Bix played first."""
    state = position(LAST.format(hype=hype) + floor)
    return state, act(state, FinishSong(), *values)


def cells(state: State) -> set[str]:
    fans = [action for action in offered(state) if isinstance(action, KeepFan | MakeSuperfan)]
    assert fans == offered(state)
    return {fan.cell for fan in fans}


CROSSING = """
    r^1 r<1 rv1
    y^1 b<2 g>
    yv1 b^  g<2
    y<  bv  gv
"""


def test_a_combo() -> None:
    """Three in a row and three in a column: of the five fans one stays, four are superfans."""
    state, _ = after_songs(CROSSING)
    assert (phase(state), state.turn) == ("stay", ADA)
    assert cells(state) == {"a1", "b1", "c1", "a2", "a3"}
    assert refused(state, KeepFan("b2")).key == "not-in-a-line"
    events = act(state, KeepFan("a3"), "y>", "y>", "r>", "b>")
    combo = only_event(events, ComboScored)
    assert combo.kept == "a3"
    assert [dancer.colour for dancer in combo.superfans] == ["red", "red", "red", "yellow"]
    assert superfans(state) == [4, 0]
    assert state.tokens == [7, 6]
    assert shows(
        state,
        """
        yv1 b<2 g>
        y<  b^  g<2
        y>  bv  gv
        y>  r>  b>
    """,
    )


def test_ruling_one_stays_over_all_lines() -> None:
    state, _ = after_songs(CROSSING)
    act(state, KeepFan("a1"), "y>", "y>", "r>", "b>")
    assert superfans(state) == [4, 0]
    assert state.fans[ADA].bit_count() == 1


def test_the_player_on_the_left_places_a_token_of_the_scorer() -> None:
    state, _ = after_songs(CROSSING)
    act(state, KeepFan("a3"), "y>", "y>", "r>", "b>")
    assert (phase(state), state.turn) == ("gift", BIX)
    assert len(offered(state)) == 12 - 3, "any empty dancer"
    assert refused(state, PlaceToken("a1")).key == "has-token"
    placed = only_event(act(state, PlaceToken("c4"), "double-drop"), TokenPlaced)
    assert (placed.seat, placed.owner, placed.cell) == (BIX, ADA, "c4")
    assert state.tokens == [6, 6]


def test_the_left_neighbour_is_the_next_seat() -> None:
    state = position("""
        seats: 3
        round: 5 song
        turn: 3
        at: 2
        seat 1: song red hop
        seat 2: song blue hop
        seat 3: song green hop
        floor:
        r^3 r<3 rv3 r^
        y^1 b<2 g>  r^
        yv1 b^  g<2 r^
        y<  bv  gv  r^
    """)
    act(state, FinishSong())
    act(state, KeepFan("a1"), "b^", "b^")
    assert state.turn == ADA


def test_ruling_combos_compulsory() -> None:
    """Nothing but a fan to keep is offered, then nothing but a dancer for the token; without one nobody is asked."""
    state, _ = after_songs(CROSSING)
    assert all(isinstance(action, KeepFan) for action in offered(state))
    act(state, KeepFan("a3"), "y>", "y>", "r>", "b>")
    assert all(isinstance(action, PlaceToken) for action in offered(state))
    full = position(
        LAST.format(hype="slow-burn")
        + """
    r^1 r<1 rv1
    y^2 b<2 g>1
    --  --  --
"""
    )
    empty_pile(full)
    act(full, FinishSong())
    events = act(full, KeepFan("a1"), "double-drop")
    assert events_of(events, TokenPlaced) == []
    assert full.round == 6


def test_combos_go_in_song_order() -> None:
    state, _ = after_songs("""
    r^1 r<1 rv1
    y^2 b<2 g>2
    yv  b^  g<
    y<  bv  gv
    """)
    assert state.turn == BIX, "who played first"
    act(state, KeepFan("a2"), "y>", "y>")
    act(state, PlaceToken("c4"))
    assert (phase(state), state.turn) == ("stay", ADA)


V_SHAPE = """
    y^{x} b<{x} g>{x}
    yv  r<{y} b^
    r^{y} b^  rv{y}
    y<  bv  gv
"""


def test_ruling_lines_by_filling_wait() -> None:
    """Bix has checked when filling makes a line of Bix's fans, so it waits for the next round."""
    state, _ = after_songs(V_SHAPE.format(x=1, y=2))
    assert (phase(state), state.turn) == ("stay", ADA)
    events = act(state, KeepFan("b1"), "y>", "y>")
    assert only_event(events, FloorFilled).lines[BIX].cells == ["a2", "b2", "c2"]
    events = act(state, PlaceToken("a4"), "mosh-pit")
    assert events_of(events, ComboScored) == []
    assert state.round == 6
    assert state.in_lines(BIX).bit_count() == 3


def test_a_line_that_comes_by_filling_is_scored_by_who_is_still_to_check() -> None:
    state, _ = after_songs(V_SHAPE.format(x=2, y=1))
    assert (phase(state), state.turn) == ("stay", BIX)
    act(state, KeepFan("b1"), "y>", "y>")
    act(state, PlaceToken("a4"))
    assert (phase(state), state.turn) == ("stay", ADA)


def ball(first: str, second: str, third: str, *values: str):  # type: ignore[no-untyped-def]
    return after_songs(
        f"""
    r^{first}  y>{second}  g^2
       o
    yv{third}  r<  b<
    bv  g>  r>2
    g<  y^  rv
    """,
        *values,
    )


def test_most_fans_at_the_ball() -> None:
    state, events = ball("1", "1", "2", "g>", "double-drop")
    assert [(caught.seat, caught.fans) for caught in events_of(events, BallCaught)] == [(ADA, ["a1", "b1"])]
    assert superfans(state) == [1, 0]


def test_nobody_at_the_ball() -> None:
    _, events = ball(" ", " ", " ", "double-drop")
    assert events_of(events, BallCaught) == []


def test_ruling_ball_in_song_order() -> None:
    _, events = ball("1", "2", " ", "g>", "g<", "double-drop")
    assert [caught.seat for caught in events_of(events, BallCaught)] == [BIX, ADA]
    scarce = position(
        LAST.format(hype="slow-burn")
        + """
    r^1 y>2 g^
       o
    yv  r<  b<
    bv  g>  r>
"""
    )
    empty_pile(scarce)
    scarce.gone[0] = 1
    scarce.superfans[BIX][0] -= 1
    events = act(scarce, FinishSong(), "r^", "double-drop")
    assert [caught.seat for caught in events_of(events, BallCaught)] == [BIX], "while there are any"


BONUS = """
    r^1 y>2 g^1
    yv  r<1 b<
    bv2 g>  r>2
    g<1 y^  rv1
"""


@pytest.mark.parametrize(
    ("card", "ada", "bix"),
    [
        ("front-row", {"a1", "b1", "c1"}, {"b1"}),
        ("back-row", {"a4", "c4"}, set()),
        ("corners", {"a1", "c1", "a4", "c4"}, set()),
        ("centre", {"b2"}, set()),
        ("left-wall", {"a1", "a3"}, {"a3"}),
        ("right-wall", {"c1", "c3"}, {"c3"}),
    ],
)
def test_every_crowd_bonus(card: str, ada: set[str], bix: set[str]) -> None:
    """Bix played first, and filling moved some of Ada's fans; a player with one fan there is not asked."""
    fills = ["b^"] * (len(bix) + (len(ada) == 1)) + (["double-drop"] if len(ada) == 1 else [])
    state, events = after_songs(BONUS, *fills, hype=card)
    assert {scored.cell for scored in events_of(events, BonusScored) if scored.seat == BIX} == bix
    if len(ada) > 1:
        assert (phase(state), state.turn) == ("bonus", ADA)
        assert cells(state) == ada
    else:
        assert {scored.cell for scored in events_of(events, BonusScored) if scored.seat == ADA} == ada


def test_ruling_crowd_bonus_in_turn() -> None:
    """Compulsory, in song order, the floor filled after each; the token comes home."""
    state, events = after_songs(BONUS, "b^", hype="front-row")
    assert [type(event) for event in events][-2:] == [BonusScored, FloorFilled]
    assert shows(
        state,
        """
        r^1 r<1 g^1
        yv  g>  b<
        bv2 y^  r>2
        g<1 b^  rv1
    """,
    )
    assert cells(state) == {"a1", "b1", "c1"}, "b1 came there by filling"
    assert all(isinstance(action, MakeSuperfan) for action in offered(state))
    assert refused(state, MakeSuperfan("a4")).key == "no-bonus-fan"
    act(state, MakeSuperfan("a1"), "b^", "double-drop")
    assert superfans(state) == [1, 1]
    assert state.tokens == [4, 6]


def test_ruling_areas_are_geometric() -> None:
    """The back row is the last row of the floor; who stands last before gaps is not in it."""
    state = position(
        LAST.format(hype="back-row")
        + """
    r^1 y>2 g^
    yv  r<1 b<2
    bv2 g>  --
"""
    )
    empty_pile(state)
    events = act(state, FinishSong(), "double-drop")
    assert [(scored.seat, scored.cell) for scored in events_of(events, BonusScored)] == [(BIX, "a3")]


def test_the_bonus_comes_before_combos() -> None:
    state, _ = after_songs(
        """
    r^1 r<1 rv1
    y^  b<2 g>
    yv  b^  g<2
    y<  bv  gv
    """,
        hype="front-row",
    )
    assert phase(state) == "bonus"
    act(state, MakeSuperfan("b1"), "b>", "double-drop")
    assert superfans(state) == [1, 0], "the line is gone when combos are checked"
