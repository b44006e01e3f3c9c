"""`jamboree learn`: a guided first game, lesson by lesson."""

import secrets
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from jamboree import __version__
from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.journal import About
from jamboree.core.learning import course_of
from jamboree.games import find, keys

from ..files import data_folder, read_file, write_file
from ..language import CATALOGUE, language_of
from ..options import GameKey, Lang
from ..playing.human import YES
from ..playing.learning import Lessons
from ..playing.local import begin
from ..playing.seating import bot_names
from ..show import console
from .play import today


def learn(
    game: GameKey,
    lesson: Annotated[
        int | None, typer.Option(help="Begin with this lesson, from 1.", show_default="where you left")
    ] = None,
    lang: Lang = "",
) -> None:
    """Learn a game by playing: short lessons with a coach, then a game against Rookie."""
    rules, out = find(game), console()
    lang = language_of(rules, lang)
    course = course_of(rules)
    if course is None:
        taught = ", ".join(key for key in keys() if course_of(find(key)))
        raise JamboreeError(f"There are no lessons for {rules.info.title}; there are for: {taught}.")
    if lesson is not None and not 1 <= lesson <= len(course.lessons):
        raise JamboreeError(f"There is no lesson {lesson}; they go from 1 to {len(course.lessons)}.")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise JamboreeError("There is no terminal to ask you in.")
    name = CATALOGUE.say(lang, "player", number=course.common.learner + 1)
    lessons = Lessons(rules, course, name, lang, out, lambda number: _note(game, number))
    first = _noted(game) if lesson is None else lesson - 1
    with lessons.screen:
        goes_on = lessons.run(first if first < len(course.lessons) else 0) and _wants_more(lessons, lang)
    if goes_on:
        count = course.common.seats
        about = About(__version__, today(), seat=0, bots=bot_names(rules, "rookie", count - 1), language=lang)
        options = msgspec.convert(course.common.options, rules.info.options)
        begun = begin(rules, count, options, secrets.randbits(32), about, None, lang, out)
        begun.keep(None)
        begun.play()


def _wants_more(lessons: Lessons, lang: str) -> bool:
    return lessons.human.ask(CATALOGUE.say(lang, "learn.play") + " > ").lower() in ("", *YES)


def _noted(game: str) -> int:
    """Look up how far this person is; 0 for somebody new."""
    with suppress(JamboreeError, *UNREADABLE):
        return max(0, msgspec.json.decode(read_file(_file()), type=dict[str, int]).get(game, 0))
    return 0


def _note(game: str, number: int) -> None:
    """Keep how far this person is; where nothing can be kept, one begins anew."""
    noted = dict[str, int]()
    with suppress(JamboreeError, *UNREADABLE):
        noted = msgspec.json.decode(read_file(_file()), type=dict[str, int])
    with suppress(JamboreeError):
        write_file(_file(), msgspec.json.encode(noted | {game: number}).decode())


def _file() -> Path:
    return data_folder() / "lessons.json"
