"""How a game speaks, put together from its parts; and events told as sentences by a table of their fields."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Generic, NamedTuple, TypeVar

from jamboree.core.errors import Illegal
from jamboree.core.offers import Caution
from jamboree.core.words import Catalogue, Choice, Line, in_a_row, say_counts

from .deciding import Decided, nothing_decided
from .reasons import Reasoned, Reasons, say_reasons

A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


def never(action: Any, view: Any) -> bool:
    """Say of no action that it is of a kind."""
    return False


def no_remarks(options: Any, lang: str) -> list[str]:
    """Leave nothing to be said about the options of a table."""
    return []


@dataclass(kw_only=True, eq=False)
class GameWords(Generic[A, E, V]):
    """The words of a game; its rules pages lie beside its catalogue, under `rules/`."""

    catalogue: Catalogue
    draw: Callable[[V], str]
    parse: Callable[[str], V]
    paint: Callable[[V, Sequence[str], str], list[Line]]
    question: Callable[[V, str], str]
    choice: Callable[[A, V, Sequence[str], str], Choice]
    sentence: Callable[[E, Sequence[str], str], str]
    choices: Callable[[A, V, Sequence[str], str], list[Choice]] | None = None  # where an action can be put in two ways
    remarks: Callable[[Any, str], list[str]] = no_remarks
    paint_small: Callable[[V, Sequence[str], str], list[Line]] | None = None  # for a window of 24 lines, where it helps
    decided: Decided = nothing_decided  # what decided a game, for its last page
    waits: Callable[[A, V], bool] = never  # which actions say no more than that one leaves everything as it is
    begins: Callable[[A, V], bool] = never  # which actions are the first half of something
    coaching: Reasons = field(default_factory=dict)  # why actions are good, for those who ask for a hint

    def reason(self, refusal: Illegal, lang: str) -> str:
        return self.catalogue.reason(refusal, lang)

    def warning(self, caution: Caution, lang: str) -> str:
        return self.catalogue.warning(caution, lang)

    def reasons(self, about: Reasoned) -> list[str]:
        """Say what speaks for an action."""
        return say_reasons(self.coaching, about)

    def help(self, option: str, lang: str) -> str:
        return self.catalogue.help(option, lang)

    def text(self, key: str, lang: str) -> str | None:
        return self.catalogue.texts(lang).get(key)

    def rules(self, lang: str) -> str:
        """Give the digest of the rules and the rulings."""
        return _page(self.catalogue.package, lang)


@lru_cache
def _page(package: str, lang: str) -> str:
    return (files(package) / "rules" / f"{lang}.md").read_text(encoding="utf-8")


Saying = Callable[[Any, Any, str], Choice]


def plain(catalogue: Catalogue, key: str) -> Saying:
    """Put an action to a person that is about nothing in particular."""
    return lambda action, seen, lang: Choice(catalogue.say(lang, key), "")


class Told(NamedTuple):
    """An event being told: to whom it happened, and in which language."""

    event: Any
    names: Sequence[str]
    lang: str


Said = Callable[[Any, Told], object]
"""Puts the value of a field into words."""


def a_name(value: int | None, told: Told) -> str:
    return "" if value is None else told.names[value]


def names_in_a_row(value: Sequence[int], told: Told) -> str:
    return in_a_row([told.names[seat] for seat in value], told.lang)


def counts_by_name(value: Sequence[int], told: Told) -> str:
    return say_counts(told.names, value, told.lang)


def each_by_name(said: Said) -> Said:
    """Say what each player has: “Ada: aqua, Bob: yellow”."""
    return lambda value, told: ", ".join(
        f"{name}: {said(each, told)}" for name, each in zip(told.names, value, strict=True)
    )


def a_word(catalogue: Catalogue, kind: str) -> Said:
    """Say a value by the word the catalogue has for it."""
    return lambda value, told: catalogue.say(told.lang, f"{kind}.{value}")


def as_it_is(value: Any, told: Told) -> object:
    return in_a_row([str(item) for item in value], told.lang) if isinstance(value, list) else value


@dataclass(frozen=True, kw_only=True)
class Sentences(Generic[E]):
    """Tells events: a text of the catalogue for each kind and variant, filled with the event's fields in words."""

    catalogue: Catalogue
    fields: Mapping[str, Said]  # what is not named here is said as it is
    variant: Callable[[E], str] = lambda event: ""  # which of the ways to tell this event; "" for the usual one
    count: Callable[[E], int] = lambda event: getattr(event, "count", 1)  # decides between one and many
    more: Callable[[Told], Mapping[str, object]] = lambda told: {}  # what is no field of the event

    def __call__(self, event: E, names: Sequence[str], lang: str) -> str:
        told = Told(event, names, lang)
        fields: tuple[str, ...] = told.event.__struct_fields__
        values = {name: self.fields.get(name, as_it_is)(getattr(event, name), told) for name in fields}
        variant = self.variant(event)
        key = f"event.{type(event).__name__}" + (f".{variant}" if variant else "")
        return self.catalogue.say(lang, key, **{**values, "count": self.count(event), **self.more(told)})
