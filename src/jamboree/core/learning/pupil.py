"""A lesson in progress in this process: for the terminal and for testing lessons."""

from typing import Any

import msgspec

from jamboree.core.chance import Replayed, Seeded
from jamboree.core.game import Actor, AnyGame, read_action
from jamboree.core.journal import Entry

from .course import Course, Lesson
from .guided import Guided
from .progress import LessonStage, Progress, judged, next_reply, replied, retried, shown


def laid_out(game: AnyGame, drawn: str) -> Any:
    """Set up a drawn position; what a drawing doesn't show, such as a deck's order, comes from a fixed seed."""
    return game.imagine(game.words.parse(drawn), Seeded(0))


def repeated(game: AnyGame, state: Any, moves: list[Entry]) -> Any:
    """Replay moves on a position."""
    for move in moves:
        action = read_action(game, move.action)
        game.apply(state, move.actor, action, Replayed(move.picks))
    return state


class Pupil:
    """One lesson in progress. Wrong moves are applied and stay until they are taken back."""

    def __init__(self, game: AnyGame, course: Course, number: int) -> None:
        self.game = game
        self.course = course
        self.number = number
        self.state, self.at = laid_out(game, self.lesson.position), Progress()
        self.moves: list[Entry] = []  # moves that were not taken back

    @property
    def lesson(self) -> Lesson:
        return self.course.lessons[self.number]

    @property
    def seat(self) -> int:
        return self.course.common.learner

    def act(self, action: Any) -> list[Any]:
        """Apply the learner's move and return its events; on Illegal nothing changes."""
        assert self.at.stage == LessonStage.ASKING, "the learner is asked"
        return self._carry_out(self.seat, action, self._script(), judged(self.lesson, self.at, action))

    def show(self) -> list[Any]:
        """Let the coach demonstrate the move."""
        assert self.at.stage == LessonStage.ASKING, "there is a move to be shown"
        action = self.lesson.steps[self.at.step].move(self.game.legal(self.state, self.seat))
        return self._carry_out(self.seat, action, self._script(), shown(self.at))

    def reply(self) -> list[Any]:
        """Make the next scripted reply."""
        reply = next_reply(self.lesson, self.at)
        assert reply, "somebody else is to act"
        action = read_action(self.game, reply.action)
        return self._carry_out(reply.by, action, Guided(reply.picks), replied(self.lesson, self.at))

    def take_back(self) -> None:
        """Return to the position before the learner's last move."""
        self.state, self.at = (
            repeated(self.game, laid_out(self.game, self.lesson.position), self.moves),
            retried(self.at),
        )

    def _script(self) -> Guided:
        return Guided(self.lesson.steps[self.at.step].picks)

    def _carry_out(self, actor: Actor, action: Any, chance: Guided, then: Progress) -> list[Any]:
        events: list[Any] = []
        self.game.apply(self.state, actor, action, chance, events.append)
        self.at = then
        if then.stage not in (LessonStage.WRONG, LessonStage.SHOWN):
            self.moves.append(Entry(actor, msgspec.to_builtins(action), chance.picks))
        return events
