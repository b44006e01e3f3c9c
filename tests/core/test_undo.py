"""The first action of the move that an undo takes back."""

from typing import NamedTuple

import pytest

from jamboree.core.undo import Undo, start_of_move

FREE, CONSENT, NEVER = Undo.FREE, Undo.CONSENT, Undo.NEVER


class Past(NamedTuple):
    actor: int
    undo: Undo = FREE
    continues: bool = False


CLAIM, KEEP = Past(0), Past(0, continues=True)
OTHERS = [Past(1), Past(1, continues=True)]


@pytest.mark.parametrize(
    ("course", "start"),
    [
        ([CLAIM], 0),
        ([CLAIM, KEEP], 0),
        ([CLAIM, KEEP, *OTHERS], 0),
        ([CLAIM, KEEP, *OTHERS, CLAIM, KEEP, KEEP], 4),
        ([CLAIM, KEEP, CLAIM, KEEP], 2),  # the others have finished
        ([Past(0, CONSENT), KEEP], 0),
        ([CLAIM, Past(0, NEVER, True), KEEP, KEEP], 2),  # what was revealed stays
        ([CLAIM, Past(0, NEVER, True)], 0),
        ([KEEP], 0),  # the oldest actions are forgotten
        (OTHERS, None),
        ([], None),
    ],
)
def test_an_undo_reaches_the_first_action_of_the_move(course: list[Past], start: int | None) -> None:
    assert start_of_move(course, 0) == start
