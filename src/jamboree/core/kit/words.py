"""A game's texts assembled from its catalogue, and events rendered as sentences by a table of field formatters."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Generic, NamedTuple, TypeVar

from jamboree.core.errors import Illegal
from jamboree.core.offers import Caution
from jamboree.core.words import (
    FALLBACK,
    Catalogue,
    Choice,
    Line,
    PlayerNames,
    capitalise_you,
    join_words,
    list_counts,
    never,
    no_sources,
    nothing_decided,
)

from .reasons import Reasoned, Reasons, say_reasons
from .verdict import Decided

A = TypeVar("A")
E = TypeVar("E")
V = TypeVar("V")


def no_option_notes(options: Any, lang: str) -> list[str]:
    """The default: no notes about the options."""
    return []


@dataclass(kw_only=True, eq=False)
class GameWords(Generic[A, E, V]):
    """The texts of a game; its rules pages are in `rules/`, next to its catalogue."""

    catalogue: Catalogue
    draw: Callable[[V], str]
    parse: Callable[[str], V]
    paint: Callable[[V, Sequence[str], str], list[Line]]
    question: Callable[[V, str], str]
    choice: Callable[[A, V, Sequence[str], str], Choice]
    sentence: Callable[..., str]  # event, names, language, reader
    choices: Callable[[A, V, Sequence[str], str], list[Choice]] | None = None  # every way to list an action, if several
    remarks: Callable[[Any, str], list[str]] = no_option_notes
    paint_small: Callable[[V, Sequence[str], str], list[Line]] | None = None  # a compact drawing for 24-line terminals
    decided: Decided = nothing_decided  # what decided a finished game
    waits: Callable[[A, V], bool] = never  # whether an action only declines to do anything
    begins: Callable[[A, V], bool] = never  # whether an action is the first of two halves of a move
    coaching: Reasons = field(default_factory=dict)  # reasons for actions, used in hints
    points_by_source: Callable[[V], Mapping[str, Sequence[int]]] = no_sources  # by source and seat, for the final table

    @property
    def package(self) -> str:
        """The package of the catalogue; lessons and reactions are in folders next to it."""
        return self.catalogue.package

    def reason(self, refusal: Illegal, lang: str) -> str:
        return self.catalogue.reason(refusal, lang)

    def warning(self, caution: Caution, lang: str) -> str:
        return self.catalogue.warning(caution, lang)

    def reasons(self, about: Reasoned) -> list[str]:
        """Return the reasons that speak for an action."""
        return say_reasons(self.coaching, about)

    def help(self, option: str, lang: str) -> str:
        return self.catalogue.help(option, lang)

    def text(self, key: str, lang: str) -> str | None:
        return self.catalogue.get(key, lang)

    def rules(self, lang: str) -> str:
        """Return the rules digest with its rulings, as Markdown; in English if it has not been translated."""
        return _page(self.catalogue.package, lang)


@lru_cache
def _page(package: str, lang: str) -> str:
    folder = files(package) / "rules"
    translated = folder / f"{lang}.md"
    page = translated if translated.is_file() else folder / f"{FALLBACK}.md"
    return page.read_text(encoding="utf-8")


ChoiceText = Callable[[Any, Any, str], Choice]


def plain(catalogue: Catalogue, key: str) -> ChoiceText:
    """A menu entry without a target."""
    return lambda action, view, lang: Choice(catalogue.say(lang, key), "")


class EventContext(NamedTuple):
    """An event to be rendered, with the players' names and the language."""

    event: Any
    players: PlayerNames

    @property
    def lang(self) -> str:
        return self.players.lang


FieldText = Callable[[Any, EventContext], object]
"""Formats the value of one event field."""


def player_name(value: int | None, context: EventContext) -> str:
    """Format a seat as the subject of its sentence."""
    return "" if value is None else context.players.subject(value)


def player_object(value: int | None, context: EventContext) -> str:
    """Format a seat that follows a verb or a preposition."""
    return "" if value is None else context.players.object(value)


def player_names(value: Sequence[int], context: EventContext) -> str:
    return join_words([context.players.subject(seat) for seat in value], context.lang)


def counts_by_player(value: Sequence[int], context: EventContext) -> str:
    return list_counts(context.players.objects(), value, context.lang)


def points_by_player(value: int | Sequence[int], context: EventContext) -> object:
    """Format points: one number as it is, a sequence as counts by player."""
    return value if isinstance(value, int) else counts_by_player(value, context)


def each_by_player(field_text: FieldText) -> FieldText:
    """Format one value per player: “Ada: aqua, Bob: yellow”."""
    return lambda value, context: ", ".join(
        f"{context.players.subject(seat)}: {field_text(each, context)}" for seat, each in enumerate(value)
    )


def from_catalogue(catalogue: Catalogue, kind: str) -> FieldText:
    """Format a value by its text in the catalogue, `<kind>.<value>`."""
    return lambda value, context: catalogue.say(context.lang, f"{kind}.{value}")


def verbatim(value: Any, context: EventContext) -> object:
    return join_words([str(item) for item in value], context.lang) if isinstance(value, list) else value


def acting_seat(event: Any) -> int | None:
    """Return the seat that is the subject of an event's sentence: its `seat`, or its only winner."""
    if isinstance(seat := getattr(event, "seat", None), int):
        return seat
    winners: Sequence[int] = getattr(event, "winners", ())
    return winners[0] if len(winners) == 1 else None


@dataclass(frozen=True, kw_only=True)
class EventSentences(Generic[E]):
    """Renders events: the catalogue has a text for each event type and variant, filled with the formatted fields.

    A text `event.<type>.<variant>.you` addresses the reader if the reader is the subject of the sentence.
    """

    catalogue: Catalogue
    fields: Mapping[str, FieldText]  # by field name; other fields are inserted verbatim
    variant: Callable[[E], str] = lambda event: ""  # selects among several texts of an event type; "" is the default
    count: Callable[[E], int] = lambda event: getattr(event, "count", 1)  # selects the plural form
    subject: Callable[[E], int | None] = acting_seat  # the seat that the `.you` texts address
    more: Callable[[EventContext], Mapping[str, object]] = lambda context: {}  # parameters that are not fields

    def __call__(self, event: E, names: Sequence[str], lang: str, reader: int | None = None) -> str:
        kind: Any = type(event)
        variant = self.variant(event)
        key = f"event.{kind.__name__}" + (f".{variant}" if variant else "")
        lang = self.catalogue.language(key, lang)
        if reader is not None and self.subject(event) == reader:
            if f"{key}.you" in self.catalogue.texts(lang):
                key = f"{key}.you"
            else:  # the verb of the text does not fit “you”
                reader = None
        context = EventContext(event, PlayerNames(names, lang, reader))
        values = {
            name: self.fields.get(name, verbatim)(getattr(event, name), context) for name in kind.__struct_fields__
        }
        text = self.catalogue.say(lang, key, **{**values, "count": self.count(event), **self.more(context)})
        return text if reader is None else capitalise_you(text, lang)
