"""Lesson files: TOML in the folders `lessons/` and `strategy/` beside a game's texts.

A game can have two courses: the first teaches its rules, the second its strategy. `course.toml` holds what all lessons
of a course share. Every other file is a lesson, ordered by file name: a drawn position, steps with their correct moves,
scripted picks and replies, and the texts in every language.

A strategy lesson is a position of a real game, as one seat sees it. Its steps name the cost of each mistake, in percent
of the chance to win.
"""

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal, get_args

import msgspec

from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.game import Actor, AnyGame, Nature
from jamboree.core.offers import Offer
from jamboree.core.seats import Seat
from jamboree.core.words import FALLBACK, LANGUAGES

CourseKind = Literal["basics", "strategy"]
COURSES: tuple[CourseKind, ...] = get_args(CourseKind)
FOLDERS: dict[CourseKind, str] = {"basics": "lessons", "strategy": "strategy"}

Pattern = dict[str, Any]  # of an action: the fields that must match; a list gives alternatives
NOTHING = "-"  # in a pattern, for null, which TOML lacks
OTHER = "other"  # the text for mistakes without a text of their own


class BadLesson(JamboreeError):
    """A lesson file is invalid."""


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class LessonReply(Data, frozen=True):
    """A scripted move of another player after the learner's correct move."""

    actor: Seat | Literal["clock"]
    action: dict[str, Any]
    picks: list[str] = []

    @property
    def by(self) -> Actor:
        return Nature.CLOCK if self.actor == "clock" else int(self.actor)


class Mistake(Data, frozen=True):
    """An expected mistake and the key of the text that explains it."""

    when: Pattern
    say: str


class LessonStep(Data, frozen=True):
    right: list[Pattern]  # moves that complete the step
    show: Pattern = {}  # which of these moves the coach demonstrates; {}: the first
    picks: list[str] = []  # scripted picks, by value
    then: list[LessonReply] = []
    spot: list[str] = []  # places on the table to highlight, by their names
    wrong: list[Mistake] = []
    costs: dict[str, int] = {}  # percent of the chance to win lost by a mistake at least, by the key of its text

    def move(self, offers: Iterable[Offer[Any]]) -> Any:
        """Return the move that the coach demonstrates."""
        right = [each.action for each in offers if any(matches(right, fields_of(each.action)) for right in self.right)]
        if found := [action for action in right if matches(self.show, fields_of(action))] or right:
            return found[0]
        raise BadLesson("No legal move completes this step.")


def translated(data: Any, lang: str) -> Any:
    """Return the texts of a lesson or an example in a language; in English if they have not been translated."""
    return getattr(data, lang) or getattr(data, FALLBACK)


class StepText(Data, frozen=True):
    text: str
    goal: str
    wrong: dict[str, str]


class LessonText(Data, frozen=True):
    name: str  # in the list of lessons
    title: str
    praise: str
    steps: list[StepText]


class Lesson(Data, frozen=True):
    position: str
    steps: list[LessonStep]
    en: LessonText
    nl: LessonText | None = None

    def texts(self, lang: str) -> LessonText:
        text: LessonText = translated(self, lang)
        return text


class Names(Data, frozen=True):
    """The coach's name and the texts around the list of lessons."""

    coach: str
    heading: str  # of the list of lessons
    end: str  # shown after the last lesson


class Common(Data, frozen=True):
    """Data shared by all lessons of a game."""

    seats: int
    learner: Seat
    options: dict[str, Any]
    others: dict[str, str]  # names of the other players, by seat
    en: Names
    nl: Names | None = None

    def texts(self, lang: str) -> Names:
        text: Names = translated(self, lang)
        return text


class Course(msgspec.Struct, frozen=True):
    common: Common
    lessons: tuple[Lesson, ...]

    def names(self, learner: str) -> list[str]:
        """Return the names of all seats."""
        return [self.common.others.get(str(seat), learner) for seat in range(self.common.seats)]


def course_of(game: AnyGame, kind: CourseKind = "basics") -> Course | None:
    """Return a course of a game; None if it has none of this kind."""
    return _read(game.words.package, FOLDERS[kind]) if game.words.package else None


@lru_cache
def _read(package: str, name: str) -> Course | None:
    folder = files(package) / name
    if not folder.is_dir():
        return None
    found = {each.name: each for each in folder.iterdir() if each.name.endswith(".toml")}
    if "course.toml" not in found:
        raise BadLesson(f"There is no course.toml in the folder {name} of {package}.")
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
    texts = lesson.texts(lang)
    if len(texts.steps) != len(lesson.steps):
        raise BadLesson(
            f"The lesson {name} has {len(lesson.steps)} steps, and texts for {len(texts.steps)} in {lang!r}."
        )
    for number, (step, text) in enumerate(zip(lesson.steps, texts.steps, strict=True), 1):
        keys = {OTHER, *(mistake.say for mistake in step.wrong)}
        if step.costs and step.costs.keys() != keys:
            raise BadLesson(f"Step {number} of the lesson {name} does not give the cost of each of its mistakes.")
        missing = keys ^ text.wrong.keys()
        if missing:
            names = ", ".join(sorted(missing))
            raise BadLesson(f"Step {number} of the lesson {name} and its texts in {lang!r} disagree about: {names}.")


def converted(file: Traversable, kind: type[Any]) -> Any:
    """Parse a TOML file into a type; raise BadLesson with the reason if it is invalid."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), kind)
    except (tomllib.TOMLDecodeError, *UNREADABLE) as error:
        raise BadLesson(f"The file {file.name} can't be read: {error}.") from None


def fields_of(action: Any) -> Any:
    """Return an action as plain data."""
    return msgspec.to_builtins(action)


def matches(pattern: Any, value: Any) -> bool:
    """Return whether a value, as plain data, matches a pattern."""
    if isinstance(pattern, Mapping):
        return isinstance(value, Mapping) and all(
            name in value and matches(each, value[name]) for name, each in pattern.items()
        )
    if isinstance(pattern, list):
        return any(matches(each, value) for each in pattern)
    return value is None if pattern == NOTHING else bool(pattern == value)
