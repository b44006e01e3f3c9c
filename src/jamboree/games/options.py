"""Reading table options: packaged texts of a game, such as boards, can be given by name.

Options store the text, never the name, so that a journal replays on the same board in later versions.
"""

from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from msgspec import inspect as types

from jamboree.core.errors import BadOptions
from jamboree.core.game import AnyGame
from jamboree.core.options import fields_of, kind_of

from . import package


def packaged(game: AnyGame, field: str) -> dict[str, Traversable]:
    """Return the packaged texts for an option by name."""
    folder = files(package(game.info.key)) / "box" / "data" / f"{field}s"
    if not folder.is_dir():
        return {}
    entries = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".txt"): file for file in entries if file.name.endswith(".txt")}


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
    kinds = {name: kind_of(field.type) for name, field in fields_of(game.info.options).items()}
    return {
        name: _text(game, name, value)
        if isinstance(value, str) and isinstance(kinds.get(name), types.StrType)
        else value
        for name, value in fields.items()
    }


def _text(game: AnyGame, field: str, value: str) -> str:
    if "\n" in value or not (known := packaged(game, field)):
        return value
    if value not in known:
        names = ", ".join(known)
        raise BadOptions(
            f"There is no {field} called {value[:80]!r}; there are: {names}, or give the text of your own."
        )
    return known[value].read_text("utf-8")
