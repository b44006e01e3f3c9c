"""Positions of the courses could have come about: what lessons teach must not contradict what their boards show."""

import pytest

from jamboree.core.learning import course_of
from jamboree.core.learning.pupil import laid_out
from jamboree.games import find

GAME = find("bpm")
LESSONS = [
    pytest.param(lesson, id=f"{kind} {number}")
    for kind in ("basics", "strategy")
    if (course := course_of(GAME, kind))
    for number, lesson in enumerate(course.lessons, 1)
]


@pytest.mark.parametrize("lesson", LESSONS)
def test_songs_play_in_their_order(lesson: object) -> None:
    state = laid_out(GAME, lesson.position)  # type: ignore[attr-defined]
    rank = state.crate.rank[state.bends.order]
    if state.order:
        assert list(state.order) == sorted(range(state.seats), key=lambda seat: rank[state.playing[seat]])
