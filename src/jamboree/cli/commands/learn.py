"""`jamboree learn`: a guided first game in lessons."""

import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from jamboree import __version__
from jamboree.bots import Level
from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.journal import About
from jamboree.core.learning import CourseKind, course_of
from jamboree.core.table_options import read_options
from jamboree.games import find, keys

from ..files import data_folder, read_file, write_file
from ..language import CATALOGUE, game_language
from ..options import GameKey, Lang
from ..output import console
from ..playing.human import YES
from ..playing.learning import LessonSession
from ..playing.local import begin
from ..playing.seating import bot_names
from .play import today


def learn(
    game: GameKey,
    lesson: Annotated[
        int | None, typer.Option(help="Start with this lesson, from 1.", show_default="where you left off")
    ] = None,
    strategy: Annotated[
        bool, typer.Option("--strategy", help="The second course: positions from games of strong bots.")
    ] = False,
    lang: Lang = "",
) -> None:
    """Learn a game by playing: short lessons with a coach, then a game against Rookie."""
    rules, out = find(game), console()
    lang = game_language(rules, lang)
    kind: CourseKind = "strategy" if strategy else "basics"
    course = course_of(rules, kind)
    if course is None:
        taught = ", ".join(key for key in keys() if course_of(find(key), kind))
        raise JamboreeError(f"There are no lessons for {rules.info.title}, only for: {taught}.")
    if lesson is not None and not 1 <= lesson <= len(course.lessons):
        raise JamboreeError(f"There is no lesson {lesson}; the lessons are 1 to {len(course.lessons)}.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise JamboreeError("This needs an interactive terminal.")
    name = CATALOGUE.say(lang, "player", number=course.common.learner + 1)
    key = f"{game} strategy" if strategy else game
    lessons = LessonSession(rules, course, name, lang, out, lambda number: _save_progress(key, number), kind)
    first = _progress(key) if lesson is None else lesson - 1
    level: Level = "regular" if strategy else "rookie"
    with lessons.screen:
        plays_on = lessons.run(first if first < len(course.lessons) else 0) and _wants_more(lessons, level, lang)
    if plays_on:
        count = course.common.seats
        about = About(__version__, today(), seat=0, bots=bot_names(rules, level, count - 1), language=lang)
        options = read_options(rules, course.common.options)
        match = begin(rules, count, options, secrets.randbits(32), about, None, lang, out)
        match.save_to(None)
        match.play()


def _wants_more(lessons: LessonSession, level: Level, lang: str) -> bool:
    return lessons.human.ask(CATALOGUE.say(lang, f"learn.play.{level}") + " > ").lower() in ("", *YES)


def _progress(course: str) -> int:
    """Return the index of the next lesson."""
    with suppress(JamboreeError, *UNREADABLE):
        return max(0, msgspec.json.decode(read_file(_path()), type=dict[str, int]).get(course, 0))
    return 0


def _save_progress(course: str, number: int) -> None:
    """Save the index of the next lesson; failures are ignored."""
    progress = dict[str, int]()
    with suppress(JamboreeError, *UNREADABLE):
        progress = msgspec.json.decode(read_file(_path()), type=dict[str, int])
    with suppress(JamboreeError):
        write_file(_path(), msgspec.json.encode(progress | {course: number}).decode())


def _path() -> Path:
    return data_folder() / "lessons.json"
