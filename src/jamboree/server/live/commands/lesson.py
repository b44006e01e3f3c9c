"""What can be asked of a table where somebody learns: a lesson, a move shown, a move taken back."""

from typing import Annotated

import msgspec
from msgspec import Meta

from jamboree.core.game import read_action
from jamboree.core.journal import Entry, state_hash
from jamboree.core.learning import LessonStage, Progress, course_of, next_reply, retried, shown

from ...errors import Refused
from ..lesson import Learning, LessonLaid, LessonTurned, lesson_at, position_of
from ..state import TableState
from .base import Command, Context, Decision, Message
from .playing import acted


class BeginLesson(Message, frozen=True, tag="lesson"):
    """Have the table laid for a lesson: the next one, or any."""

    lesson: Annotated[int, Meta(ge=0, le=99)]

    def decide(self, ctx: Context) -> Decision:
        _learning(ctx)
        return Decision([laid_for(ctx.state, self.lesson)], ctx.state.seq + 1)


class RetryLesson(Message, frozen=True, tag="retry"):
    """Take back what missed the point in a lesson, or what the coach has shown. Sent again, it changes nothing."""

    def decide(self, ctx: Context) -> Decision:
        learning = _learning(ctx)
        if learning.at.stage not in (LessonStage.WRONG, LessonStage.SHOWN):
            return Decision([], ctx.state.seq)
        again = _laid(ctx.state, learning.lesson, retried(learning.at), learning.position, learning.moves)
        return Decision([again], ctx.state.seq + 1)


class ShowMove(Message, frozen=True, tag="show-move"):
    """Have the coach of a lesson make the move. Sent again, it changes nothing."""

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
    """Have one of the others do what the lesson says."""

    def decide(self, ctx: Context) -> Decision:
        learning = ctx.roster.learning
        reply = next_reply(lesson_at(ctx.state.game, learning)[1], learning.at) if learning else None
        if reply is None:
            return Decision([])
        return acted(ctx, reply.by, read_action(ctx.state.game, reply.action))


def laid_for(state: TableState, number: int) -> LessonLaid:
    course = course_of(state.game)
    if course is None or not 0 <= number < len(course.lessons):
        raise Refused("no-lesson", "There is no such lesson.")
    return _laid(state, number, Progress(), course.lessons[number].position, [])


def _laid(state: TableState, number: int, at: Progress, position: str, moves: list[Entry]) -> LessonLaid:
    record = LessonLaid(number, at, position, moves, "")
    return msgspec.structs.replace(record, state=state_hash(position_of(state.game, record)))


def _learning(ctx: Context) -> Learning:
    ctx.player()
    if ctx.roster.learning is None:
        raise Refused("no-lesson", "No lesson is given at this table.")
    return ctx.roster.learning
