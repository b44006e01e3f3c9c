"""Parsing of drawings and of the values in their lines."""

import pytest

from jamboree.core.game import Eye
from jamboree.core.kit.drawing import (
    BadDrawing,
    Drawing,
    number_marks,
    numbered,
    numbers,
    one_of,
    parts,
    read_seat,
    read_viewer,
    seat_marks,
    viewer_mark,
)

TEXT = "board: mine\n| first\n| second\nturn: 2\nmap:\n. .\n x"


def test_a_drawing_has_lines_a_source_and_a_picture() -> None:
    drawing = Drawing(TEXT, "map", "board")
    assert drawing.lines == {"board": "mine", "turn": "2"}
    assert drawing.source == "first\nsecond"
    assert drawing.picture == [". .", " x"]


def test_an_unexpected_line_is_refused() -> None:
    drawing = Drawing(TEXT, "map", "board")
    assert (drawing["board"], drawing.get("at", "1")) == ("mine", "1")
    with pytest.raises(BadDrawing, match="'turn' is not a line of this drawing"):
        drawing.finish()
    assert drawing.get("turn") == "2"
    drawing.finish()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("turn: 1", "there is no line 'map:' with the board drawn under it"),
        ("hello\nmap:\n", "'hello' is not a line of a drawing"),
        ("turn: 1\nturn: 2\nmap:\n", "'turn: 2' is here twice"),
    ],
)
def test_invalid_drawings_are_refused(text: str, why: str) -> None:
    with pytest.raises(BadDrawing, match=why):
        Drawing(text, "map", "board")


def test_required_lines() -> None:
    with pytest.raises(BadDrawing, match="there is no line 'deck'"):
        Drawing("turn: 1")["deck"]


@pytest.mark.parametrize("text", ["", "x", "4", "-1", "1.0", "²", "00000001", "1 "])
def test_numbers_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(BadDrawing, match="a place can't be"):
        numbered(text, "a place", range(4))


def test_numbers_are_counted() -> None:
    assert numbers(["1", "2"], 2, "points") == [1, 2]
    with pytest.raises(BadDrawing, match="points wants 1 number, not 2"):
        numbers(["1", "2"], 1, "points")


def test_unknown_words_are_refused() -> None:
    assert one_of("red", ("red", "blue"), "a colour") == "red"
    for word in ("", "pink"):
        with pytest.raises(BadDrawing, match="is not a colour: there are red, blue"):
            one_of(word, ("red", "blue"), "a colour")


@pytest.mark.parametrize("viewer", [None, Eye.ALL, 0, 1])
def test_viewers_survive_a_round_trip(viewer: int | Eye | None) -> None:
    assert read_viewer(viewer_mark(viewer), 2) == viewer


def test_unknown_seats_and_viewers_are_refused() -> None:
    assert read_seat("2", 2) == 1
    for text in ("0", "3", "all"):
        with pytest.raises(BadDrawing):
            read_seat(text, 2)
    with pytest.raises(BadDrawing, match="'3' is not a viewer"):
        read_viewer("3", 2)


def test_numbered_and_seat_marks() -> None:
    assert (number_marks([1, 20]), seat_marks([0, 2]), parts("a; b")) == ("1 20", "1 3", ["a", "b"])
