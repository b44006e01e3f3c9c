"""What was given on a command line, as options of a table."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as types

from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.game import AnyGame
from jamboree.games.options import packaged

from ..files import read_file
from .flags import NO_FLAG, OwnFlag, flags_of


def table_options(game: AnyGame, given: Sequence[Any]) -> Any:
    """Make the options of a table; what was given stands in the order of the game's flags, None for nothing."""
    chosen: dict[str, Any] = {}
    for flag, value in zip(flags_of(game), given, strict=True):
        if value is None:
            continue
        if flag.field in chosen:
            raise JamboreeError(f"{flag.names[0]} can't go together with another flag for the {flag.field}.")
        chosen[flag.field] = _value(game, flag, value)
    try:
        return msgspec.convert({**_implied(game, chosen), **chosen}, game.info.options, strict=False)
    except msgspec.ValidationError as error:
        raise JamboreeError(f"{game.info.title} can't be played like this: {error}.") from None


def with_named(game: AnyGame, given: Sequence[Any], named: Sequence[str]) -> list[Any]:
    """Add options given as NAME=VALUE to those given by flags."""
    flags, values = flags_of(game), list(given)
    for text in named:
        name, equals, value = text.partition("=")
        field = name.strip().replace("-", "_")
        place = next((n for n, flag in enumerate(flags) if flag.field == field and flag.value is None), None)
        if place is None or not equals:
            known = ", ".join(dict.fromkeys(flag.field for flag in flags)) or "none"
            raise JamboreeError(
                f"--option takes NAME=VALUE, not {text!r}; the options of {game.info.title} are: {known}."
            )
        if values[place] is not None:
            raise JamboreeError(f"The {field} is given twice.")
        values[place] = value
    return values


def _implied(game: AnyGame, chosen: dict[str, Any]) -> dict[str, Any]:
    flags = (game.info.flags.get(field, NO_FLAG) for field in chosen)
    return {name: value for flag in flags for name, value in flag.implies.items()}


def _value(game: AnyGame, flag: OwnFlag, given: Any) -> Any:
    if flag.value is not None:
        return flag.value
    if isinstance(flag.type, types.StrType):
        return contents(game, flag.field, given)
    simple = (types.BoolType, types.IntType, types.FloatType, types.LiteralType, types.EnumType)
    return given if isinstance(flag.type, simple) else _decoded(flag, given)


def _decoded(flag: OwnFlag, text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except UNREADABLE as error:
        raise JamboreeError(f"{flag.names[0]} takes JSON: {error}.") from None


def contents(game: AnyGame, field: str, name: str) -> str:
    """Give the text of something packaged with a game, or of a file: a journal never holds a path."""
    known = packaged(game, field)
    path = Path(name)
    if name not in known and not path.exists():
        brought = f"; there are: {', '.join(known)}" if known else ""
        raise JamboreeError(f"There is no file called {name!r} for the {field}{brought}.")
    data = read_file(path) if name not in known else known[name].read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise JamboreeError(f"{path} is not a text file.") from None
