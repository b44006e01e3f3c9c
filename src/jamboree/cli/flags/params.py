"""A game's flags as parameters of a command."""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Annotated, Any, Literal, get_args, get_type_hints

import typer
from msgspec import inspect as types
from rich.markup import escape
from typer.main import get_command

from jamboree.core.game import AnyGame
from jamboree.core.options import choices
from jamboree.core.words import clean
from jamboree.games.options import packaged

from .flags import OwnFlag, flags_of

PREFIX = "own_"  # of parameters that are a game's


def params_of(game: AnyGame) -> list[Any]:
    """Let typer make parameters of the flags of a game."""

    def told(**values: Any) -> None:
        """Stand for a command that takes these flags."""

    told.__signature__ = Signature(  # type: ignore[attr-defined]
        [_parameter(game, number, flag) for number, flag in enumerate(flags_of(game))]
    )
    shell = typer.Typer(add_completion=False)
    shell.command()(told)
    return get_command(shell).params


def _parameter(game: AnyGame, number: int, flag: OwnFlag) -> Parameter:
    kind, settings = _kind(game, flag)
    option = typer.Option(
        *_spellings(flag),
        help=plain(_help(game, flag)),
        show_default=_default(game, flag),
        rich_help_panel=plain(f"Options of {game.info.title}"),
        **settings,
    )
    annotation = Annotated[kind | None, option]  # type: ignore[valid-type]
    return Parameter(f"{PREFIX}{number}", Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def plain(text: str) -> str:
    """Have a text of a game printed as it is: brackets are no markup, and nothing plays tricks on a terminal."""
    return escape(clean(text))


def _spellings(flag: OwnFlag) -> list[str]:
    """Spell a flag; only a switch that is on by itself can be turned off."""
    first, *others = flag.names
    return [f"{first}/{flag.off}" if _is_switch(flag) and flag.default else first, *others]


def _help(game: AnyGame, flag: OwnFlag) -> str:
    if flag.value is not None:
        own = next(each for each in flags_of(game) if each.field == flag.field)
        return f"The same as {own.names[0]} {flag.value}."
    known = packaged(game, flag.field) if isinstance(flag.type, types.StrType) else {}
    values = ", ".join(values_of(game, flag)) if isinstance(flag.type, types.LiteralType | types.EnumType) else ""
    there_are = f" There are {', '.join(known)}." if known else ""
    return game.words.help(flag.field, "en") + there_are + (f" One of: {values}." if values else "")


def _default(game: AnyGame, flag: OwnFlag) -> str | bool:
    """Name what is played if nothing is said: of a text, what the game calls it."""
    if _is_switch(flag):
        return flag.names[0] if flag.default else False
    if isinstance(flag.type, types.StrType):
        texts = ((name, file.read_text("utf-8")) for name, file in packaged(game, flag.field).items())
        return next((name for name, text in texts if text == getattr(game.info.options(), flag.field)), False)
    return False if flag.default is None else str(flag.default)


def _is_switch(flag: OwnFlag) -> bool:
    return isinstance(flag.type, types.BoolType) and flag.value is None


def _kind(game: AnyGame, flag: OwnFlag) -> tuple[Any, dict[str, Any]]:
    """Find the type that a shell is told of, and the settings that go with it."""
    make: Callable[[AnyGame, OwnFlag], tuple[Any, dict[str, Any]]] = KINDS.get(type(flag.type), _json)
    return make(game, flag)


def _number(kind: type) -> Callable[[AnyGame, OwnFlag], tuple[Any, dict[str, Any]]]:
    def make(game: AnyGame, flag: OwnFlag) -> tuple[Any, dict[str, Any]]:
        bounds: Any = flag.type
        return kind, {"min": bounds.ge, "max": bounds.le}

    return make


def _text(game: AnyGame, flag: OwnFlag) -> tuple[Any, dict[str, Any]]:
    known = list(packaged(game, flag.field))
    return str, {"metavar": "NAME|FILE" if known else "FILE", "autocompletion": lambda: known}


def _json(game: AnyGame, flag: OwnFlag) -> tuple[Any, dict[str, Any]]:
    return str, {"metavar": "JSON"}


def _choice(game: AnyGame, flag: OwnFlag) -> tuple[Any, dict[str, Any]]:
    return Literal[tuple(values_of(game, flag))], {"metavar": flag.field.upper()}


def values_of(game: AnyGame, flag: OwnFlag) -> list[str]:
    """List the values of a choice in the order in which the game declares them."""
    known = choices(flag.type)
    declared = [str(value) for value in get_args(get_type_hints(game.info.options)[flag.field])]
    return [value for value in declared if value in known] or known


KINDS: dict[type, Callable[[AnyGame, OwnFlag], tuple[Any, dict[str, Any]]]] = {
    types.BoolType: lambda game, flag: (bool, {"metavar": ""}),
    types.IntType: _number(int),
    types.FloatType: _number(float),
    types.StrType: _text,
    types.LiteralType: _choice,
    types.EnumType: _choice,
}
