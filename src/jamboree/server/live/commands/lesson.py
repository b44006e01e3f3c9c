"""What can be asked of a table where somebody learns: a lesson, a move shown, a move taken back."""

import msgspec

from jamboree.core.chance import Chance
from jamboree.core.game import read_action
from jamboree.core.journal import Entry, state_hash
from jamboree.core.learning import Progress, Stage, course_of, next_reply, retried, shown

from ...errors import Refused
from ..lesson import Learning, LessonLaid, LessonTurned, lesson_at, position_of
from ..state import Memory
from .base import Decision, player
from .playing import acted


class BeginLesson(msgspec.Struct, frozen=True):
    """Lay the table for a lesson from its beginning."""

    person: str | None
    lesson: int

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        _learning(memory, self.person)
        return Decision([laid_for(memory, self.lesson)], memory.seq + 1)


class RetryLesson(msgspec.Struct, frozen=True):
    """Take a move back that missed the point, or that the coach has shown. Sent again, it changes nothing."""

    person: str | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        learning = _learning(memory, self.person)
        if learning.at.stage not in (Stage.WRONG, Stage.SHOWN):
            return Decision([], memory.seq)
        again = _laid(memory, learning.lesson, retried(learning.at), learning.position, learning.moves)
        return Decision([again], memory.seq + 1)


class ShowMove(msgspec.Struct, frozen=True):
    """Have the coach make the move that is asked for. Sent again, it changes nothing."""

    person: str | None

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        learning = _learning(memory, self.person)
        if learning.at.stage != Stage.ASKING:
            return Decision([], memory.seq)
        course, lesson = lesson_at(memory.game, learning)
        seat = course.common.learner
        move = lesson.steps[learning.at.step].move(memory.game.legal(memory.state, seat))
        _, *made = acted(memory, seat, move, chance).records
        return Decision([LessonTurned(shown(learning.at)), *made], memory.seq + 2)


class ReplyInLesson(msgspec.Struct, frozen=True):
    """Have one of the others do what the lesson says."""

    def decide(self, memory: Memory, chance: Chance) -> Decision:
        learning = memory.lobby.learning
        reply = next_reply(lesson_at(memory.game, learning)[1], learning.at) if learning else None
        if reply is None:
            return Decision([])
        return acted(memory, reply.by, read_action(memory.game, reply.action), chance)


def laid_for(memory: Memory, number: int) -> LessonLaid:
    course = course_of(memory.game)
    if course is None or not 0 <= number < len(course.lessons):
        raise Refused("no-lesson", "There is no such lesson.")
    return _laid(memory, number, Progress(), course.lessons[number].position, [])


def _laid(memory: Memory, number: int, at: Progress, position: str, moves: list[Entry]) -> LessonLaid:
    record = LessonLaid(number, at, position, moves, "")
    return msgspec.structs.replace(record, state=state_hash(position_of(memory.game, record)))


def _learning(memory: Memory, person: str | None) -> Learning:
    player(memory, person)
    if memory.lobby.learning is None:
        raise Refused("no-lesson", "No lesson is given at this table.")
    return memory.lobby.learning
