"""Playing a song: actions, placements, their limits, and a token that has to be won back."""

import pytest

from jamboree.games.bpm.rules.actions import (
    Decline,
    FinishSong,
    PlaceToken,
    RecoverToken,
    SendOnBreak,
    SwapDancers,
)
from jamboree.games.bpm.rules.events import (
    DancersSwapped,
    FloorFilled,
    Opening,
    SongFinished,
    SongStarted,
    StepDeclined,
    TokenPlaced,
    TokenRecovered,
)
from jamboree.games.bpm.rules.songs import has_choice

from ..table import ADA, BIX, act, events_of, offered, only_event, phase, position, refused, shows

FLOOR = """
    round: {round} song
    turn: 1
    hype: {hype}
    seat 1: song {song}
    seat 2: song blue hop
    floor:
    r^  y>  g^2
    yv  r<1 b<
    bv  g>  r>
    g<  y^  rv
"""


def playing(song: str, hype: str = "-", round: int = 1):  # type: ignore[no-untyped-def]
    return position(FLOOR.format(song=song, hype=hype, round=round))


def words(text: str) -> set[str]:
    return set(text.split())


def swaps(state) -> set[str]:  # type: ignore[no-untyped-def]
    return {f"{action.cell}{action.other}" for action in offered(state) if isinstance(action, SwapDancers)}


def places(state) -> set[str]:  # type: ignore[no-untyped-def]
    return {action.cell for action in offered(state) if isinstance(action, PlaceToken)}


def test_left_right_swaps_neighbours_in_a_row() -> None:
    assert swaps(playing("red left-right")) == words("a1b1 b1c1 a2b2 b2c2 a3b3 b3c3 a4b4 b4c4")


def test_up_down_swaps_neighbours_in_a_column() -> None:
    assert swaps(playing("red up-down")) == words("a1a2 b1b2 c1c2 a2a3 b2b3 c2c3 a3a4 b3b4 c3c4")


def test_a_hop_leaves_the_one_between_alone() -> None:
    state = playing("red hop")
    assert swaps(state) == words("a1c1 a2c2 a3c3 a4c4 a1a3 b1b3 c1c3 a2a4 b2b4 c2c4")
    act(state, SwapDancers("a1", "c1"))
    assert shows(
        state,
        """
        g^2 y>  r^
        yv  r<1 b<
        bv  g>  r>
        g<  y^  rv
    """,
    )


def test_a_song_may_place_without_its_action() -> None:
    state = playing("red hop")
    assert places(state) == {"a1", "c3", "c4"}, "red, and without a token"
    placed = only_event(act(state, PlaceToken("c3")), TokenPlaced)
    assert (placed.seat, placed.owner, placed.cell) == (ADA, ADA, "c3")
    assert state.tokens[ADA] == 6
    assert state.turn == BIX, "the song is over, and the next one is played"


def test_a_song_may_do_neither() -> None:
    state = playing("red hop")
    events = act(state, FinishSong())
    assert only_event(events, SongFinished).seat == ADA
    assert only_event(events, SongStarted).seat == BIX


def test_after_a_move_tokens_go_on_moved_dancers_only() -> None:
    state = playing("red left-right")
    act(state, SwapDancers("b3", "c3"))
    assert places(state) == {"b3"}, "the red one that came there"
    assert refused(state, PlaceToken("a1")).key == "not-moved"


def test_ruling_both_swapped_count() -> None:
    """Either of two red dancers that changed places can be taken."""
    state = playing("red up-down")
    act(state, SwapDancers("c3", "c4"))
    assert places(state) == {"c3", "c4"}


def test_ruling_action_first() -> None:
    state = playing("red left-right", hype="double-drop", round=5)
    act(state, PlaceToken("a1"))
    assert swaps(state) == set()
    assert places(state) == {"c3", "c4"}
    assert refused(state, SwapDancers("a1", "b1")).key == "action-done"


def test_ruling_nothing_left_to_do() -> None:
    """Two dancers of other colours swapped: no token can follow, so nobody is asked."""
    state = playing("red left-right")
    events = act(state, SwapDancers("a3", "b3"))
    assert events_of(events, SongFinished) == []
    assert only_event(events, SongStarted).seat == BIX


def test_nothing_is_left_to_do_on_a_floor_full_of_fans() -> None:
    """Every dancer is a fan, so nobody can take a break and no token can be placed: the song ends by itself."""
    full = FLOOR.replace("r^  y>  g^2", "r^1 y>2 g^2").replace("yv  r<1 b<", "yv1 r<1 b<2")
    full = full.replace("bv  g>  r>", "bv2 g>1 r>1").replace("g<  y^  rv", "g<2 y^1 rv2")
    assert not has_choice(position(full.format(song="red break", hype="-", round=1)), ADA)
    assert has_choice(position(full.format(song="red hop", hype="-", round=1)), ADA), "fans can still move"


def test_a_bathroom_break_lets_tokens_go_anywhere_newcomers_included() -> None:
    state = playing("red break")
    assert {action.cell for action in offered(state) if isinstance(action, SendOnBreak)} == words(
        "a1 b1 a2 c2 a3 b3 c3 a4 b4 c4"
    )
    events = act(state, SendOnBreak("b1"), "r>")
    assert shows(
        state,
        """
        r^  r<1 g^2
        yv  g>  b<
        bv  y^  r>
        g<  r>  rv
    """,
    )
    assert only_event(events, FloorFilled).newcomers[0].cell == "b4"
    assert places(state) == {"a1", "c3", "b4", "c4"}


GAPS = """
    seat 1: song {song}
    seat 2: song blue hop
    floor:
    r^  y>  g^2
    yv  --  b<
    --  --  r>
    --  --  rv
"""


def test_ruling_no_swap_with_gap() -> None:
    assert swaps(position(GAPS.format(song="red left-right"))) == {"a1b1", "b1c1"}
    assert swaps(position(GAPS.format(song="red up-down"))) == {"a1a2", "c1c2", "c2c3", "c3c4"}
    hop = position(GAPS.format(song="red hop"))
    assert swaps(hop) == {"a1c1", "a2c2", "c1c3", "c2c4"}, "over the gap in b2 too"
    assert refused(hop, SwapDancers("b1", "b3")).key == "swap-with-gap"
    breaking = position(GAPS.format(song="red break"))
    assert refused(breaking, SendOnBreak("b2")).key == "gap"
    assert refused(breaking, PlaceToken("b2")).key == "gap"


BROKE = """
    round: 4 recover
    turn: 1
    hype: {hype}
    left: 1 {places}
    seat 1: tokens 0; song red {action}
    seat 2: tokens 8; song blue hop
    floor:
    r^1 y>1 g^1
    yv1 r<1 b<1
    bv1 g>1 r>
    g<  y^  rv
"""


def test_ruling_recover_once() -> None:
    state = position(BROKE.format(hype="-", places=1, action="left-right"))
    assert Decline() in offered(state)
    events = act(state, RecoverToken("c1"), "r<")
    assert only_event(events, TokenRecovered).cell == "c1"
    assert (phase(state), state.tokens[ADA], sum(state.gone)) == ("song", 1, 1)
    assert state.superfans[ADA] == [0] * 16
    assert shows(
        state,
        """
        r^1 y>1 b<1
        yv1 r<1 r>
        bv1 g>1 rv
        g<  y^  r<
    """,
    )
    assert RecoverToken("a1") not in offered(state), "once a turn"
    assert places(state) == {"c2", "c3", "c4"}
    act(state, SwapDancers("b3", "c3"))
    assert places(state) == {"b3"}, "newcomers were not moved"


def test_only_a_fan_of_your_own_gives_its_token_back() -> None:
    drawing = BROKE.format(hype="-", places=1, action="left-right").replace("g^1", "g^ ")
    assert refused(position(drawing), RecoverToken("c1")).key == "not-your-fan", "not even beside one"


def test_nothing_is_left_to_do_after_getting_a_token_back() -> None:
    """No action under this card, and no red dancer without a token: Bix is next."""
    drawing = BROKE.format(hype="power-cut", places=1, action="left-right")
    drawing = drawing.replace("left: 1", "left: 0").replace("g>1 r>", "g>1 y>").replace("rv", "yv")
    events = act(position(drawing), RecoverToken("c1"), "b<")
    assert only_event(events, SongStarted).seat == BIX


def test_nothing_is_left_to_do_beside_gaps() -> None:
    drawing = GAPS.format(song="blue left-right").replace("r^  y>  g^2", "r^  --  g^2").replace("b<", "g<")
    state = position(drawing)
    assert not has_choice(state, ADA)
    assert has_choice(position(GAPS.format(song="blue left-right")), ADA)


def test_getting_a_token_back_is_optional() -> None:
    state = position(BROKE.format(hype="-", places=1, action="left-right"))
    events = act(state, Decline())
    assert only_event(events, StepDeclined) == StepDeclined(ADA, "recover")
    assert phase(state) == "song"
    assert places(state) == set()


def test_who_has_a_token_is_not_asked_to_give_up_a_fan() -> None:
    state = playing("red hop")
    act(state, FinishSong())
    assert phase(state) == "song"


@pytest.mark.parametrize("tokens", [0, 1])
def test_out_of_tokens_at_the_start_of_the_turn(tokens: int) -> None:
    state = position(f"""
        turn: 2
        seat 1: tokens {tokens}; song red left-right
        seat 2: song blue hop
        order: 2 1
        floor:
        r^1 y>1 g^1
        yv1 r<1 b<1
        bv1 g>  r>
    """)
    act(state, FinishSong())
    assert (state.turn, phase(state)) == (ADA, "song" if tokens else "recover")


def test_a_move_says_what_it_completes_and_where_the_ball_goes() -> None:
    state = position("""
        turn: 1
        seat 1: song red up-down
        seat 2: song blue hop
        floor:
        r^1 y>1 g^2
           o
        yv  r<2 b<1
        bv  g>  r>
    """)
    swapped = only_event(act(state, SwapDancers("c1", "c2")), DancersSwapped)
    assert [line.cells for line in swapped.lines] == [["a1", "b1", "c1"], []]
    assert [line.superfans for line in swapped.lines] == [2, 0]
    assert swapped.hop == "a2"
    assert swapped.openings == [], "both have a token, and neither is red"


def test_a_move_says_where_a_token_can_go_next() -> None:
    state = position("""
        turn: 1
        seat 1: song red left-right
        seat 2: song blue hop
        floor:
        r^1 y>  r^
        yv  r<2 r<1
        bv  g>1 r>
    """)
    swapped = only_event(act(state, SwapDancers("b1", "c1")), DancersSwapped)
    assert swapped.openings == [Opening("b1", 0)], "of the two that moved the red one; no line yet"
    state = position("""
        turn: 1
        seat 1: song red up-down
        seat 2: song blue hop
        floor:
        r^1 y>1 g^
        yv  r<2 r<
        bv  g>  r>
    """)
    swapped = only_event(act(state, SwapDancers("c1", "c2")), DancersSwapped)
    assert swapped.openings == [Opening("c1", 2)]
