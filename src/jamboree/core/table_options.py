"""Reading a table's options: a text that is packaged with a game, such as a board, can be given by its name.

Options store the text, never the name, so that a journal replays on the same board in later versions.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec import inspect as types

from .errors import BadOptions
from .game import AnyGame
from .options import fields_of, kind_of
from .words import COMMON


class UnknownName(BadOptions):
    """An option names a text that is not packaged with the game."""

    def __init__(self, field: str, name: str, known: Mapping[str, Traversable]) -> None:
        self.params = {"field": field, "name": repr(name[:80]), "names": ", ".join(known)}
        super().__init__(self.say("en"))

    def say(self, lang: str) -> str:
        return COMMON.say(lang, "options.unknown-name", **self.params)


def packaged(game: AnyGame, field: str) -> Mapping[str, Traversable]:
    """Return the packaged texts for an option by name."""
    design = game.info.designs.get(field)
    return design.texts if design else {}


def read_options(game: AnyGame, given: Any = None) -> Any:
    """Convert options from the game's own type or a mapping; raise BadOptions if they are invalid."""
    if given is None:
        return game.info.options()
    if not isinstance(given, Mapping | msgspec.Struct):
        raise BadOptions(f"The options of {game.info.title} are a mapping or its own type, not {given!r:.80}.")
    try:
        fields = msgspec.to_builtins(given)
        return msgspec.convert(_with_texts(game, fields), game.info.options)
    except (msgspec.ValidationError, TypeError) as error:
        raise BadOptions(f"These are not options of {game.info.title}: {error}.") from None


def _with_texts(game: AnyGame, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Replace the names of packaged texts by the texts."""
    texts = _text_options(game.info.options)
    return {
        name: _text(game, name, value) if isinstance(value, str) and name in texts else value
        for name, value in fields.items()
    }


@cache
def _text_options(options: type[msgspec.Struct]) -> frozenset[str]:
    return frozenset(
        name for name, field in fields_of(options).items() if isinstance(kind_of(field.type), types.StrType)
    )


def _text(game: AnyGame, field: str, value: str) -> str:
    if not value or "\n" in value or not (known := packaged(game, field)):  # nothing has an empty name
        return value
    if value not in known:
        raise UnknownName(field, value, known)
    return known[value].read_text("utf-8")
