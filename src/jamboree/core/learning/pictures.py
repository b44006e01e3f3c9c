"""Illustrations and worked examples of a rules page: `pictures.toml` beside the pages.

Components are drawn by the game's table UI. A worked example is a drawn position, its own or that of a lesson, with the
moves to make there; the reader may try other moves, which the rules resolve.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Any

from msgspec import field

from jamboree.core.errors import JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.words import FALLBACK

from .course import BadLesson, Course, Data, Pattern, converted, course_of, fields_of, matches, translated
from .guided import Guided
from .pupil import laid_out

MOST_MOVES = 12  # moves of a reader in one example
READER = "Robin"  # the name of the reader's seat; clients say “you” instead


class Pieces(Data, frozen=True):
    """A row of components shown below a rule."""

    rule: str
    show: list[dict[str, Any]]  # components as the table UI names them, with their properties
    en: str
    nl: str = ""

    def text(self, lang: str) -> str:
        """Return the caption."""
        return str(translated(self, lang))


class ExampleText(Data, frozen=True):
    alt: str  # alternative text of the picture
    text: str  # what the reader can do
    explanation: str  # of the result


class Example(Data, frozen=True):
    """An interactive example below a rule."""

    name: str
    rule: str
    moves: list[Pattern]  # the moves of the example
    points: int  # the points that these moves bring the reader
    en: ExampleText
    nl: ExampleText | None = None
    position: str = ""
    lesson: int = 0  # the lesson whose position it uses, from 1
    picks: list[str] = field(default_factory=list)  # scripted picks, by value

    def texts(self, lang: str) -> ExampleText:
        text: ExampleText = translated(self, lang)
        return text


class Pictures(Data, frozen=True):
    pieces: list[Pieces] = field(default_factory=list)
    examples: list[Example] = field(default_factory=list)

    def example(self, name: str) -> Example | None:
        return next((each for each in self.examples if each.name == name), None)


def pictures_of(game: AnyGame) -> Pictures:
    """Return the illustrations of a game's rules page; they may be empty."""
    return _read(game.words.package) if game.words.package else Pictures()


def quick_reference(game: AnyGame, lang: str) -> str:
    """Return the one-page rules reference; empty if a game has none."""
    return _page(game.words.package, lang) if game.words.package else ""


@lru_cache
def _read(package: str) -> Pictures:
    file = files(package) / "rules" / "pictures.toml"
    found: Pictures = converted(file, Pictures) if file.is_file() else Pictures()
    return found


@lru_cache
def _page(package: str, lang: str) -> str:
    for language in (lang, FALLBACK):
        file = files(package) / "rules" / f"quick-{language}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return ""


class Trial:
    """A worked example in progress."""

    def __init__(self, game: AnyGame, example: Example) -> None:
        course = course_of(game)
        if course is None:
            raise BadLesson(f"The example {example.name} has nobody to be played with: there are no lessons.")
        self.game = game
        self.course = course
        self.example = example
        self.state = laid_out(game, _position(example, course))
        self.chance = Guided(example.picks)
        self.moves = 0

    @property
    def seat(self) -> int:
        return self.course.common.learner

    @property
    def names(self) -> list[str]:
        return self.course.names(READER)

    def offers(self) -> Any:
        """Return the reader's legal actions; empty after MOST_MOVES moves."""
        asked = self.moves < MOST_MOVES and self.seat in self.game.to_act(self.state)
        return self.game.legal(self.state, self.seat) if asked else ()

    def act(self, action: Any) -> list[Any]:
        """Apply the reader's move and return the events that the reader sees."""
        events: list[Any] = []
        self.game.apply(self.state, self.seat, action, self.chance, events.append)
        self.moves += 1
        seen = (self.game.witness(event, self.seat) for event in events)
        return [event for event in seen if event is not None]

    def next(self) -> Any:
        """Return the next move of the example; None at its end."""
        if self.moves >= len(self.example.moves):
            return None
        pattern = self.example.moves[self.moves]
        found = [each.action for each in self.offers() if matches(pattern, fields_of(each.action))]
        if not found:
            raise JamboreeError(f"Nothing like {pattern} can be done in the example {self.example.name}.")
        return found[0]


def _position(example: Example, course: Course) -> str:
    if example.position:
        return example.position
    if not 0 < example.lesson <= len(course.lessons):
        raise BadLesson(f"The example {example.name} has no position: there is no lesson {example.lesson}.")
    return course.lessons[example.lesson - 1].position
