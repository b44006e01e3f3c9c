"""A guided first game in a terminal: lesson by lesson, where a coach explains and the person makes the moves."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Console

from jamboree.core.game import AnyGame
from jamboree.core.learning import Course, LessonText, Pupil, Stage
from jamboree.core.offers import Offer

from ..language import CATALOGUE
from ..screen import Screen
from ..show import USUAL_ROOM, Room, lines_of, say, show_board
from .human import LEAST, Human, Left
from .menu import Group
from .telling import Telling

LEAVE = ("q", "quit", "exit")
BOLD = re.compile(r"\*\*(.+?)\*\*")


class ShowMe(Exception):
    """The person wants to see the move."""


class Skipped(Exception):
    """The person wants to go on without it."""


class Learner(Human):
    """A person at a lesson: has a coach in the place of a hint."""

    explained = ("help", "learn.help")

    def __init__(self, game: AnyGame, seat: int, names: Sequence[str], lang: str, out: Console) -> None:
        super().__init__(game, seat, names, lang, out)
        self.coach = ""  # what the coach says at this step
        self.goal = ""
        self.question = ""
        self.crowded = False  # the board and the coach fill the window
        self.withheld = False  # so that the choices are listed when Enter is pressed
        self.listed = False
        for name in ("h", "hint", "tip", "show"):
            self.commands[name] = self.show_me
        for name in ("c", "coach"):
            self.commands[name] = lambda view: self._repeat()
        for name in ("n", "skip"):
            self.commands[name] = self.skip
        for name in ("u", "undo", "s", "save"):
            self.commands.pop(name)

    def choose(self, view: Any, offers: Sequence[Offer[Any]]) -> Any:
        self.crowded = self.withheld = self.listed = False
        return super().choose(view, offers)

    def _glance(self, view: Any, below: int) -> int:
        """Show the coach's words below the board, so that they are still there when the choices are read."""
        said = lines_of(self.out, self.coach)
        room = Room(said + 1, USUAL_ROOM.below + said, below + said)
        lines = said + show_board(self.out, self.game, view, self.names, self.lang, room)
        say(self.out, self.coach)
        self.crowded = self.out.is_terminal and lines + LEAST > self.out.height
        return lines + lines_of(self.out, self._said_goal())

    def _put_question(self, question: str) -> None:
        self.question = question
        if not self.crowded:
            say(self.out, self._said_goal(), "good")
            super()._put_question(question)

    def _list_groups(self, groups: Sequence[Group]) -> None:
        """List the choices, with the coach's words in sight; where the board leaves no room for them, on request."""
        if self.crowded:
            self.crowded, self.withheld = False, True
            return
        if self.withheld or self.listed:
            self.pager.begin(LEAST + lines_of(self.out, self.coach))
            if self.listed:
                self._repeat()
            self._put_question(self.question)
        self.withheld, self.listed = False, True
        super()._list_groups(groups)

    def _ask(self, inside: Group | None) -> str:
        self.withheld = self.withheld and inside is None
        if self.withheld:
            return self.ask(CATALOGUE.say(self.lang, "learn.list") + " > ")
        return super()._ask(inside)

    def _said_goal(self) -> str:
        return f"» {self.goal}"

    def _repeat(self) -> None:
        self.out.print()
        say(self.out, self.coach)

    def show_me(self, view: Any) -> None:
        raise ShowMe

    def skip(self, view: Any) -> None:
        raise Skipped

    def quit(self, view: Any) -> None:
        raise Left


class Lessons:
    """The lessons of a game. `note` is told how far the person is: the number of the lesson that comes next."""

    def __init__(
        self, game: AnyGame, course: Course, name: str, lang: str, out: Console, note: Callable[[int], None]
    ) -> None:
        self.game, self.course, self.lang, self.out, self.note = game, course, lang, out, note
        self.names = course.names(name)
        seat = course.common.learner
        self.human, self.screen = Learner(game, seat, self.names, lang, out), Screen(out)
        self.human.read = self.screen.read
        self.telling = Telling(game, seat, self.names, lang, out)

    def run(self, first: int) -> bool:
        """Give the lessons from one on; tell whether the person stayed to the end."""
        try:
            for number in range(first, len(self.course.lessons)):
                self.note(number)
                self._teach(number)
        except Left:
            self._say("learn.left", game=self.game.info.key)
            return False
        except KeyboardInterrupt:
            self.screen.forget()
            self.out.print()
            self._say("learn.left", game=self.game.info.key)
            raise
        self.note(0)
        self._speak(self.course.common.texts(self.lang).end)
        return True

    def _teach(self, number: int) -> None:
        pupil = Pupil(self.game, self.course, number)
        said: LessonText = pupil.lesson.texts(self.lang)
        self.out.print()
        count = len(self.course.lessons)
        say(
            self.out,
            CATALOGUE.say(self.lang, "learn.lesson", number=number + 1, count=count, title=said.title),
            "strong",
        )
        try:
            while pupil.at.stage != Stage.RIGHT:
                self._step(pupil, said)
        except Skipped:
            return
        self._speak(said.praise)
        self.note((number + 1) % count)
        self._pause("learn.next")

    def _step(self, pupil: Pupil, said: LessonText) -> None:
        """Go one move on: what the others do, or what the person does, until it is right."""
        if pupil.at.stage == Stage.WATCHING:
            return self._tell(pupil.reply())
        step = said.steps[pupil.at.step]
        self.human.coach = self._worded(step.text)
        self.human.moved = False
        while pupil.at.stage == Stage.ASKING and said.steps[pupil.at.step] is step:
            self._ask(pupil, step.goal, step.wrong)
        return None

    def _ask(self, pupil: Pupil, goal: str, wrong: dict[str, str]) -> None:
        self.human.goal = _plain(goal)
        view, offers = self._look(pupil)
        try:
            self._tell(pupil.act(self.human.choose(view, offers)))
        except ShowMe:
            self._tell(pupil.show())
            self._take_back(pupil, CATALOGUE.say(self.lang, "learn.shown"))
            return
        if pupil.at.stage == Stage.WRONG:
            self._take_back(pupil, wrong[pupil.at.say])

    def _take_back(self, pupil: Pupil, why: str) -> None:
        self._speak(why)
        self._pause("learn.back")
        pupil.take_back()
        self.human.moved = False

    def _pause(self, key: str) -> None:
        """Wait for Enter; the person may also leave."""
        if self.human.ask(CATALOGUE.say(self.lang, key) + " > ").lower() in LEAVE:
            raise Left

    def _look(self, pupil: Pupil) -> tuple[Any, Sequence[Offer[Any]]]:
        return self.game.view(pupil.state, pupil.seat), self.game.legal(pupil.state, pupil.seat)

    def _tell(self, events: list[Any]) -> None:
        self.telling(self.course.common.learner, None, events)

    def _speak(self, text: str) -> None:
        self.out.print()
        say(self.out, self._worded(text))

    def _worded(self, text: str) -> str:
        return f"{self.course.common.texts(self.lang).coach}: {_plain(text)}"

    def _say(self, key: str, **params: object) -> None:
        say(self.out, CATALOGUE.say(self.lang, key, **params))


def _plain(text: str) -> str:
    return BOLD.sub(r"\1", text)
