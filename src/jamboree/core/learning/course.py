"""Lessons as a designer writes them: TOML files in the folder `lessons/` beside a game's texts.

`course.toml` says what all lessons have in common. Every other file is a lesson, in the order of their names: a drawn
position, steps with what is right, what chance picks and what the others do, and the texts in every language.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

import msgspec

from jamboree.core.errors import JamboreeError
from jamboree.core.game import Actor, AnyGame, Nature
from jamboree.core.offers import Offer
from jamboree.core.seats import Seat
from jamboree.core.words import LANGUAGES

Pattern = dict[str, Any]  # of an action: its fields as far as they matter; a list names values of which any will do
NOTHING = "-"  # in a pattern, for null, which TOML lacks
OTHER = "other"  # what is said to a mistake that has no text of its own


class BadLesson(JamboreeError):
    """A lesson that can't be given as it is written."""


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Reply(Data, frozen=True):
    """What somebody else does when the learner has made the right move."""

    actor: Seat | Literal["clock"]
    action: dict[str, Any]
    picks: list[str] = []

    @property
    def who(self) -> Actor:
        return Nature.CLOCK if self.actor == "clock" else int(self.actor)


class Mistake(Data, frozen=True):
    """A mistake that somebody may well make, and the text that explains it."""

    when: Pattern
    say: str


class Step(Data, frozen=True):
    right: list[Pattern]  # what counts as done
    show: Pattern = {}  # which of these moves the coach makes for somebody who wants to see it; {}: the first
    picks: list[str] = []  # what chance picks, by value
    then: list[Reply] = []
    spot: list[str] = []  # places by the names they have on the table: where to look, where to press
    wrong: list[Mistake] = []

    def move(self, offers: Iterable[Offer[Any]]) -> Any:
        """Find the move that the coach makes among those that are legal."""
        right = [each.action for each in offers if any(matches(right, fields_of(each.action)) for right in self.right)]
        if found := [action for action in right if matches(self.show, fields_of(action))] or right:
            return found[0]
        raise BadLesson("Nothing that counts as right can be done here.")


class StepText(Data, frozen=True):
    text: str
    goal: str
    wrong: dict[str, str]


class LessonText(Data, frozen=True):
    name: str  # in a list of lessons
    title: str
    praise: str
    steps: list[StepText]


class Lesson(Data, frozen=True):
    position: str
    steps: list[Step]
    en: LessonText
    nl: LessonText

    def texts(self, lang: str) -> LessonText:
        said: LessonText = getattr(self, lang)
        return said


class Names(Data, frozen=True):
    """Who speaks."""

    coach: str
    road: str  # over the list of lessons
    end: str  # what is said when all is learnt


class Common(Data, frozen=True):
    """What all lessons of a game have in common."""

    seats: int
    learner: Seat
    options: dict[str, Any]
    others: dict[str, str]  # by seat: what the others are called
    en: Names
    nl: Names

    def texts(self, lang: str) -> Names:
        said: Names = getattr(self, lang)
        return said


class Course(msgspec.Struct, frozen=True):
    common: Common
    lessons: tuple[Lesson, ...]

    def names(self, learner: str) -> list[str]:
        """Name everybody at the table."""
        return [self.common.others.get(str(seat), learner) for seat in range(self.common.seats)]


def course_of(game: AnyGame) -> Course | None:
    """Read the lessons of a game; None if it has none."""
    package = package_of(game)
    return _read(package) if package else None


def package_of(game: AnyGame) -> str | None:
    """Name the package that has a game's texts, where there is one."""
    return getattr(getattr(game.words, "catalogue", None), "package", None)


@lru_cache
def _read(package: str) -> Course | None:
    folder = files(package) / "lessons"
    if not folder.is_dir():
        return None
    found = {each.name: each for each in folder.iterdir() if each.name.endswith(".toml")}
    if "course.toml" not in found:
        raise BadLesson(f"There is no course.toml beside the lessons of {package}.")
    common = converted(found.pop("course.toml"), Common)
    return Course(common, tuple(_checked(found[name], common) for name in sorted(found)))


def _checked(file: Traversable, common: Common) -> Lesson:
    lesson: Lesson = converted(file, Lesson)
    if not lesson.steps:
        raise BadLesson(f"The lesson {file.name} has no steps.")
    for lang in LANGUAGES:
        _check_texts(lesson, lang, file.name)
    return lesson


def _check_texts(lesson: Lesson, lang: str, name: str) -> None:
    said = lesson.texts(lang)
    if len(said.steps) != len(lesson.steps):
        raise BadLesson(
            f"The lesson {name} has {len(lesson.steps)} steps, and texts for {len(said.steps)} in {lang!r}."
        )
    for number, (step, text) in enumerate(zip(lesson.steps, said.steps, strict=True), 1):
        missing = {OTHER, *(mistake.say for mistake in step.wrong)} ^ text.wrong.keys()
        if missing:
            names = ", ".join(sorted(missing))
            raise BadLesson(f"Step {number} of the lesson {name} and its texts in {lang!r} disagree about: {names}.")


def converted(file: Traversable, kind: type[Any]) -> Any:
    """Read a file as it is written."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadLesson(f"The file {file.name} can't be read: {error}.") from None


def fields_of(action: Any) -> Any:
    """Give an action as plain data."""
    return msgspec.to_builtins(action)


def matches(pattern: Any, value: Any) -> bool:
    """Tell whether a value, written as plain data, is as a pattern has it."""
    if isinstance(pattern, Mapping):
        return isinstance(value, Mapping) and all(
            name in value and matches(each, value[name]) for name, each in pattern.items()
        )
    if isinstance(pattern, list):
        return any(matches(each, value) for each in pattern)
    return value is None if pattern == NOTHING else bool(pattern == value)
