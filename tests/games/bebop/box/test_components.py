"""What is in the box."""

import pytest

from jamboree.games.bebop.box.components import (
    BASIC_SEATS,
    COLOURS,
    FACES,
    HAND,
    OPEN_MAX,
    PLAYER_COUNTS,
    SEAT_COLOURS,
    SPECIALS,
    Box,
    box,
)


@pytest.mark.parametrize(
    ("players", "contents"), [(2, Box(9, 4, 7, 1)), (3, Box(12, 5, 10, 2)), (4, Box(15, 6, 12, 2))]
)
def test_the_box_for_each_number_of_players(players: int, contents: Box) -> None:
    assert box(players) == contents


def test_a_player_has_sixteen_seats() -> None:
    assert BASIC_SEATS + len(SPECIALS) == 16


def test_seventy_five_dice_with_four_players() -> None:
    assert box(4).dice_per_colour * len(COLOURS) == 75


def test_no_player_colour_is_a_die_colour() -> None:
    assert len(SEAT_COLOURS) == max(PLAYER_COUNTS)
    assert not set(SEAT_COLOURS) & set(COLOURS)


def test_hand_and_open_seats() -> None:
    assert (HAND, OPEN_MAX, len(FACES)) == (3, 3, 3)
