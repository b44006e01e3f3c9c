"""Lessons in a terminal: completed, with mistakes, interrupted and resumed."""

import io
import re
from pathlib import Path

import pytest
from rich.console import Console

from jamboree.cli.playing.learning import LessonSession
from jamboree.core.learning import COURSES, CourseKind, course_of
from jamboree.core.learning.course import LessonStep
from jamboree.core.words import LANGUAGES
from jamboree.games import find

from .emulator import Emulator
from .terminal import Terminal, run

NEXT, BACK, PLAY = "Enter goes on", "Enter takes it back", "against Rookie now?"


def words(text: str) -> str:
    return " ".join(text.split())


def follow(terminal: Terminal, seen: str) -> str:
    """Let the program show every move, then make it from the lists, to the end of the course."""
    while PLAY not in words(seen):
        if NEXT in words(seen) or BACK in words(seen):
            seen = terminal.send("")
        else:
            seen = terminal.send("n")  # skips
    return seen


def test_a_lesson_explains_a_mistake_and_can_show_the_move(tmp_path: Path) -> None:
    terminal = Terminal("learn", "bebop", XDG_DATA_HOME=str(tmp_path))
    assert "Lesson 1 of 12: First, a chair" in words(terminal.read())
    wrong = words(terminal.send("1 a2"))
    assert "A fine spot for a picnic." in wrong and BACK in wrong
    assert "Put a basic seat next to the two red fans." in words(terminal.send(""))
    shown = words(terminal.send("h"))
    assert "You claim" in shown and "Now you." in shown
    terminal.send("")
    forbidden = words(terminal.send("1 e5"))
    assert "VIP" in forbidden  # the game's own reason
    right = words(terminal.send("1 d6"))
    assert "A chair of your own" in right
    assert "Lesson 2 of 12" in words(terminal.send(""))
    left = words(terminal.type("q\n", until="\0"))
    assert "`jamboree learn bebop` continues where you were" in left
    terminal.close()
    back = Terminal("learn", "bebop", XDG_DATA_HOME=str(tmp_path))
    assert "Lesson 2 of 12" in words(back.read())
    back.type("q\n", until="\0")
    assert back.close() == 0


@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
def test_the_course_ends_with_a_free_game(key: str, tmp_path: Path) -> None:
    terminal = Terminal("learn", key, XDG_DATA_HOME=str(tmp_path))
    assert PLAY in words(follow(terminal, terminal.read()))
    begun = words(terminal.send("y"))
    assert re.search(r"you are player 1 of \d, with Rookie", begun)
    terminal.type("q\n", until="(y/n) ")
    terminal.type("y\n", until="\0")
    assert terminal.close() == 0


def test_lessons_are_available_in_dutch(tmp_path: Path) -> None:
    terminal = Terminal("learn", "boogie", "--lang", "nl", "--lesson", "4", XDG_DATA_HOME=str(tmp_path))
    begun = words(terminal.read())
    assert "Les 4 van 10: Helemaal alleen daarboven" in begun and "Kapitein Gander" in begun
    terminal.type("q\n", until="\0")
    assert terminal.close() == 0


def test_a_strategy_course_names_the_cost_of_a_mistake_and_keeps_its_own_progress(tmp_path: Path) -> None:
    terminal = Terminal("learn", "bebop", "--strategy", XDG_DATA_HOME=str(tmp_path))
    assert "Strategy, 1 of 5: Shop for a place" in words(terminal.read())
    assert "this move wins at least" in words(terminal.send("2"))
    terminal.send("")
    assert "stage H plays brass" in words(terminal.send("3"))
    assert "Strategy, 2 of 5" in words(terminal.send(""))
    left = words(terminal.type("q\n", until="\0"))
    assert "`jamboree learn bebop --strategy` continues where you were" in left
    terminal.close()
    for options, begins in ([], "Lesson 1 of 12"), (["--strategy"], "Strategy, 2 of 5"):
        back = Terminal("learn", "bebop", *options, XDG_DATA_HOME=str(tmp_path))
        assert begins in words(back.read())
        back.type("q\n", until="\0")
        assert back.close() == 0


class Follower:
    """A learner in a window of 80 by 24 who lists the choices, then makes the correct move, step by step."""

    def __init__(self, key: str, lang: str, kind: CourseKind) -> None:
        course = course_of(find(key), kind)
        assert course
        self.seen, self.missing, self.asked, self.listed = Emulator(80, 24), list[str](), set[str](), False
        out = Console(file=Window(self.seen), width=80, height=24, force_terminal=True, color_system=None)
        self.lessons = LessonSession(find(key), course, "Ada", lang, out, lambda number: None, kind)
        self.steps = {
            text.text.replace("**", ""): step
            for lesson in course.lessons
            for step, text in zip(lesson.steps, lesson.texts(lang).steps, strict=True)
        }
        self.lessons.human.read = self.read

    def read(self, prompt: str) -> str:
        human = self.lessons.human
        human.out.print(prompt, end="", markup=False)
        if not human.groups:  # to go on to the next lesson
            return "\n"
        window, text = words("\n".join(self.seen.window)), human.coach.partition(": ")[2]
        self.missing += [] if words(human.coach) in window else [window]
        self.asked.add(text)
        self.listed = not self.listed
        return "\n" if self.listed else self.right(self.steps[text])

    def right(self, step: LessonStep) -> str:
        action = step.move(self.lessons.human.offers)
        for number, group in enumerate(self.lessons.human.groups, 1):
            for place, target in enumerate(group.targets, 1):
                if target.action == action:
                    return f"{number} {place}\n"
        raise AssertionError(f"{action} is not in the menu")


class Window(io.StringIO):
    """Renders output at once."""

    def __init__(self, seen: Emulator) -> None:
        super().__init__()
        self.seen = seen

    def write(self, text: str) -> int:
        self.seen.feed(text)
        return len(text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", COURSES)
@pytest.mark.parametrize("key", ["bebop", "bpm", "boogie"])
def test_every_question_of_a_lesson_shows_the_coachs_text(key: str, lang: str, kind: CourseKind) -> None:
    follower = Follower(key, lang, kind)
    assert follower.lessons.run(0)
    assert follower.asked == set(follower.steps)
    assert not follower.missing, "\n".join(follower.missing)


def test_games_without_lessons_are_reported() -> None:
    assert "the lessons are 1 to 12" in run("learn", "bebop", "--lesson", "13").stderr
    assert "interactive terminal" in run("learn", "bebop").stderr
