"""Commands of lessons: begin one, retry, see the coach's move."""

from typing import Annotated

import msgspec
from msgspec import Meta

from jamboree.core.game import read_action
from jamboree.core.journal import Entry, state_hash
from jamboree.core.learning import CourseKind, LessonStage, Progress, course_of, next_reply, retried, shown

from ...errors import Refused
from ..positions import lesson_position
from ..records import LessonSetUp, LessonTurned
from ..roster import Learning
from ..state import TableState
from .base import Command, Context, Decision, Message
from .playing import acted, lesson_at


class BeginLesson(Message, frozen=True, tag="lesson"):
    """Begin a lesson."""

    lesson: Annotated[int, Meta(ge=0, le=99)]

    def decide(self, ctx: Context) -> Decision:
        course = _learning(ctx).course
        return Decision([lesson_record(ctx.state, self.lesson, course)], ctx.state.seq + 1)


class RetryLesson(Message, frozen=True, tag="retry"):
    """Undo a wrong move, or one that the coach has shown. Idempotent."""

    def decide(self, ctx: Context) -> Decision:
        learning = _learning(ctx)
        if learning.at.stage not in (LessonStage.WRONG, LessonStage.SHOWN):
            return Decision([], ctx.state.seq)
        at = retried(learning.at)
        again = _record(ctx.state, learning.course, learning.lesson, at, learning.position, learning.moves)
        return Decision([again], ctx.state.seq + 1)


class ShowMove(Message, frozen=True, tag="show-move"):
    """Let the coach make the move. Idempotent."""

    def decide(self, ctx: Context) -> Decision:
        learning = _learning(ctx)
        if learning.at.stage != LessonStage.ASKING:
            return Decision([], ctx.state.seq)
        course, lesson = lesson_at(ctx.state.game, learning)
        seat = course.common.learner
        move = lesson.steps[learning.at.step].move(ctx.state.game.legal(ctx.state.position, seat))
        _, *made = acted(ctx, seat, move).records
        return Decision([LessonTurned(shown(learning.at)), *made], ctx.state.seq + 2)


class ReplyInLesson(Command, frozen=True):
    """Let another player make the move that the lesson prescribes."""

    def decide(self, ctx: Context) -> Decision:
        learning = ctx.roster.learning
        reply = next_reply(lesson_at(ctx.state.game, learning)[1], learning.at) if learning else None
        if reply is None:
            return Decision([])
        return acted(ctx, reply.by, read_action(ctx.state.game, reply.action))


def lesson_record(state: TableState, number: int, kind: CourseKind) -> LessonSetUp:
    course = course_of(state.game, kind)
    if course is None or not 0 <= number < len(course.lessons):
        raise Refused("no-lesson", "There is no such lesson.")
    return _record(state, kind, number, Progress(), course.lessons[number].position, [])


def _record(
    state: TableState, course: CourseKind, number: int, at: Progress, position: str, moves: list[Entry]
) -> LessonSetUp:
    record = LessonSetUp(number, at, position, moves, "", course)
    return msgspec.structs.replace(record, state=state_hash(lesson_position(state.game, record)))


def _learning(ctx: Context) -> Learning:
    ctx.player()
    if ctx.roster.learning is None:
        raise Refused("no-lesson", "There is no lesson at this table.")
    return ctx.roster.learning
