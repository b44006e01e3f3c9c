"""What the texts of BPM's lessons say of their positions is so."""

from typing import Any

import pytest

from jamboree.core.learning import Pupil, course_of
from jamboree.games import find

LAST = 11  # the extra round


def at_step(number: int, step: int) -> Pupil:
    """Return a learner who has done the first steps of a lesson."""
    game = find("bpm")
    course = course_of(game)
    assert course
    pupil = Pupil(game, course, number)
    for done in range(step):
        pupil.act(pupil.lesson.steps[done].move(game.legal(pupil.state, pupil.seat)))
    return pupil


def lines_after(pupil: Pupil, type: str, cell: str) -> list[list[str]]:
    """Return the learner's lines after an action on a cell."""
    action = next(
        offer.action
        for offer in pupil.game.legal(pupil.state, pupil.seat)
        if offer.action.__class__.__name__ == type and offer.action.cell == cell
    )
    pupil.act(action)
    view: Any = pupil.game.view(pupil.state, pupil.seat)
    lines: list[list[str]] = view.lines[pupil.seat].runs
    return lines


@pytest.mark.parametrize(("cell", "alone"), [("c1", set()), ("a3", {"b1"})])
def test_only_one_of_the_two_dancers_brings_all_fans_into_lines(cell: str, alone: set[str]) -> None:
    fans = {"a1", "b1", "a2", "b2", "c2", "c3", "c4", cell}
    assert set().union(*lines_after(at_step(LAST, 1), "PlaceToken", cell)) == fans - alone


def test_a_fan_given_up_at_the_front_breaks_the_lines_through_b2() -> None:
    through, column = [["a2", "b2", "c2"], ["a1", "b2", "c3"]], ["c2", "c3", "c4"]
    assert sorted(lines_after(at_step(LAST, 0), "RecoverToken", "a4")) == sorted([*through, column])
    assert lines_after(at_step(LAST, 0), "RecoverToken", "b1") == [column]
