"""Table options as people and programs write them: texts that come with a game, such as boards, go by their names.

Options keep the text, never the name, so that a journal is replayed on the same board, whatever the package holds then.
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
    """List the texts that come with a game for an option, by name."""
    folder = files(package(game.info.key)) / "box" / "data" / f"{field}s"
    if not folder.is_dir():
        return {}
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(".txt"): file for file in found if file.name.endswith(".txt")}


def read_options(game: AnyGame, given: Any = None) -> Any:
    """Read options given as the game's own type or as a mapping; raise BadOptions if they can't be read."""
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
