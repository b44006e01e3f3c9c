"""Lessons at the terminal: a coach explains and the person makes the moves."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console

from jamboree.core.game import AnyGame
from jamboree.core.learning import Course, CourseKind, LessonStage, LessonText, Pupil, StepText, course_of
from jamboree.core.learning.course import OTHER
from jamboree.core.offers import Offer

from ..language import CATALOGUE
from ..output import DEFAULT_BUDGET, LineBudget, line_count, print_text, show_board
from ..screen import Screen
from .human import MIN_LINES_BELOW, Human, PlayerLeft
from .menu import Group
from .narration import Narrator

LEAVE = ("q", "quit", "exit")
BOLD = re.compile(r"\*\*(.+?)\*\*")


class ShowMe(Exception):
    """The person asks to be shown the move."""


class LessonSkipped(Exception):
    """The person skips the lesson."""


class Learner(Human):
    """A person at a lesson, with a coach instead of hints."""

    explained = ("help", "learn.help")

    def __init__(self, game: AnyGame, seat: int, names: Sequence[str], lang: str, out: Console) -> None:
        super().__init__(game, seat, names, lang, out)
        self.coach = ""  # the coach's text at this step
        self.goal = ""
        self.question = ""
        self.crowded = False  # the board and the coach's text fill the window
        self.withheld = False  # the choices are listed only when Enter is pressed
        self.listed = False
        for name in ("h", "hint", "tip", "show"):
            self.commands[name] = self.show_me
        for name in ("c", "coach"):
            self.commands[name] = lambda view: self._repeat_coach()
        for name in ("n", "skip"):
            self.commands[name] = self.skip
        for name in ("u", "undo", "s", "save"):
            self.commands.pop(name)

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        self.crowded = self.withheld = self.listed = False
        return super().choose(view, offers)

    def _show_board(self, view: Any, below: int) -> int:
        """Show the coach's text below the board, so that it stays visible above the choices."""
        coach_lines = line_count(self.out, self.coach)
        budget = LineBudget(coach_lines + 1, DEFAULT_BUDGET.below_whole + coach_lines, below + coach_lines)
        lines = coach_lines + show_board(self.out, self.game, view, self.names, self.lang, budget)
        print_text(self.out, self.coach)
        self.crowded = self.out.is_terminal and lines + MIN_LINES_BELOW > self.out.height
        return lines + line_count(self.out, self._goal_line())

    def _put_question(self, question: str) -> None:
        self.question = question
        if not self.crowded:
            print_text(self.out, self._goal_line(), "good")
            super()._put_question(question)

    def _list_groups(self, groups: Sequence[Group]) -> None:
        """List the choices below the coach's text; on request only, if the board leaves no space for them."""
        if self.crowded:
            self.crowded, self.withheld = False, True
            return
        if self.withheld or self.listed:
            self.pager.begin(MIN_LINES_BELOW + line_count(self.out, self.coach))
            if self.listed:
                self._repeat_coach()
            self._put_question(self.question)
        self.withheld, self.listed = False, True
        super()._list_groups(groups)

    def _ask(self, inside: Group | None) -> str:
        self.withheld = self.withheld and inside is None
        if self.withheld:
            return self.ask(CATALOGUE.say(self.lang, "learn.list") + " > ")
        return super()._ask(inside)

    def _goal_line(self) -> str:
        return f"» {self.goal}"

    def _repeat_coach(self) -> None:
        self.out.print()
        print_text(self.out, self.coach)

    def show_me(self, view: Any) -> None:
        raise ShowMe

    def skip(self, view: Any) -> None:
        raise LessonSkipped

    def quit(self, view: Any) -> None:
        raise PlayerLeft


class LessonSession:
    """The lessons of a game; `save_progress` is called with the number of the next lesson."""

    def __init__(
        self,
        game: AnyGame,
        course: Course,
        name: str,
        lang: str,
        out: Console,
        save_progress: Callable[[int], None],
        kind: CourseKind = "basics",
    ) -> None:
        self.game = game
        self.course = course
        self.kind = kind
        self.lang = lang
        self.out = out
        self.save_progress = save_progress
        self.names = course.names(name)
        seat = course.common.learner
        self.human, self.screen = Learner(game, seat, self.names, lang, out), Screen(out)
        self.human.read = self.screen.read
        self.narrator = Narrator(game, seat, self.names, lang, out)

    def run(self, first: int) -> bool:
        """Run the lessons from one on; return whether the person completed them."""
        try:
            for number in range(first, len(self.course.lessons)):
                self.save_progress(number)
                self._teach(number)
        except PlayerLeft:
            self._print_left()
            return False
        except KeyboardInterrupt:
            self.screen.forget()
            self.out.print()
            self._print_left()
            raise
        self.save_progress(0)
        self._speak(self.course.common.texts(self.lang).end)
        if self.kind == "basics" and course_of(self.game, "strategy"):
            self._print_message("learn.strategy", game=self.game.info.key)
        return True

    def _print_left(self) -> None:
        option = " --strategy" if self.kind == "strategy" else ""
        self._print_message("learn.left", game=self.game.info.key, option=option)

    def _teach(self, number: int) -> None:
        pupil = Pupil(self.game, self.course, number)
        texts: LessonText = pupil.lesson.texts(self.lang)
        self.out.print()
        count = len(self.course.lessons)
        print_text(
            self.out,
            CATALOGUE.say(self.lang, f"learn.lesson.{self.kind}", number=number + 1, count=count, title=texts.title),
            "strong",
        )
        try:
            while pupil.at.stage != LessonStage.RIGHT:
                self._step(pupil, texts)
        except LessonSkipped:
            return
        self._speak(texts.praise)
        self.save_progress((number + 1) % count)
        self._pause("learn.next")

    def _step(self, pupil: Pupil, texts: LessonText) -> None:
        """Play the others' reply, or ask the person until the move is right."""
        if pupil.at.stage == LessonStage.WATCHING:
            return self._narrate(pupil.reply())
        step = texts.steps[pupil.at.step]
        self.human.coach = self._coach_says(step.text)
        self.human.moved = False
        while pupil.at.stage == LessonStage.ASKING and texts.steps[pupil.at.step] is step:
            self._ask(pupil, step)
        return None

    def _ask(self, pupil: Pupil, step: StepText) -> None:
        self.human.goal = _without_markup(step.goal)
        view, offers = self.game.view(pupil.state, pupil.seat), self.game.legal(pupil.state, pupil.seat)
        try:
            self._narrate(pupil.act(self.human.choose(view, offers)))
        except ShowMe:
            self._narrate(pupil.show())
            self._take_back(pupil, CATALOGUE.say(self.lang, "learn.shown"))
            return
        if pupil.at.stage == LessonStage.WRONG:
            self._take_back(pupil, f"{step.wrong[pupil.at.say]}{self._cost(pupil)}")

    def _cost(self, pupil: Pupil) -> str:
        """Return the sentence about the cost of a mistake; empty where none is known."""
        costs = pupil.lesson.steps[pupil.at.step].costs
        key = "learn.cost.least" if pupil.at.say == OTHER else "learn.cost"
        return " " + CATALOGUE.say(self.lang, key, percent=costs[pupil.at.say]) if costs else ""

    def _take_back(self, pupil: Pupil, reason: str) -> None:
        self._speak(reason)
        self._pause("learn.back")
        pupil.take_back()
        self.human.moved = False

    def _pause(self, key: str) -> None:
        """Wait for Enter, or for the command to leave."""
        if self.human.ask(CATALOGUE.say(self.lang, key) + " > ").lower() in LEAVE:
            raise PlayerLeft

    def _narrate(self, events: list[Any]) -> None:
        self.narrator(self.course.common.learner, None, events)

    def _speak(self, text: str) -> None:
        self.out.print()
        print_text(self.out, self._coach_says(text))

    def _coach_says(self, text: str) -> str:
        return f"{self.course.common.texts(self.lang).coach}: {_without_markup(text)}"

    def _print_message(self, key: str, **params: object) -> None:
        print_text(self.out, CATALOGUE.say(self.lang, key, **params))


def _without_markup(text: str) -> str:
    return BOLD.sub(r"\1", text)
