"""How far a learner is in a lesson, and what a move makes of it. Nothing here changes anything."""

from enum import StrEnum
from typing import Any

import msgspec

from .course import OTHER, Lesson, Reply, matches


class Stage(StrEnum):
    ASKING = "asking"  # for the move of this step
    WATCHING = "watching"  # what the others do about it
    WRONG = "wrong"  # a legal move that misses the point: it lies there until it is taken back
    SHOWN = "shown"  # the coach has made the move, and will take it back
    RIGHT = "right"  # the lesson is learnt


class Progress(msgspec.Struct, frozen=True):
    step: int = 0
    stage: Stage = Stage.ASKING
    say: str = ""  # which text explains a mistake
    replies: int = 0  # how many of the others have done their part of this step


def judged(lesson: Lesson, at: Progress, action: Any) -> Progress:
    """Say where a legal move of the learner leads."""
    step, fields = lesson.steps[at.step], msgspec.to_builtins(action)
    if any(matches(pattern, fields) for pattern in step.right):
        return _gone_on(lesson, at.step, 0)
    said = next((mistake.say for mistake in step.wrong if matches(mistake.when, fields)), OTHER)
    return Progress(at.step, Stage.WRONG, said)


def shown(at: Progress) -> Progress:
    """Have the coach make the move."""
    return Progress(at.step, Stage.SHOWN)


def retried(at: Progress) -> Progress:
    """Ask for the same move again."""
    return Progress(at.step)


def next_reply(lesson: Lesson, at: Progress) -> Reply | None:
    """Give what somebody else does next; None if it is the learner's turn."""
    return lesson.steps[at.step].then[at.replies] if at.stage == Stage.WATCHING else None


def replied(lesson: Lesson, at: Progress) -> Progress:
    """Go on after what somebody else did."""
    return _gone_on(lesson, at.step, at.replies + 1)


def _gone_on(lesson: Lesson, step: int, replies: int) -> Progress:
    if replies < len(lesson.steps[step].then):
        return Progress(step, Stage.WATCHING, replies=replies)
    return Progress(step + 1) if step + 1 < len(lesson.steps) else Progress(step, Stage.RIGHT)
