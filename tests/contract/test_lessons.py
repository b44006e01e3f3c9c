"""Every lesson of every game, in both languages, with right and wrong moves; and lessons broken on purpose."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from jamboree.core.learning import Course, CourseKind, Guided, LessonStage, Progress, Pupil, course_of
from jamboree.core.learning import course as reading
from jamboree.core.learning.course import BadLesson, converted
from jamboree.games import all_games

from .lesson_laws import Broken, check_lesson, check_view, lessons_of

GAMES = all_games()
OURS = ("bebop", "bpm", "boogie")


@pytest.mark.parametrize(("key", "kind", "number"), list(lessons_of(GAMES)))
def test_every_lesson_can_be_completed(key: str, kind: CourseKind, number: int) -> None:
    course = course_of(GAMES[key], kind)
    assert course
    check_lesson(GAMES[key], course, number)


@pytest.mark.parametrize(("key", "kind", "number"), [each for each in lessons_of(GAMES) if each[1] == "strategy"])
def test_a_strategy_lesson_shows_what_its_learner_sees_and_gives_no_answer_away(
    key: str, kind: CourseKind, number: int
) -> None:
    course = course_of(GAMES[key], kind)
    assert course
    check_view(GAMES[key], course, number)
    steps = course.lessons[number].steps
    assert all(step.costs and not step.spot for step in steps)


def test_a_strategy_lesson_that_shows_hidden_information_is_found() -> None:
    with pytest.raises(Broken, match="not drawn as its learner sees it"):
        check_view(GAMES["bebop"], _bebop(), 0)  # a lesson on the rules has no viewer, and open hands


@pytest.mark.parametrize("key", OURS)
def test_our_games_have_six_to_twelve_lessons(key: str) -> None:
    course = course_of(GAMES[key])
    assert course and 6 <= len(course.lessons) <= 12
    assert course.common.seats == len(course.names("Ada")) == len(set(course.names("Ada")))


@pytest.mark.parametrize("key", OURS)
def test_our_games_have_five_or_six_strategy_lessons_at_the_table_of_the_first_course(key: str) -> None:
    first, second = course_of(GAMES[key]), course_of(GAMES[key], "strategy")
    assert first and second and 5 <= len(second.lessons) <= 6
    assert first.names("Ada") == second.names("Ada")
    assert (first.common.learner, first.common.options) == (second.common.learner, second.common.options)


def _bebop() -> Course:
    course = course_of(GAMES["bebop"])
    assert course
    return course


def _with(course: Course, **fields: Any) -> Course:
    return replace(course, lessons=(replace(course.lessons[0], **fields), *course.lessons[1:]))


def test_an_impossible_position_is_detected() -> None:
    position = _bebop().lessons[0].position
    no_hex = position.replace("2.rk", "Zk")
    no_tokens = position.replace("box: 2 1 1 0 0 0", "box: 0 0 0 0 0 0")
    for broken in (no_hex, no_tokens):
        with pytest.raises(Broken, match="can't come about"):
            check_lesson(GAMES["bebop"], _with(_bebop(), position=broken), 0)


def test_an_unfinishable_lesson_is_detected() -> None:
    step = replace(_bebop().lessons[0].steps[0], right=[{"type": "Pass"}])
    with pytest.raises(Broken, match="counts as right"):
        check_lesson(GAMES["bebop"], _with(_bebop(), steps=[step]), 0)


def test_a_text_that_assumes_a_browser_is_detected() -> None:
    lesson = _bebop().lessons[0]
    pressing = replace(lesson.en, steps=[replace(lesson.en.steps[0], goal="Press a red die.")])
    with pytest.raises(Broken, match="'Press' in"):
        check_lesson(GAMES["bebop"], _with(_bebop(), en=pressing), 0)


def test_an_impossible_mistake_is_detected() -> None:
    lesson = _bebop().lessons[0]
    wrong = [replace(lesson.steps[0].wrong[0], when={"type": "Pass"})]
    with pytest.raises(Broken, match="nobody can make the mistake"):
        check_lesson(GAMES["bebop"], _with(_bebop(), steps=[replace(lesson.steps[0], wrong=wrong)]), 0)


def test_unused_picks_are_detected() -> None:
    step = replace(_bebop().lessons[0].steps[0], picks=["keys"])
    with pytest.raises(Broken, match="no move of this step"):
        check_lesson(GAMES["bebop"], _with(_bebop(), steps=[step]), 0)


def test_an_empty_text_is_detected() -> None:
    course = _bebop()
    with pytest.raises(Broken, match="a praise in 'nl'"):
        check_lesson(GAMES["bebop"], _with(course, nl=replace(course.lessons[0].texts("nl"), praise=" ")), 0)


def test_missing_texts_are_reported() -> None:
    course = _bebop()
    lesson = course.lessons[0]
    short = replace(lesson, nl=replace(lesson.texts("nl"), steps=[]))
    with pytest.raises(BadLesson, match="has 1 steps, and texts for 0 in 'nl'"):
        reading._check_texts(short, "nl", "1-claim.toml")
    mute = replace(lesson.en.steps[0], wrong={"other": "No."})
    with pytest.raises(BadLesson, match="disagree about: special"):
        reading._check_texts(replace(lesson, en=replace(lesson.en, steps=[mute])), "en", "1-claim.toml")


def test_a_deeply_nested_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "lesson.toml"
    file.write_text("steps = " + "[" * 10_000 + "]" * 10_000)
    with pytest.raises(BadLesson, match=r"lesson\.toml can't be read"):
        converted(file, dict[str, Any])


def test_a_correct_move_continues_through_the_moves_of_the_others() -> None:
    pupil = Pupil(GAMES["bebop"], _bebop(), 1)
    pupil.act(pupil.lesson.steps[0].move(pupil.game.legal(pupil.state, 0)))
    assert pupil.at == Progress(0, LessonStage.WATCHING)
    pupil.reply()
    assert pupil.at == Progress(0, LessonStage.WATCHING, replies=1)
    pupil.reply()
    assert pupil.at.stage == LessonStage.RIGHT


def test_a_wrong_move_has_its_own_explanation() -> None:
    pupil = Pupil(GAMES["bebop"], _bebop(), 3)
    alone = next(o.action for o in pupil.game.legal(pupil.state, 0) if getattr(o.action, "hex", "") == "b7")
    pupil.act(alone)
    assert pupil.at == Progress(0, LessonStage.WRONG, "alone")


def test_chance_follows_the_script_and_is_deterministic_afterwards() -> None:
    faces = ["keys", "brass", "percussion"]
    rolls = [[Guided(["brass"]).roll(faces), *(Guided([]).roll(faces) for _ in range(3))] for _ in range(2)]
    assert rolls[0] == rolls[1] and rolls[0][0] == 1
    strayed = Guided(["red"])
    strayed.roll(faces)
    assert not strayed.kept_to_script
    assert strayed.picks[0].value in faces


def test_a_cost_that_is_missing_is_named() -> None:
    course = course_of(GAMES["bebop"], "strategy")
    assert course
    step = course.lessons[0].steps[0]
    lesson = replace(course.lessons[0], steps=[replace(step, costs={"other": 20})])
    with pytest.raises(BadLesson, match="does not give the cost of each of its mistakes"):
        reading._check_texts(lesson, "en", "1-queue.toml")
