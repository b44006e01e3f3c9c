"""Lessons at a live table: the progress of a learner in a course, and the positions of its lessons."""

from typing import Any

import msgspec

from jamboree.core.chance import Chance
from jamboree.core.game import Actor, AnyGame
from jamboree.core.journal import Entry
from jamboree.core.learning import (
    Course,
    CourseKind,
    Guided,
    Lesson,
    LessonStage,
    Progress,
    course_of,
    judged,
    laid_out,
    next_reply,
    repeated,
    replied,
)

from .records import LessonSetUp, LessonTurned

LASTING = (LessonStage.ASKING, LessonStage.WATCHING, LessonStage.RIGHT)  # moves that lead here stay on the table


class Learning(msgspec.Struct):
    """Progress in a course."""

    lesson: int
    at: Progress
    position: str
    moves: list[Entry]  # of this lesson
    done: list[int] = []  # completed lessons
    course: CourseKind = "basics"

    def go_to(self, at: Progress) -> None:
        self.at = at
        if at.stage == LessonStage.RIGHT and self.lesson not in self.done:
            self.done = sorted([*self.done, self.lesson])

    def note(self, move: Entry) -> None:
        if self.at.stage in LASTING:
            self.moves = [*self.moves, move]


def followed(before: Learning | None, record: object) -> Learning | None:
    """The progress after a record."""
    match record:
        case LessonSetUp():
            done = before.done if before else []
            return Learning(record.lesson, record.at, record.position, record.moves, done, record.course)
        case LessonTurned() if before:
            before.go_to(record.at)
    return before


def position_of(game: AnyGame, record: LessonSetUp) -> Any:
    """The position that a record describes, independent of later changes of the lesson."""
    return repeated(game, laid_out(game, record.position), record.moves)


def lesson_at(game: AnyGame, learning: Learning) -> tuple[Course, Lesson]:
    course = course_of(game, learning.course)
    assert course and learning.lesson < len(course.lessons), "a lesson is being given"
    return course, course.lessons[learning.lesson]


def practised(game: AnyGame, learning: Learning, actor: Actor, action: Any) -> tuple[Progress, Chance]:
    """The result of a move in a lesson, with its prescribed chance."""
    course, lesson = lesson_at(game, learning)
    if actor == course.common.learner:
        return judged(lesson, learning.at, action), Guided(lesson.steps[learning.at.step].picks)
    reply = next_reply(lesson, learning.at)
    return replied(lesson, learning.at), Guided(reply.picks if reply else [])
