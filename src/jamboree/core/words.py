"""Sentences and pictures: one catalogue a game for the terminal and the web, in every language."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, get_args

from .errors import Flaw, Illegal
from .offers import Caution

Language = Literal["en", "nl"]
LANGUAGES: tuple[Language, ...] = get_args(Language)

A = TypeVar("A", contravariant=True)
E = TypeVar("E", contravariant=True)
V = TypeVar("V")
M = TypeVar("M")

MOST_FLAWS = 50  # mistakes in an option that are listed


class Colours(NamedTuple):
    """What is written, and on what."""

    ink: str
    on: str


_LYING = json.loads((files(__package__) / "palette.json").read_text("utf-8"))
PALETTE: Mapping[str, Colours] = {style: Colours(**colours) for style, colours in _LYING.items()}
"""Styles of things on the table: places of a board, players, pieces. They have the same colours in every client."""

WRITING = ("strong", "dim", "label", "good", "bad")
"""Styles of what is written, which every client shows in its own way; a label stands on something, small."""

STYLES = frozenset([*WRITING, *PALETTE])


class Span(NamedTuple):
    """A piece of a line, in one of STYLES or in several with spaces between them."""

    text: str
    style: str = ""


Line = Sequence[Span]


def clean(text: str) -> str:
    """Replace what could play tricks on a terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)


class Choice(NamedTuple):
    """How an offer is put to a person: what kind of action it is, and on what."""

    group: str
    target: str
    link: str = " · "  # between the two where they are said in one line; " " where the group reads on into the target
    order: tuple[float | str, ...] = ()  # lists are sorted by it; choices without one come first, as they were offered

    @property
    def title(self) -> str:
        """Say it in one line."""
        return f"{self.group}{self.link}{self.target}" if self.target else self.group


class Words(Protocol[A, E, V]):
    """How a game speaks and draws. `draw` and `parse` are a pair; `paint` is what a person looks at."""

    def draw(self, view: V) -> str: ...
    def parse(self, text: str) -> V: ...
    def paint(self, view: V, names: Sequence[str], lang: str) -> list[Line]: ...
    def question(self, view: V, lang: str) -> str: ...
    def choice(self, action: A, view: V, names: Sequence[str], lang: str) -> Choice: ...
    def sentence(self, event: E, names: Sequence[str], lang: str) -> str: ...
    def reason(self, refusal: Illegal, lang: str) -> str: ...  # why something is not allowed
    def warning(self, caution: Caution, lang: str) -> str: ...  # what an action costs that is allowed
    def help(self, option: str, lang: str) -> str: ...  # one line about an option of the table
    def text(self, key: str, lang: str) -> str | None: ...  # of the game's catalogue, if it is there
    def remarks(self, options: Any, lang: str) -> list[str]: ...  # said once before a game with such options
    def rules(self, lang: str) -> str: ...


class NoText(KeyError):
    """A text that a catalogue lacks in a language."""

    def __str__(self) -> str:
        return str(self.args[0])


class Catalogue:
    """The texts of one package, a JSON file per language beside it under `locale/`."""

    def __init__(self, package: str) -> None:
        self.package = package

    def texts(self, lang: str) -> Mapping[str, Any]:
        return _texts(self.package, lang)

    def say(self, lang: str, key: str, **params: object) -> str:
        """Fill a text; a text with forms is chosen by `count`."""
        text = self.texts(lang).get(key)
        if text is None:
            raise NoText(f"there is no text {key!r} in {self.package.replace('.', '/')}/locale/{lang}.json")
        if isinstance(text, dict):
            text = text["one" if params.get("count") == 1 else "other"]
        return str(text).format_map(params)

    def refuse(self, rule: str, key: str, **params: object) -> Illegal:
        """Make the Illegal for a broken rule, with its reason in English."""
        return Illegal(rule, key, params, self.say("en", f"illegal.{key}", **params))

    def reason(self, refusal: Illegal, lang: str) -> str:
        return self.say(lang, f"illegal.{refusal.key}", **refusal.params)

    def warning(self, caution: Caution, lang: str) -> str:
        return self.say(lang, f"caution.{caution.key}", **caution.params)

    def help(self, option: str, lang: str) -> str:
        return self.say(lang, f"help.{option}")


@lru_cache
def _texts(package: str, lang: str) -> Mapping[str, Any]:
    path = files(package) / "locale" / f"{lang}.json"
    texts: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return texts


COMMON = Catalogue(__package__)


def list_flaws(found: Sequence[M], word: Callable[[M], Flaw], lang: str) -> list[Flaw]:
    """Word the first of the mistakes that were found, and say how many more there are: nobody reads thousands."""
    more = len(found) - MOST_FLAWS
    rest = [Flaw(0, COMMON.say(lang, "more-flaws", count=more))] if more > 0 else []
    return [*(word(mistake) for mistake in found[:MOST_FLAWS]), *rest]


def in_a_row(items: Sequence[str], lang: str) -> str:
    """Put words in a row as people do: “Ada, Bob and Cleo”."""
    *most, last = items or [""]
    return COMMON.say(lang, "and", most=", ".join(most), last=last) if most else last


def say_counts(names: Sequence[str], counts: Sequence[int], lang: str) -> str:
    """Say who has how many: “3 for Ada and 5 for Bob”; a name may end with a number."""
    return in_a_row(
        [COMMON.say(lang, "for", count=count, name=name) for name, count in zip(names, counts, strict=True)], lang
    )


def say_date(written: str, lang: str) -> str:
    """Say a year, a month or a day that was written like 1987, 1987-05 or 1987-05-04."""
    year, month, day = (*written.split("-"), "", "")[:3]
    if not month:
        return year
    said = COMMON.say(lang, f"month.{int(month)}")
    return COMMON.say(lang, "date" if day else "date.month", year=year, month=said, day=int(day or 0))
