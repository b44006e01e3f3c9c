"""Reading a board file: every mistake is named, with its row and column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.games.bebop.box.board import BadBoard, Board, BoardMistake, festivals, load
from jamboree.games.bebop.box.board_check import check, report
from jamboree.games.bebop.box.board_parser import LONGEST
from jamboree.games.bebop.box.components import COLOURS, FACES

from ..boards import FIRST_ROW, drawn, edited, place, reading, redrawn

TINY = """
 . A .
. b .
 . . *
"""
LAST = drawn(TINY, dice="b red keys").count("\n")  # row of the die
EVERYTHING_MISSING = [
    *(f"the header has no line '{key}:'" for key in ("id", "name", "tagline", "album", "rating", "normals")),
    "the header has no line 'palette:'",
    "there are no hexes under 'map:'",
    "there are no hexes under 'regions:'",
]

TITLES = ("map:", "regions:", "dice:")
ODD_LINES = ("id: x", "rating: 1 2 3", "rating: ²", "centre: A", "", "# remark", "\t", ":", "a red keys")

texts = st.text(max_size=300) | st.binary(max_size=300)
lines = st.sampled_from(TITLES + ODD_LINES) | st.text(alphabet=" .*Aab234\r\x0b\u2028", max_size=12)


def read_and_judge(text: str | bytes) -> None:
    """Do all that is done with a designer's file; only BadBoard may come of it."""
    try:
        board = Board.parse(text)
    except BadBoard as bad:
        assert bad.mistakes
        assert all(mistake.row >= 0 and mistake.column >= 0 and mistake.text for mistake in bad.mistakes)
        return
    check(board)
    report(board)


@given(texts)
def test_any_text_is_read_or_refused(text: str | bytes) -> None:
    read_and_judge(text)


@given(st.lists(lines, max_size=30))
def test_any_lines_are_read_or_refused(some: list[str]) -> None:
    read_and_judge("\n".join(some))


@given(st.sampled_from(festivals()), st.data())
def test_a_board_with_random_edits_is_read_or_refused(festival: str, data: st.DataObject) -> None:
    text = load(festival).source
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(len(text), at + 3)))
        text = text[:at] + data.draw(st.text(alphabet=" .*ABab234\n:#\t", max_size=3)) + text[end:]
    read_and_judge(text)


@given(st.sampled_from(festivals()), st.data())
def test_a_board_with_hexes_overtyped_stays_readable(festival: str, data: st.DataObject) -> None:
    names = [spot.name for spot in load(festival).hexes if not spot.die]
    changes = data.draw(st.dictionaries(st.sampled_from(names), st.sampled_from(".*AGZ234"), max_size=8))
    read_and_judge(redrawn(festival, **changes))
    assert reading(redrawn(festival, **changes)) == []


@given(st.sampled_from(festivals()))
def test_remarks_trailing_spaces_and_line_ends_mean_nothing(festival: str) -> None:
    board = load(festival)
    for text in (
        board.source.replace("\n", "  \r\n"),
        board.source.replace("map:\n", "map:\n# a remark\n"),
        "\ufeff" + board.source,
        "# first\n\n\n" + board.source + "\n\n\n# last",
    ):
        other = Board.parse(text)
        assert [spot[:5] for spot in other.hexes] == [spot[:5] for spot in board.hexes]


def test_a_small_board_is_read_with_its_places_in_the_file() -> None:
    board = Board.parse(drawn(TINY, dice="b red keys"))
    assert (board.id, board.rating, board.normals, board.centre) == ("tiny", (7, 10, 12), (5, 5, 5), None)
    assert board.palette == (("grass", "#00aa00"), ("path", ""), ("wood", ""))
    printed = next(spot for spot in board.hexes if spot.die)
    assert printed == ("b2", "b", 2, 2, 1, FIRST_ROW + 1, 3, ("red", "keys"))


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing but a remark", b""])
def test_an_empty_file_lacks_everything(text: str | bytes) -> None:
    assert reading(text) == EVERYTHING_MISSING


def test_a_huge_file_is_refused_at_once() -> None:
    assert reading("." * (LONGEST + 1)) == [f"the file is too long for a board: more than {LONGEST} characters"]


def test_bytes_that_are_no_text_are_refused_where_they_stand() -> None:
    assert reading(b"id: tiny\nname: \xff") == ["row 2, column 7: this is not UTF-8 text"]


THREE_NUMBERS = "three whole numbers, for 2, 3 and 4 players"
THREE_COLOURS = "three colours, like 'sea #2b8fa3, sand, coral'"


@pytest.mark.parametrize(
    ("line", "wrong", "mistake"),
    [
        ("id: tiny", "id: A B", "row 1, column 5: 'id:' wants small letters, digits and single hyphens"),
        ("id: tiny", "id:", "row 1: 'id:' is empty"),
        ("id: tiny", "", "the header has no line 'id:'"),
        ("id: tiny", "id: x\nid: y", "row 2, column 1: 'id:' is here a second time"),
        ("id: tiny", "id: x\nhue: red", "row 2, column 1: there is no header called 'hue'"),
        ("id: tiny", "id: x\ncentre: AB", "row 2, column 9: 'centre:' wants the capital letter of a stage"),
        ("name: Tiny", "name:\tTiny", "row 2, column 6: there is a tab here; use spaces"),
        ("name: Tiny", "name: \x07", "row 2, column 7: 'name:' has a character that cannot be shown"),
        ("name: Tiny", "name: \ud800", "row 2, column 7: 'name:' has a character that cannot be shown"),
        ("rating: 7 10 12", "rating: 7 10", f"row 5, column 9: 'rating:' wants {THREE_NUMBERS}"),
        ("rating: 7 10 12", "rating:   7 -10 12", f"row 5, column 11: 'rating:' wants {THREE_NUMBERS}"),
        ("rating: 7 10 12", "rating: 7 10 ²", f"row 5, column 9: 'rating:' wants {THREE_NUMBERS}"),
        ("normals: 5 5 5", "normals: five", f"row 6, column 10: 'normals:' wants {THREE_NUMBERS}"),
        ("grass #00aa00, path, wood", "grass", f"row 7, column 10: 'palette:' wants {THREE_COLOURS}"),
        ("grass #00aa00", "grass #00", f"row 7, column 10: 'palette:' wants {THREE_COLOURS}"),
    ],
)
def test_header_mistakes(line: str, wrong: str, mistake: str) -> None:
    assert reading(drawn(TINY, dice="b red keys").replace(line, wrong)) == [mistake]


def test_a_line_that_belongs_nowhere() -> None:
    mistake = "this is neither a header line ('key: value') nor part of a section"
    assert reading(edited("longchain", ("name:", "hello\nname:"))) == [f"row 3, column 1: {mistake}"]


def test_an_unknown_symbol_on_the_map() -> None:
    row, column = place("vanillaville", "c4")
    assert reading(redrawn("vanillaville", c4="?")) == [f"row {row}, column {column}: unknown symbol '?'"]
    assert reading(redrawn("vanillaville", c4="Ä")) == [f"row {row}, column {column}: unknown symbol '\\xc4'"]


def test_an_unknown_region() -> None:
    row = place("vanillaville", "a1")[0] + len({spot.y for spot in load("vanillaville").hexes}) + 2
    assert reading(redrawn("vanillaville", a1="5")) == [f"row {row}, column 7: unknown symbol '5'"]


def test_a_row_that_is_not_staggered() -> None:
    mistake = f"row {FIRST_ROW + 1}, column 2: rows are not staggered: this hex is one character off"
    assert reading(drawn(" . A .\n . . .\n . . *\n. . .")) == [mistake]


def test_two_hexes_without_a_space_between() -> None:
    mistake = f"row {FIRST_ROW}, column 5: rows are not staggered: this hex is one character off"
    assert reading(drawn(" . A.\n. . .\n . . *")) == [mistake]


def test_map_and_regions_of_different_shape() -> None:
    missing = f"row {FIRST_ROW + 1}, column 5: map and regions differ in shape: no digit for this hex"
    surplus = f"row {FIRST_ROW + 7}, column 6: map and regions differ in shape: no hex for this digit"
    assert reading(drawn(" . A .\n. . .\n . *", " 2 2 2\n2 2\n 2 2 2")) == [missing, surplus]


def test_a_tab_in_the_map() -> None:
    mistakes = reading(edited("longchain", ("  . A .  ", "  . A .\t ")))
    assert mistakes[0] == "row 13, column 8: there is a tab here; use spaces"


def test_a_map_with_too_many_rows_for_the_alphabet() -> None:
    rows = "\n".join("." if y % 2 == 0 else " ." for y in range(27))
    mistake = "this row is one too many: rows are named a to z, so there are 26"
    assert reading(drawn(rows)) == [f"row {FIRST_ROW + 26}: {mistake}"]


def test_a_map_that_is_too_wide_to_be_read() -> None:
    rows = ". " * 50
    assert reading(drawn(rows)) == []
    wide = f"row {FIRST_ROW}, column 100: this row is too wide: a row has at most 99 characters"
    assert reading(drawn(rows + ". ")) == [wide]


def test_sections_that_run_together_or_come_twice() -> None:
    text = drawn(TINY.replace("b", "."))
    together = text.replace("\n\nregions:", "\nregions:")
    row = together.split("\n").index("regions:") + 1
    assert reading(together) == [f"row {row}: there is no blank line between 'map:' and 'regions:'"]
    twice = text + text[text.index("\nregions:") :]
    row = len(text.split("\n")) + 1
    assert reading(twice) == [f"row {row}: 'regions:' is here a second time"]


@pytest.mark.parametrize(
    ("dice", "mistake"),
    [
        ("", f"row {FIRST_ROW + 1}, column 3: die 'b' is not listed under 'dice:'"),
        ("b red keys\nc red", f"row {LAST + 1}: a die is a letter, a colour and a face, like 'c aqua keys'"),
        ("b blue keys", f"row {LAST}, column 3: unknown colour 'blue': known are {', '.join(COLOURS)}"),
        ("b red  sax", f"row {LAST}, column 8: unknown face 'sax': known are {', '.join(FACES)}"),
        ("b red keys\n b red brass", f"row {LAST + 1}, column 2: die 'b' is listed twice"),
        ("b red keys\nq red brass", f"row {LAST + 1}, column 1: die 'q' is not on the map"),
        ("b red keys\nQ red brass", f"row {LAST + 1}, column 1: die 'Q' is not on the map"),
    ],
)
def test_mistakes_in_the_dice(dice: str, mistake: str) -> None:
    assert reading(drawn(TINY, dice=dice)) == [mistake]


def test_a_die_letter_on_the_map_twice() -> None:
    mistake = f"row {FIRST_ROW + 2}, column 4: die 'b' is on the map twice"
    assert reading(drawn(" . A .\n. b .\n . b *", dice="b red keys")) == [mistake]


def test_all_mistakes_are_listed_in_the_order_of_the_file() -> None:
    text = edited("point-city", ("rating: 10", "rating: ten"), ("A A . B", "A A ? B"), ("aqua", "azure"))
    with pytest.raises(BadBoard, match=r"row 6, column 9: .* \(and 2 more\)") as caught:
        Board.parse(text)
    assert [mistake[:2] for mistake in caught.value.mistakes] == [(6, 9), (12, 6), (34, 3)]


def test_how_a_mistake_reads() -> None:
    assert str(BoardMistake(14, 7, "this is wrong")) == "row 14, column 7: this is wrong"
    assert str(BoardMistake(14, 0, "this is wrong")) == "row 14: this is wrong"
    assert str(BoardMistake(0, 0, "this is wrong")) == "this is wrong"
