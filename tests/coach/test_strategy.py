"""The strategy courses: their answers are the search's choices by a clear margin, and mistakes cost what they say."""

import pytest

from jamboree.coach.mistakes import MeasuredStep, measure_step
from jamboree.core.learning import Course, LessonStage, Pupil, course_of
from jamboree.core.learning.course import OTHER
from jamboree.games import find

from ..contract.lesson_laws import lessons_of

PLAYOUTS = 12_000
LEAST_GAP = 0.05  # of the chance to win, between a right action and the best mistake
MARGIN = 4.0  # standard errors of the difference in value
TOLERANCE = 8  # percent


def lessons() -> list[tuple[str, int]]:
    games = {key: find(key) for key in ("bebop", "bpm", "boogie")}
    return [(key, number) for key, kind, number in lessons_of(games) if kind == "strategy"]


def measured(course: Course, key: str, number: int, seed: int) -> list[MeasuredStep]:
    """Measure each step of a lesson, playing the right moves between them."""
    pupil, found = Pupil(find(key), course, number), list[MeasuredStep]()
    while pupil.at.stage == LessonStage.ASKING:
        view, offers = pupil.game.view(pupil.state, pupil.seat), pupil.game.legal(pupil.state, pupil.seat)
        found.append(measure_step(pupil.game, view, offers, pupil.lesson, pupil.at.step, PLAYOUTS, seed))
        pupil.act(pupil.lesson.steps[pupil.at.step].move(offers))
    return found


@pytest.mark.parametrize(("key", "number"), lessons())
def test_the_right_answer_wins_clearly_more_often_and_mistakes_cost_what_is_said(key: str, number: int) -> None:
    pytest.importorskip("numba")
    course = course_of(find(key), "strategy")
    assert course
    for step, found in zip(course.lessons[number].steps, measured(course, key, number, seed=91), strict=True):
        assert min(found.costs.values()) >= LEAST_GAP, found
        assert min(found.margins.values()) >= MARGIN, found
        for say, said in step.costs.items():
            cost = 100 * found.costs.get(say, 1.0)
            assert said - TOLERANCE <= cost, (say, said, found)
            assert cost <= said + TOLERANCE or say == OTHER, (say, said, found)  # others cost at least so much
