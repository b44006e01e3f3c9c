"""Texts: message catalogues (one JSON file per package and language) and styled spans for terminal and web."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, get_args

from .errors import Flaw, Illegal
from .offers import Caution

Language = Literal["en", "nl"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
FALLBACK: Language = "en"  # every catalogue has it; it stands in for texts that another language lacks

A = TypeVar("A", contravariant=True)
E = TypeVar("E", contravariant=True)
V = TypeVar("V")
M = TypeVar("M")

MOST_FLAWS = 50  # problems listed per option


class Colours(NamedTuple):
    """A foreground and a background colour."""

    ink: str
    on: str


_PALETTE = json.loads((files(__package__) / "palette.json").read_text("utf-8"))
PALETTE: Mapping[str, Colours] = {style: Colours(**colours) for style, colours in _PALETTE.items()}
"""Styles of game components (spaces, players, pieces). They have the same colours in every client."""

TEXT_STYLES = ("strong", "dim", "label", "good", "bad")
"""Styles of text, which each client renders in its own way; a label is small text on a component."""

STYLES = frozenset([*TEXT_STYLES, *PALETTE])


class Span(NamedTuple):
    """A run of text with one or more STYLES, separated by spaces."""

    text: str
    style: str = ""


Line = Sequence[Span]


def clean(text: str) -> str:
    """Replace control characters, which a terminal could interpret as escape sequences."""
    return "".join(character if character.isprintable() else "?" for character in text)


ONE_PHRASE = " "


class Choice(NamedTuple):
    """The menu entry of an offer: the kind of action (group) and its target."""

    group: str
    target: str
    link: str = " · "  # joins the two in one line; ONE_PHRASE if the target continues the group's sentence
    order: tuple[float | str, ...] = ()  # sort key; choices without one come first, in the order of their offers

    @property
    def title(self) -> str:
        """Group and target in one line."""
        return f"{self.group}{self.link}{self.target}" if self.target else self.group


class Words(Protocol[A, E, V]):
    """A game's texts and drawings. `draw` and `parse` are inverse; `paint` renders a view for people.

    `sentence` addresses the player at the seat `reader` as “you”.
    """

    def draw(self, view: V) -> str: ...
    def parse(self, text: str) -> V: ...
    def paint(self, view: V, names: Sequence[str], lang: str) -> list[Line]: ...
    def question(self, view: V, lang: str) -> str: ...
    def choice(self, action: A, view: V, names: Sequence[str], lang: str) -> Choice: ...
    def sentence(self, event: E, names: Sequence[str], lang: str, reader: int | None = None) -> str: ...
    def reason(self, refusal: Illegal, lang: str) -> str: ...  # why an action is illegal
    def warning(self, caution: Caution, lang: str) -> str: ...  # what a legal action costs
    def help(self, option: str, lang: str) -> str: ...  # one line about an option of the table
    def text(self, key: str, lang: str) -> str | None: ...  # a text of the game's catalogue; None if missing
    def remarks(self, options: Any, lang: str) -> list[str]: ...  # notes about the options, shown before the game
    def rules(self, lang: str) -> str: ...

    def decided(self, view: V, outcome: Any, names: Sequence[str], lang: str, reader: int | None = None) -> str: ...
    def reasons(self, about: Any) -> list[str]: ...  # reasons that speak for an action, used in hints
    def waits(self, action: A, view: V) -> bool: ...  # whether an action only declines to do anything
    def begins(self, action: A, view: V) -> bool: ...  # whether an action is the first of two halves of a move

    @property
    def paint_small(self) -> Callable[[V, Sequence[str], str], list[Line]] | None: ...  # for 24-line terminals

    @property
    def choices(self) -> Callable[[A, V, Sequence[str], str], list[Choice]] | None: ...  # all menu entries of an action

    @property
    def package(self) -> str | None: ...  # has folders with lessons and bot reactions

    def points_by_source(self, view: V) -> Mapping[str, Sequence[int]]: ...  # by source and seat


def nothing_decided(view: Any, outcome: Any, names: Sequence[str], lang: str, reader: int | None = None) -> str:
    return ""


def never(action: Any, view: Any) -> bool:
    return False


def no_sources(view: Any) -> Mapping[str, Sequence[int]]:
    return {}


class WordsDefaults:
    """Default implementations of the texts that a game may leave out."""

    decided = staticmethod(nothing_decided)
    waits = staticmethod(never)
    begins = staticmethod(never)
    points_by_source = staticmethod(no_sources)

    choices = None
    package = None
    paint_small = None

    def reasons(self, about: Any) -> list[str]:
        return []


class NoText(KeyError):
    """A catalogue has no text for a key."""

    def __str__(self) -> str:
        return str(self.args[0])


class Catalogue:
    """The texts of one package: a JSON file per language in its `locale` folder, with English as the fallback."""

    def __init__(self, package: str) -> None:
        self.package = package

    def texts(self, lang: str) -> Mapping[str, Any]:
        """Return the texts of one file, without the fallback; empty if the package has no such file."""
        return _texts(self.package, lang)

    def language(self, key: str, lang: str) -> str:
        """Return the language in which a text is shown: the requested one, or English if that lacks the text."""
        return lang if key in self.texts(lang) else FALLBACK

    def get(self, key: str, lang: str) -> Any | None:
        """Return an unformatted text, in English if the language lacks it; None if there is none."""
        return self.texts(self.language(key, lang)).get(key)

    def say(self, lang: str, key: str, **params: object) -> str:
        """Format a text; a text with plural forms is chosen by `count`."""
        text = self.get(key, lang)
        if text is None:
            raise NoText(f"there is no text {key!r} in {self.package.replace('.', '/')}/locale/{FALLBACK}.json")
        if isinstance(text, dict):
            text = text["one" if params.get("count") == 1 else "other"]
        return str(text).format_map(params)

    def refuse(self, rule: str, key: str, **params: object) -> Illegal:
        """Build the Illegal for a broken rule, with its reason in English."""
        return Illegal(rule, key, params, self.say("en", f"illegal.{key}", **params))

    def reason(self, refusal: Illegal, lang: str) -> str:
        """Return the text of a refusal; refusals that all games share have theirs in the core's catalogue."""
        key = f"illegal.{refusal.key}"
        catalogue = COMMON if self.get(key, lang) is None and COMMON.get(key, lang) is not None else self
        return catalogue.say(lang, key, **refusal.params)

    def warning(self, caution: Caution, lang: str) -> str:
        return self.say(lang, f"caution.{caution.key}", **caution.params)

    def help(self, option: str, lang: str) -> str:
        return self.say(lang, f"help.{option}")


@lru_cache
def _texts(package: str, lang: str) -> Mapping[str, Any]:
    path = files(package) / "locale" / f"{lang}.json"
    texts: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return texts


COMMON = Catalogue(__package__)


def list_flaws(problems: Sequence[M], describe: Callable[[M], Flaw], lang: str) -> list[Flaw]:
    """Describe the first MOST_FLAWS problems and count the rest."""
    more = len(problems) - MOST_FLAWS
    rest = [Flaw(0, COMMON.say(lang, "more-flaws", count=more))] if more > 0 else []
    return [*(describe(problem) for problem in problems[:MOST_FLAWS]), *rest]


def join_words(items: Sequence[str], lang: str) -> str:
    """Join words as a list: “Ada, Bob and Cleo”."""
    *most, last = items or [""]
    return COMMON.say(lang, "and", most=", ".join(most), last=last) if most else last


def list_counts(names: Sequence[str], counts: Sequence[int], lang: str) -> str:
    """List counts by name: “3 for Ada and 5 for Bob”. The count comes first, since a name may end with a number."""
    return join_words(
        [COMMON.say(lang, "for", count=count, name=name) for name, count in zip(names, counts, strict=True)], lang
    )


def capitalise_you(text: str, lang: str) -> str:
    """Capitalise a sentence that begins with “you”, alone or first of several players; one that begins with a player's
    name keeps that name's spelling."""
    you = COMMON.say(lang, "you")
    return text[0].upper() + text[1:] if text.startswith((f"{you} ", f"{you}, ")) else text


class PlayerNames(NamedTuple):
    """The players' names as a sentence uses them: the player at the seat `reader` is “you”."""

    names: Sequence[str]
    lang: str
    reader: int | None = None

    def subject(self, seat: int) -> str:
        return COMMON.say(self.lang, "you") if seat == self.reader else self.names[seat]

    def object(self, seat: int) -> str:
        """Return the form after a verb or a preposition, which differs in Dutch: “jou”."""
        return COMMON.say(self.lang, "you.object") if seat == self.reader else self.names[seat]

    def objects(self) -> list[str]:
        return [self.object(seat) for seat in range(len(self.names))]


def format_date(written: str, lang: str) -> str:
    """Format an ISO date that may lack the day, or month and day: 1987, 1987-05 or 1987-05-04."""
    year, month, day = (*written.split("-"), "", "")[:3]
    if not month:
        return year
    name = COMMON.say(lang, f"month.{int(month)}")
    return COMMON.say(lang, "date" if day else "date.month", year=year, month=name, day=int(day or 0))
