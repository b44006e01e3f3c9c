"""The floor: filling it, its gaps, what travels along, and how the ball rolls."""

import pytest

from jamboree.core.chance import Scripted
from jamboree.core.kit.events import Emitter
from jamboree.games.bpm.box.room import room
from jamboree.games.bpm.rules import floor
from jamboree.games.bpm.rules.actions import SendOnBreak
from jamboree.games.bpm.rules.events import AnyEvent, FloorFilled, PileReshuffled
from jamboree.games.bpm.rules.state import NONE, State

from ..table import ADA, BIX, act, events_of, label, only_event, position, shows


def filled(drawing: str, *values: str) -> tuple[State, list[AnyEvent]]:
    state, events = position(drawing), list[AnyEvent]()
    script = Scripted(*map(label, values))
    floor.fill(state, script, Emitter(events.append))
    assert script.values == []
    return state, events


def test_the_worked_example_of_the_text() -> None:
    """Before: _ B G / Y _ R / R R _; after: Y B G / R R R, and Y B G come in at the back."""
    state, events = filled(
        """
        floor:
        --  b^  g^
        y^  --  r^
        r^  r^  --
        """,
        "y<",
        "b<",
        "g<",
    )
    assert shows(
        state,
        """
        y^  b^  g^
        r^  r^  r^
        y<  b<  g<
    """,
    )
    assert [newcomer.cell for newcomer in only_event(events, FloorFilled).newcomers] == ["a3", "b3", "c3"]


def test_a_column_is_filled_though_all_others_are_empty() -> None:
    state, _ = filled(
        """
        floor:
        --  --  --
        y^1 --  --
        r^  --  --
        """,
        "r<",
        "y<",
        "y>",
        "b<",
        "b>",
        "g<",
        "g>",
    )
    assert shows(
        state,
        """
        y^1 y<  b>
        r^  y>  g<
        r<  b<  g>
    """,
    )


def test_ruling_fill_order() -> None:
    state, _ = filled(
        """
        floor:
        --  --  g^
        y^1 --  --
        --  r^2 --
        """,
        "r<",
        "r>",
        "y<",
        "y>",
        "b<",
        "b>",
    )
    assert shows(
        state,
        """
        y^1 r^2 g^
        r<  y<  b<
        r>  y>  b>
    """,
    )
    assert state.fans == [1 << 0, 1 << 1]
    assert state.taken == 0b11


def empty_pile(state) -> None:  # type: ignore[no-untyped-def]
    """Empty the draw pile: a player gets the rest as superfans."""
    for kind, count in enumerate(state.pile.counts):
        state.superfans[BIX][kind] += count
        state.pile.put(kind, -count)


BREAK = """
    round: 2 song
    at: 1
    seat 1: song red break
    seat 2: song blue hop
    {gone}
    floor:
    r^  r^  g^
    y^1 b<  b^
    yv2 bv  y<
"""


def test_ruling_discards_shuffled_in() -> None:
    """Only when a draw meets an empty pile, and the one just removed is among them."""
    state = position(BREAK.format(gone="gone: gv"))
    act(state, SendOnBreak("b1"), "y>")
    assert state.gone[0] == 1, "with dancers in the pile the discards stay where they are"
    state = position(BREAK.format(gone="gone: gv"))
    empty_pile(state)
    events = act(state, SendOnBreak("b1"), "r^")
    assert only_event(events, PileReshuffled).count == 2
    assert shows(
        state,
        """
        r^  b<  g^
        y^1 bv  b^
        yv2 r^  y<
    """,
    )
    assert sum(state.gone) == 0
    assert state.pile.total == 1


def test_ruling_gaps_at_the_back() -> None:
    state = position(BREAK.format(gone=""))
    empty_pile(state)
    for kind in range(16):
        state.gone[kind] = 0
    floor.to_superfan(state, BIX, 6)
    floor.leave(state, 0)
    state.superfans[ADA][0] += 1
    events: list = []  # type: ignore[type-arg]
    floor.fill(state, Scripted(), Emitter(events.append))
    assert shows(
        state,
        """
        y^1 r^  g^
        --  b<  b^
        --  bv  y<
    """,
    )
    assert only_event(events, FloorFilled).gaps == ["a2", "a3"]
    assert state.floor[3] == state.floor[6] == NONE
    assert events_of(events, PileReshuffled) == []


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (0, 1, "y>2 r^1 g^\nyv  b<  r<1"),
        (0, 2, "g^  y>2 r^1\nyv  b<  r<1"),
        (2, 5, "r^1 y>2 r<1\nyv  b<  g^"),
        (3, 4, "r^1 y>2 g^\nb<  yv  r<1"),
        (0, 5, "r<1 y>2 g^\nyv  b<  r^1"),
    ],
)
def test_tokens_travel_along(one: int, other: int, expected: str) -> None:
    state = position("""
        floor:
        r^1 y>2 g^
        yv  b<  r<1
    """)
    floor.swap(state, one, other)
    assert shows(state, expected)
    assert state.taken == state.fans[0] | state.fans[1]
    for colour, mask in enumerate(state.colours):
        assert mask == sum(1 << cell for cell, dancer in enumerate(state.floor) if dancer // 4 == colour)


def test_crowd_surf_and_mosh_pit() -> None:
    drawing = """
        floor:
        r^1 y>  g^
        yv  b<2 r<
        bv  g>  y^
    """
    state = position(drawing)
    floor.crowd_surf(state)
    assert shows(
        state,
        """
        yv  b<2 r<
        bv  g>  y^
        r^1 y>  g^
    """,
    )
    state = position(drawing)
    floor.mosh_pit(state)
    assert shows(
        state,
        """
        g^  r^1 y>
        r<  yv  b<2
        y^  bv  g>
    """,
    )
    assert state.fans == [0b10, 0b100000]


def test_ruling_surf_with_gaps() -> None:
    state = position("""
        floor:
        r^1 y>  g^
        yv  --  r<
        --  --  y^
    """)
    floor.crowd_surf(state)
    assert shows(
        state,
        """
        yv  y>  r<
        r^1 --  y^
        --  --  g^
    """,
    )


def test_the_mosh_pit_takes_gaps_along() -> None:
    state = position("""
        floor:
        r^1 y>  g^
        yv  --  r<
        --  --  y^2
    """)
    floor.mosh_pit(state)
    assert shows(
        state,
        """
        g^  r^1 y>
        r<  yv  --
        y^2 --  --
    """,
    )


@pytest.mark.parametrize(
    ("arrow", "start", "to"),
    [("^", "a1", "a3"), ("^", "b2", "b1"), ("v", "a3", "a1"), ("v", "a1", "a2"), ("<", "a1", "b1"), (">", "b2", "a2")],
)
def test_the_ball_follows_the_arrow_and_loops(arrow: str, start: str, to: str) -> None:
    place = room(3, 4)
    assert place.names[place.hops[place.index[start]]["^v<>".index(arrow)]] == to


def test_the_areas_of_every_floor() -> None:
    areas = {
        name: [room(4, 5).names[cell] for cell in range(20) if mask >> cell & 1]
        for name, mask in room(4, 5).areas.items()
    }
    assert areas == {
        "front-row": ["a1", "b1", "c1", "d1"],
        "back-row": ["a5", "b5", "c5", "d5"],
        "corners": ["a1", "d1", "a5", "d5"],
        "centre": ["b2", "c2", "b3", "c3", "b4", "c4"],
        "left-wall": ["a1", "a2", "a3", "a4", "a5"],
        "right-wall": ["d1", "d2", "d3", "d4", "d5"],
    }


@pytest.mark.parametrize(("size", "windows"), [((3, 4), 4 + 6 + 4), ((4, 4), 8 + 8 + 8), ((4, 5), 10 + 12 + 12)])
def test_lines_of_three_on_every_floor(size: tuple[int, int], windows: int) -> None:
    """Rows, columns and both diagonals."""
    assert len(set(room(*size).windows)) == windows


def test_a_line_of_four_and_a_crossing() -> None:
    place = room(4, 4)
    row, diagonal = 0b1111, 1 << 0 | 1 << 5 | 1 << 10
    assert place.in_lines(row | diagonal, 3) == row | diagonal
    assert place.in_lines(0b1011, 3) == 0
    assert place.in_lines(0b1011, 2) == 0b11
