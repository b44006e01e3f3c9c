"""Every Hype card in play, and the ball."""

import pytest

from jamboree.core.kit.events import NO_EVENTS, Emitter
from jamboree.games.bpm.rules import hype
from jamboree.games.bpm.rules.actions import CueSong, Decline, FinishSong, KeepFan, PlaceToken, SendOnBreak, SwapDancers
from jamboree.games.bpm.rules.events import (
    BallMoved,
    BallPlaced,
    ComboScored,
    FloorShifted,
    HypeRevealed,
    OrderFound,
    SongsPassed,
    SongStarted,
    TokenPlaced,
)
from jamboree.games.bpm.rules.state import State

from ..table import ADA, BIX, BPM, act, events_of, offered, only_event, phase, position, refused, shows, superfans


def targets(state: State, kind: type[PlaceToken | SendOnBreak | KeepFan | SwapDancers]) -> set[str]:
    return {action.cell for action in offered(state) if isinstance(action, kind)}


CUED = """
    round: 5 cue
    turn: -
    hype: {hype}
    seat 1: hand {ada}; sealed 0
    seat 2: hand {bix}
    floor:
    r^1 y>  g^
    yv  r<  b<2
    bv  g>  r>
    g<  y^  rv
"""
FAST = "1"  # 172
SLOW = "13"  # 66
MIDDLE = "14"  # 128 of 1999
MIDDLE_LATER = "23"  # 128 of 2011


def drop_songs(card: str, ada: str = FAST, bix: str = SLOW):  # type: ignore[no-untyped-def]
    """Ada and Bix drop their songs under a Hype card."""
    state = position(CUED.format(hype=card, ada=ada, bix=bix))
    return state, act(state, CueSong(0), actor=BIX)


def test_the_lowest_bpm_plays_first() -> None:
    _, events = drop_songs("-")
    assert only_event(events, OrderFound).order == [BIX, ADA]


def test_of_equal_bpm_the_earlier_release_plays_first() -> None:
    assert only_event(drop_songs("-", MIDDLE, MIDDLE_LATER)[1], OrderFound).order == [ADA, BIX]
    assert only_event(drop_songs("-", MIDDLE_LATER, MIDDLE)[1], OrderFound).order == [BIX, ADA]


def test_slow_burn() -> None:
    assert only_event(drop_songs("slow-burn")[1], OrderFound).order == [ADA, BIX]


def test_ruling_slow_burn_ties() -> None:
    assert only_event(drop_songs("slow-burn", MIDDLE, MIDDLE_LATER)[1], OrderFound).order == [ADA, BIX]
    assert only_event(drop_songs("slow-burn", MIDDLE_LATER, MIDDLE)[1], OrderFound).order == [BIX, ADA]


SONG = """
    round: {round} song
    at: 1
    hype: {hype}
    seat 1: song red {action}
    seat 2: song blue hop
    floor:
    r^  y>  g^2
    yv  r<1 b<
    bv  g>  r>
    g<  y^  rv
"""


def song(hype: str, action: str, round: int = 1):  # type: ignore[no-untyped-def]
    return position(SONG.format(hype=hype, action=action, round=round))


def test_any_request() -> None:
    free = {"a1", "b1", "a2", "c2", "a3", "b3", "c3", "a4", "b4", "c4"}
    assert targets(song("any-request", "hop"), PlaceToken) == free


def test_ruling_any_request_keeps_limit() -> None:
    state = song("any-request", "left-right")
    act(state, SwapDancers("a3", "b3"))
    assert targets(state, PlaceToken) == {"a3", "b3"}


def test_two_step() -> None:
    state = song("two-step", "left-right")
    act(state, SwapDancers("b3", "c3"))
    assert targets(state, PlaceToken) == {"b3"}
    act(state, SwapDancers("a3", "b3"))
    assert targets(state, PlaceToken) == {"a3"}
    assert not targets(state, SwapDancers)


def test_ruling_two_step_movement_only() -> None:
    state = song("two-step", "break")
    act(state, SendOnBreak("a1"), "b^")
    assert not targets(state, SendOnBreak), "one bathroom break"
    state = song("two-step", "up-down")
    act(state, SwapDancers("c3", "c4"))
    act(state, SwapDancers("a1", "a2"))
    assert targets(state, PlaceToken) == {"c3", "c4", "a2"}, "dancers of both swaps have moved"
    state = song("two-step", "up-down")
    act(state, SwapDancers("c3", "c4"))
    act(state, PlaceToken("c3"), "warm-welcome")
    assert state.round == 2, "after the placement no second swap comes"


def test_house_lights() -> None:
    state = song("house-lights", "left-right")
    act(state, SwapDancers("a3", "b3"))
    assert targets(state, PlaceToken) == {"a1", "c3", "c4"}


def test_ruling_house_lights_keeps_colour() -> None:
    state = song("house-lights", "left-right")
    act(state, SwapDancers("a3", "b3"))
    assert refused(state, PlaceToken("a3")).key == "other-colour.red"


def test_warm_welcome() -> None:
    """In song order, before the songs, whatever the colour."""
    state, _ = drop_songs("warm-welcome")
    assert (phase(state), state.turn) == ("welcome", BIX)
    assert targets(state, PlaceToken) == {"a4", "b4", "c4"}
    assert refused(state, PlaceToken("a3")).key == "not-welcome"
    act(state, PlaceToken("b4"))
    assert (phase(state), state.turn) == ("welcome", ADA)
    assert targets(state, PlaceToken) == {"a4", "c4"}
    events = act(state, Decline())
    assert (phase(state), state.turn) == ("song", BIX)
    assert events_of(events, TokenPlaced) == []


def test_nobody_without_tokens_or_room_is_welcomed() -> None:
    state = position(CUED.format(hype="warm-welcome", ada=FAST, bix=SLOW).replace("seat 1:", "seat 1: tokens 0;"))
    act(state, CueSong(0), actor=BIX)
    events = act(state, Decline())
    assert only_event(events, SongStarted).seat == BIX


def test_crowd_surf() -> None:
    state, events = drop_songs("crowd-surf")
    assert only_event(events, FloorShifted).how == "surf"
    assert shows(
        state,
        """
        yv  r<  b<2
        bv  g>  r>
        g<  y^  rv
        r^1 y>  g^
    """,
    )


def test_mosh_pit() -> None:
    state, events = drop_songs("mosh-pit")
    assert only_event(events, FloorShifted).how == "mosh"
    assert shows(
        state,
        """
        g^  r^1 y>
        b<2 yv  r<
        r>  bv  g>
        rv  g<  y^
    """,
    )


@pytest.mark.parametrize("card", ["crowd-surf", "mosh-pit", "warm-welcome"])
def test_ruling_before_songs(card: str) -> None:
    """After the Drop, before the first song: the floor is as it was while songs were cued."""
    state = position(CUED.format(hype=card, ada=FAST, bix=SLOW))
    assert shows(state, CUED.rpartition("floor:\n")[2])
    assert offered(state, ADA) == [], "Ada has one song, and it is sealed"
    events = act(state, CueSong(0), actor=BIX)
    kinds = [type(event) for event in events]
    if card != "warm-welcome":
        assert kinds.index(OrderFound) < kinds.index(FloorShifted) < kinds.index(SongStarted)
    else:
        assert SongStarted not in kinds


COMBO = """
    round: 5 song
    at: 1
    hype: {hype}
    seat 1: song red hop
    seat 2: song blue hop
    floor:
    r^1 y>1 g^1
    yv1 r<  b<
    bv1 g>  r>
    g<2 y^2 rv
"""


def test_stage_dive() -> None:
    state = position(COMBO.format(hype="stage-dive"))
    events = act(state, FinishSong(), "b^", "b^", "b^", "b^", "b^")
    combo = only_event(events, ComboScored)
    assert (combo.seat, combo.kept, len(combo.superfans)) == (ADA, None, 5)
    assert superfans(state) == [5, 0]


def test_ruling_stage_dive_no_choice() -> None:
    state = position(COMBO.format(hype="stage-dive"))
    act(state, FinishSong(), "b^", "b^", "b^", "b^", "b^")
    assert (phase(state), state.turn) == ("gift", BIX), "the neighbour still places"
    assert state.tokens == [8, 6]


def test_pairs_dance() -> None:
    state = position(COMBO.format(hype="pairs-dance"))
    act(state, FinishSong())
    assert (phase(state), state.turn) == ("stay", BIX), "two side by side are enough"
    assert targets(state, KeepFan) == {"a4", "b4"}
    act(state, KeepFan("a4"), "b^")
    assert superfans(state) == [0, 1]


def test_ruling_pairs_dance_in_rows() -> None:
    state = position(COMBO.format(hype="pairs-dance").replace("y>1", "y> "))
    assert [len(line.cells) for line in BPM.view(state, None).lines] == [3, 2], "of columns three"
    state = position(COMBO.format(hype="pairs-dance").replace("bv1", "bv "))
    assert BPM.view(state, None).lines[ADA].cells == ["a1", "b1", "c1"], "two in a column are none, though they touch"
    assert BPM.view(state, None).lines[ADA].superfans == 2, "one stays over all of it"


def test_power_cut() -> None:
    state = song("power-cut", "hop", 5)
    assert not targets(state, SwapDancers)
    assert targets(state, PlaceToken) == {"a1", "c3", "c4"}
    assert refused(state, SwapDancers("a1", "c1")).key == "no-actions"


def test_ruling_power_cut_stops_breaks() -> None:
    state = song("power-cut", "break", 5)
    assert not targets(state, SendOnBreak)
    assert refused(state, SendOnBreak("a1")).key == "no-actions"


def test_pass_the_aux() -> None:
    state, events = drop_songs("pass-the-aux")
    assert [song.number for song in only_event(events, SongsPassed).songs] == [int(SLOW), int(FAST)]
    assert only_event(events, OrderFound).order == [ADA, BIX]
    assert state.playing == [int(SLOW) - 1, int(FAST) - 1]


def test_ruling_aux_new_owner() -> None:
    """Songs go one seat to the left; turn and order follow the song's new owner."""
    state = position("""
        seats: 3
        round: 5 cue
        turn: -
        hype: pass-the-aux
        seat 1: hand 1; sealed 0; tokens 0
        seat 2: hand 13; sealed 0
        seat 3: hand 14
        floor:
        r^1 y>  g^  r^
        yv  r<  b<2 r^
        bv  g>  r>  r^
        g<  y^  rv  r^
    """)
    act(state, CueSong(0), actor=2)
    assert state.playing == [13, 0, 12]
    assert list(state.order) == [2, 0, 1]
    assert state.turn == 2
    act(state, FinishSong())
    assert (state.turn, phase(state)) == (ADA, "recover"), "and so does getting a token back"


def test_double_drop() -> None:
    state = song("double-drop", "hop", 5)
    act(state, PlaceToken("a1"))
    assert targets(state, PlaceToken) == {"c3", "c4"}
    act(state, PlaceToken("c4"), "mosh-pit")
    assert state.tokens[ADA] == 5


def test_ruling_double_drop_two_dancers() -> None:
    state = song("double-drop", "hop", 5)
    act(state, PlaceToken("a1"))
    assert refused(state, PlaceToken("a1")).key == "has-token"
    moved = song("double-drop", "up-down", 5)
    act(moved, SwapDancers("c2", "c3"))
    act(moved, PlaceToken("c2"), "mosh-pit")
    assert moved.tokens[ADA] == 6, "each by the usual rule: only one moved dancer is red"


def test_ruling_ball_touching_dancer() -> None:
    state = position("""
        floor:
        r^  y>  g^
           o
        yv  r<  b<
        bv  g>  r>
    """)
    hype.move_ball(state, NO_EVENTS)
    assert state.room.names[state.ball] == "a2", "the dancer front-left of it faces the stage: it loops"
    gap = position("""
        floor:
        r^  y>  g^
        --  r<  b<
           o
        --  g>  r>
    """)
    events: list = []  # type: ignore[type-arg]
    hype.move_ball(gap, Emitter(events.append))
    assert gap.room.names[gap.ball] == "a2"
    assert only_event(events, BallMoved).dancer is None


def test_beachball_bop_puts_the_ball_on_the_front_left_corner() -> None:
    state = position(SONG.format(hype="-", action="hop", round=3))
    events = act(state, FinishSong(), "beachball-bop")
    assert only_event(events, BallPlaced).cell == "a1"
    assert events_of(events, BallMoved) == [], "it is new this round"
    assert BPM.view(state, None).ball == "a1"


def test_ruling_ball_bop_again() -> None:
    state = position("""
        round: 9 song
        at: 1
        used: beachball-bop slow-burn
        seat 1: song red hop; superfans b^
        seat 2: song blue hop; superfans b^
        floor:
        r^  y>  g^
        yv  r<  b<
           o
        bv  g>  r>
    """)
    events = act(
        state, FinishSong(), "2 Loud Enough for Your Mother", "3 My Amp Goes to Ten (It's a Nice Ten)", "beachball-bop"
    )
    assert (only_event(events, BallMoved).cell, only_event(events, BallMoved).to) == ("a2", "a1")
    assert only_event(events, BallPlaced).cell == "a1"


def test_a_revealed_card_is_told_with_nobody_behind_it() -> None:
    state = position(SONG.format(hype="-", action="hop", round=1))
    revealed = only_event(act(state, FinishSong(), "slow-burn"), HypeRevealed)
    assert (revealed.card, revealed.seat, revealed.under) == ("slow-burn", None, None)
