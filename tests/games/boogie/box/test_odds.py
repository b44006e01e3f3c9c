from itertools import product

import pytest

from jamboree.games.boogie.box.odds import percent, reaches, weigh


@pytest.mark.parametrize("dice", range(1, 6))
def test_chances_are_exact(dice: int) -> None:
    rolls = [sum(roll) for roll in product(range(1, 7), repeat=dice)]
    for difficulty in range(-3, dice * 6 + 3):
        assert reaches(dice, difficulty) == pytest.approx(sum(roll >= difficulty for roll in rolls) / len(rolls))


def test_four_dice_against_fourteen() -> None:
    assert percent(4, 14) == 56


def test_only_what_is_certain_is_0_or_100() -> None:
    assert percent(2, 2) == 100
    assert percent(2, 13) == 0
    assert percent(8, 9) == 99
    assert percent(8, 48) == 1


def test_what_a_solo_does_not_allow_does_not_weigh() -> None:
    assert weigh([0, 2, 6, 13], solo=False) == (2, 5)
    assert weigh([0, 2, 6, 13], solo=True) == (1, 2)
