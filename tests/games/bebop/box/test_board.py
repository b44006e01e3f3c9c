"""The packaged boards, and the ground that is in play."""

import pickle

import pytest

from jamboree.core.geometry import bits, mask_of
from jamboree.games.bebop.box.board import BadBoard, Board, Ground, festivals, load
from jamboree.games.bebop.box.board_check import check, report
from jamboree.games.bebop.box.components import PLAYER_COUNTS

from ..boards import board_text

COUNTS = {  # hexes, normal, VIP, stage spaces, stages, with 2/3/4 players
    "vanillaville": ("55/81/107", "34/51/68", "4/6/8", "17/24/31", "9/13/17"),
    "cramped-valley": ("51/75/99", "30/45/60", "3/4/5", "18/26/34", "10/13/16"),
    "longchain": ("52/78/104", "32/48/64", "3/5/7", "17/25/33", "8/11/14"),
    "point-city": ("59/86/113", "32/48/64", "4/5/7", "18/25/32", "10/14/18"),
}

every_festival = pytest.mark.parametrize("festival", festivals())
every_ground = pytest.mark.parametrize(
    "ground",
    [
        pytest.param(load(festival).ground(players), id=f"{festival}-{players}")
        for festival in festivals()
        for players in PLAYER_COUNTS
    ],
)

TINY = """
 . A A b
* . A . *
 . . . C
"""
TINY_REGIONS = """
 3 2 2 2
4 2 3 2 2
 2 2 2 2
"""


def tiny(players: int) -> Ground:
    return Board.parse(board_text(TINY, TINY_REGIONS, dice="b red keys", centre="C")).ground(players)


def named(ground: Ground, mask: int) -> str:
    return " ".join(ground.names[at] for at in bits(mask))


def counted(ground: Ground) -> tuple[int, ...]:
    masks = (ground.free_normal, ground.vip, ground.spaces)
    return (len(ground.names), *(mask.bit_count() for mask in masks), len(ground.stages))


@every_festival
def test_packaged_boards_are_sound(festival: str) -> None:
    assert check(load(festival)) == []
    assert load(festival).id == festival


@every_festival
def test_packaged_boards_have_the_counts_they_were_tuned_with(festival: str) -> None:
    counts = [counted(load(festival).ground(players)) for players in PLAYER_COUNTS]
    assert tuple("/".join(map(str, row)) for row in zip(*counts, strict=True)) == COUNTS[festival]


@every_festival
def test_grounds_are_nested(festival: str) -> None:
    two, three, four = (set(load(festival).ground(players).names) for players in PLAYER_COUNTS)
    assert two < three < four == {spot.name for spot in load(festival).hexes}


@every_ground
def test_every_hex_is_of_one_kind(ground: Ground) -> None:
    assert ground.normal ^ ground.vip ^ ground.spaces == (1 << len(ground.names)) - 1
    assert not ground.normal & ground.vip | ground.normal & ground.spaces | ground.vip & ground.spaces
    assert ground.printed & ground.normal == ground.printed
    assert ground.printed == mask_of(at for at, _, _ in ground.printed_dice)


@every_ground
def test_hexes_run_row_by_row_and_neighbours_are_mutual(ground: Ground) -> None:
    assert [(y, x) for x, y in ground.at] == sorted((y, x) for x, y in ground.at)
    assert [ground.index[name] for name in ground.names] == list(range(len(ground.names)))
    for at, around in enumerate(ground.near):
        assert 1 <= around.bit_count() <= 6
        assert all(ground.near[other] >> at & 1 for other in bits(around))


@every_ground
def test_stages_know_what_is_beside_them(ground: Ground) -> None:
    assert [stage.letter for stage in ground.stages] == sorted(stage.letter for stage in ground.stages)
    for number, stage in enumerate(ground.stages):
        assert stage.mask == mask_of(stage.spaces)
        assert all(ground.stage_at[space] == number for space in stage.spaces)
        touching = (at for at in range(len(ground.names)) if ground.near[at] & stage.mask)
        assert stage.beside == mask_of(touching) & ~stage.mask
        assert stage.ring == stage.beside & ground.normal
        assert stage.ring == mask_of(at for at, rings in enumerate(ground.ring_of) if number in rings)
    assert ground.spaces == mask_of(at for at, number in enumerate(ground.stage_at) if number >= 0)


def test_the_centre_of_longchain_has_six_spaces_with_any_number_of_players() -> None:
    for players in PLAYER_COUNTS:
        (centre,) = (stage for stage in load("longchain").ground(players).stages if stage.central)
        assert (centre.letter, len(centre.spaces)) == ("G", 6)


@pytest.mark.parametrize(("festival", "rating"), [("vanillaville", (7, 10, 12)), ("point-city", (10, 13, 15))])
def test_the_rating_depends_on_festival_and_players(festival: str, rating: tuple[int, ...]) -> None:
    assert tuple(load(festival).ground(players).rating for players in PLAYER_COUNTS) == rating


def test_vanillaville_looks_composed() -> None:
    whole = load("vanillaville").ground(4)
    width, height = (max(side) for side in zip(*whole.at, strict=True))
    for mask in (whole.normal, whole.vip, whole.spaces):
        places = {whole.at[at] for at in bits(mask)}
        assert places == {(width - x, y) for x, y in places} == {(x, height - y) for x, y in places}


def test_hexes_are_named_by_row_and_number_whatever_the_region() -> None:
    assert " ".join(tiny(4).names) == "a1 a2 a3 a4 b1 b2 b3 b4 b5 c1 c2 c3 c4"
    assert " ".join(tiny(3).names) == "a1 a2 a3 a4 b2 b3 b4 b5 c1 c2 c3 c4"
    assert " ".join(tiny(2).names) == "a2 a3 a4 b2 b4 b5 c1 c2 c3 c4"


def test_a_stage_cut_by_the_border_has_only_the_spaces_inside() -> None:
    assert [named(tiny(players), tiny(players).stages[0].mask) for players in (2, 3)] == ["a2 a3", "a2 a3 b3"]


def test_ring_and_beside_end_at_the_border() -> None:
    two, three = tiny(2), tiny(3)
    assert named(two, two.stages[0].ring) == "a4 b2 b4"
    assert named(three, three.stages[0].ring) == "a1 a4 b2 b4 c2 c3"
    assert named(two, two.stages[1].beside) == "b4 b5 c3"
    assert named(two, two.stages[1].ring) == "b4 c3"
    assert two.ring_of[two.index["b4"]] == (0, 1)


def test_a_preprinted_die_lies_on_a_normal_hex() -> None:
    two = tiny(2)
    assert two.printed_dice == ((two.index["a4"], "red", "keys"),)
    assert named(two, two.normal & ~two.free_normal) == "a4"


def test_only_the_stage_named_in_the_header_is_central() -> None:
    assert [stage.central for stage in tiny(2).stages] == [False, True]


def test_grounds_are_made_once() -> None:
    assert load("longchain").ground(3) is load("longchain").ground(3)


def test_boards_with_the_same_text_are_equal() -> None:
    board = load("point-city")
    copy = pickle.loads(pickle.dumps(board))
    assert (copy, hash(copy), copy.ground(2).names) == (board, hash(board), board.ground(2).names)
    assert board != load("longchain")
    assert board == Board.parse(board.source.encode())


def test_an_unknown_festival_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadBoard, match="called 'woodstock'; there are vanillaville, cramped-valley"):
        load("woodstock")


def test_the_report_counts_what_is_in_play() -> None:
    assert report(load("point-city")) == [
        "2p: 59 hexes, 32 normal, 4 VIP, 18 stage spaces in 10 stages (1/2/3: 4/4/2), 5 dice",
        "3p: 86 hexes, 48 normal, 5 VIP, 25 stage spaces in 14 stages (1/2/3: 5/7/2), 8 dice",
        "4p: 113 hexes, 64 normal, 7 VIP, 32 stage spaces in 18 stages (1/2/3: 6/10/2), 10 dice",
    ]
