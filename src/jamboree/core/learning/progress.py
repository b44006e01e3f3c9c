"""The progress of a learner in a lesson, as pure functions (a reducer)."""

from enum import StrEnum
from typing import Any

import msgspec

from .course import OTHER, Lesson, LessonReply, matches


class LessonStage(StrEnum):
    ASKING = "asking"  # waiting for the learner's move
    WATCHING = "watching"  # the other players reply
    WRONG = "wrong"  # a legal but wrong move was made; it stays until it is taken back
    SHOWN = "shown"  # the coach has demonstrated the move and will take it back
    RIGHT = "right"  # the lesson is complete


class Progress(msgspec.Struct, frozen=True):
    step: int = 0
    stage: LessonStage = LessonStage.ASKING
    say: str = ""  # key of the text that explains a mistake
    replies: int = 0  # number of replies already made in this step


def judged(lesson: Lesson, at: Progress, action: Any) -> Progress:
    """Return the progress after a legal move of the learner."""
    step, fields = lesson.steps[at.step], msgspec.to_builtins(action)
    if any(matches(pattern, fields) for pattern in step.right):
        return _gone_on(lesson, at.step, 0)
    said = next((mistake.say for mistake in step.wrong if matches(mistake.when, fields)), OTHER)
    return Progress(at.step, LessonStage.WRONG, said)


def shown(at: Progress) -> Progress:
    """Return the progress after the coach's demonstration."""
    return Progress(at.step, LessonStage.SHOWN)


def retried(at: Progress) -> Progress:
    """Return the progress before the same step."""
    return Progress(at.step)


def next_reply(lesson: Lesson, at: Progress) -> LessonReply | None:
    """Return the next scripted reply; None if it is the learner's turn."""
    return lesson.steps[at.step].then[at.replies] if at.stage == LessonStage.WATCHING else None


def replied(lesson: Lesson, at: Progress) -> Progress:
    """Return the progress after a reply."""
    return _gone_on(lesson, at.step, at.replies + 1)


def _gone_on(lesson: Lesson, step: int, replies: int) -> Progress:
    if replies < len(lesson.steps[step].then):
        return Progress(step, LessonStage.WATCHING, replies=replies)
    return Progress(step + 1) if step + 1 < len(lesson.steps) else Progress(step, LessonStage.RIGHT)
