"""The rules for boards, each broken once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.games.bebop.box.board import Board, festivals, load
from jamboree.games.bebop.box.board_check import check
from jamboree.games.bebop.box.components import PLAYER_COUNTS

from ..boards import FIRST_ROW, board_text, edit_board, overwrite_hexes, place

LETTERS = "ABCDEFGHIJ"


def judged(text: str) -> list[str]:
    return [str(mistake) for mistake in check(Board.parse(text))]


def at(festival: str, name: str, text: str) -> str:
    row, column = place(festival, name)
    return f"row {row}, column {column}: {text}"


def on_the_map(y: int, column: int, text: str) -> str:
    """Return the message of a mistake on a drawn board."""
    return f"row {FIRST_ROW + y}, column {column}: {text}"


def strip(*stages: int) -> str:
    """Draw a row of stages with these numbers of spaces, and normal hexes between them."""
    return " . ".join(" ".join(LETTERS[number] * size) for number, size in enumerate(stages))


@given(st.sampled_from(festivals()), st.data())
def test_a_normal_hex_less_is_noticed_wherever_it_is_in_play(festival: str, data: st.DataObject) -> None:
    spot = data.draw(st.sampled_from([spot for spot in load(festival).hexes if spot.symbol == "."]))
    mistakes = judged(overwrite_hexes(festival, **{spot.name: "*"}))
    assert str(mistakes).count("but the header says") == sum(players >= spot.region for players in PLAYER_COUNTS)


def test_stages_that_are_adjacent() -> None:
    mistake = at("vanillaville", "a2", "stage R is next to stage A")
    assert judged(overwrite_hexes("vanillaville", a2="R")).count(mistake) == 1


def test_preprinted_dice_of_one_colour_that_are_adjacent() -> None:
    mistakes = judged(board_text(" . a b .", dice="a red keys\nb red brass"))
    assert on_the_map(0, 6, "the preprinted die next to this one, a, is red too") in mistakes
    assert "is red too" not in str(judged(board_text(" . a b .", dice="a red keys\nb aqua keys")))


def test_longchain_without_a_centre() -> None:
    mistakes = judged(edit_board("longchain", ("centre: G\n", "# no centre\n")))
    assert "the header names no centre, and this festival has a central stage" in mistakes
    assert at("longchain", "f8", "with 2 players stage G has 6 spaces; 3 are the most") in mistakes


def test_a_centre_that_is_not_on_the_map() -> None:
    mistakes = judged(edit_board("longchain", ("centre: G", "centre: Z")))
    assert "row 8, column 9: there is no stage Z on the map" in mistakes


def test_vanillaville_with_no_stage_cut_by_a_border() -> None:
    mistake = "no border cuts a stage, and on this festival one has to"
    assert mistake in judged(board_text(" . A .", festival="vanillaville"))
    assert mistake not in judged(board_text(" . A .", festival="cramped-valley"))


def test_a_ground_in_two_parts() -> None:
    mistakes = judged(overwrite_hexes("vanillaville", g1="2"))
    assert at("vanillaville", "g1", "with 2 players this part of the ground is cut off from the rest") in mistakes
    assert "with 3 players this part" not in str(mistakes)


def test_a_ground_without_hexes() -> None:
    mistakes = judged(board_text(" . A .", " 3 3 3"))
    assert "with 2 players there are no hexes" in mistakes
    assert "with 3 players there are no hexes" not in mistakes


def test_a_stage_in_two_parts() -> None:
    mistakes = judged(overwrite_hexes("vanillaville", h3="A"))
    assert at("vanillaville", "h3", "with 3 players stage A is not connected") in mistakes
    assert at("vanillaville", "h3", "with 2 players stage A is not connected") not in mistakes


def test_a_stage_that_a_border_leaves_in_two_parts() -> None:
    mistakes = judged(board_text(". A A A .", "2 2 3 2 2"))
    assert on_the_map(0, 7, "with 2 players stage A is not connected") in mistakes


def test_a_stage_that_is_too_large() -> None:
    mistakes = judged(overwrite_hexes("vanillaville", f8="I"))
    assert at("vanillaville", "f5", "with 2 players stage I has 4 spaces; 3 are the most") in mistakes


def test_a_centre_with_a_space_missing() -> None:
    mistakes = judged(overwrite_hexes("longchain", f8="."))
    assert at("longchain", "f9", "with 2 players the central stage G has 5 spaces, not 6") in mistakes


def test_a_centre_outside_the_smallest_ground() -> None:
    names = [spot.name for spot in load("longchain").hexes if spot.symbol == "G"]
    mistakes = judged(overwrite_hexes("longchain", **dict.fromkeys(names, "3")))
    assert at("longchain", names[0], "with 2 players the central stage G is outside the ground") in mistakes
    assert "with 3 players the central stage" not in str(mistakes)


@pytest.mark.parametrize("hexes", [" * A *", " * A b"])
def test_a_stage_without_a_free_normal_hex(hexes: str) -> None:
    mistakes = judged(board_text(hexes, dice="b red keys" if "b" in hexes else ""))
    assert on_the_map(0, 4, "with 2 players stage A has no free normal hex beside it") in mistakes


def test_a_size_of_stage_that_is_missing() -> None:
    mistakes = judged(board_text(strip(1, 3)))
    assert "with 2 players there is no stage of 2 spaces" in mistakes
    assert "no stage of 1 space" not in str(mistakes)
    assert "with 4 players there is no stage of 1 space" in judged(board_text(strip(2, 3)))


def test_the_centre_is_none_of_the_three_sizes() -> None:
    mistakes = judged(board_text(strip(3, 1), centre="A"))
    assert "with 2 players there is no stage of 3 spaces" in mistakes


def test_too_many_or_too_few_stage_spaces() -> None:
    assert "with 2 players there are 24 stage spaces, and only 21 tokens" in judged(board_text(strip(*[3] * 8)))
    few = judged(board_text(strip(3, 3, 3, 3, 3)))
    assert "with 2 players there are 15 stage spaces; 16 are the least" in few
    assert "with 3 players there are 15 stage spaces" not in str(few)


def test_normal_hexes_that_the_header_miscounts() -> None:
    assert judged(edit_board("vanillaville", ("34 51 68", "34 50 68"))) == [
        "row 7, column 10: with 3 players there are 51 normal hexes, but the header says 50"
    ]


def test_normal_hexes_that_do_not_suit_the_festival() -> None:
    mistakes = judged(edit_board("vanillaville", ("id: vanillaville", "id: cramped-valley")))
    assert mistakes == [
        f"with {players} players there are {17 * players} normal hexes instead of {15 * players}"
        for players in PLAYER_COUNTS
    ]


def test_a_board_of_ones_own_may_have_14_to_20_normal_hexes_a_player() -> None:
    assert judged(edit_board("vanillaville", ("id: vanillaville", "id: my-board"))) == []
    mistakes = judged(board_text(strip(1, 2, 3)))
    assert "with 3 players there are 2 normal hexes instead of 42 to 60" in mistakes


def test_too_few_vip_hexes() -> None:
    mistakes = judged(overwrite_hexes("cramped-valley", a3="."))
    assert "with 2 players there are 2 VIP hexes; 3 are the least" in mistakes
    assert "with 4 players there are 4 VIP hexes; 5 are the least" in mistakes


def test_a_vip_hex_away_from_the_stages() -> None:
    mistakes = judged(board_text(" A . *"))
    assert on_the_map(0, 6, "with 2 players this VIP hex is not next to a stage") in mistakes


def test_a_vip_hex_whose_stage_is_out_of_play() -> None:
    mistakes = judged(board_text(" A . * B", " 2 2 2 4"))
    assert on_the_map(0, 6, "with 3 players this VIP hex is not next to a stage") in mistakes
    assert "with 4 players this VIP hex" not in str(mistakes)


def test_a_normal_hex_far_from_every_stage() -> None:
    mistakes = judged(board_text(" A . . ."))
    far = "with 2 players this hex is more than one step from a hex next to a stage"
    assert on_the_map(0, 8, far) in mistakes
    assert on_the_map(0, 6, far) not in mistakes


def test_preprinted_dice_in_the_wrong_number() -> None:
    mistakes = judged(edit_board("point-city", (". . a .", ". . . ."), ("a yellow brass\n", "")))
    assert "with 3 players there are 7 preprinted dice, not 8" in mistakes
    assert "with 2 players there are 5" not in str(mistakes)


def test_preprinted_dice_where_the_festival_has_none() -> None:
    mistakes = judged(board_text(" A . b", dice="b red keys"))
    assert on_the_map(0, 6, "with 2 players there is 1 preprinted die, not 0") in mistakes


def test_triples_that_leave_no_tokens_for_the_stars() -> None:
    text = "players triples and centre take {} tokens of each feature, too many to swap in {} with a star"
    assert f"with 2 {text.format(7, 1)}" in judged(board_text(strip(*[3] * 7)))
    assert "triples and centre take" not in str(judged(board_text(strip(*[3] * 6))))
    assert f"with 2 {text.format(7, 1)}" in judged(board_text(strip(6, 3, 3, 3, 3, 3), centre="A"))


def test_tokens_that_cannot_be_laid() -> None:
    text = "with 2 players the tokens cannot be laid without a duplicate in some stage"
    assert text in judged(board_text(strip(*[3] * 8)))
    assert text in judged(board_text(strip(*[3] * 6, 2, 2)))
    assert text not in judged(board_text(strip(*[3] * 6, 2, 1)))
