"""Derives a command's flags from the options of the chosen game, and a table's options from their values."""

from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_type_hints

import msgspec
import typer
from msgspec import inspect as types
from rich.markup import escape
from typer.main import get_command

from jamboree.core.errors import UNREADABLE, JamboreeError
from jamboree.core.game import AnyGame
from jamboree.core.options import Flag, choices, fields_of, kind_of
from jamboree.core.table_options import packaged
from jamboree.core.words import clean
from jamboree.games import find, keys

from .files import read_file
from .typer_classes import CliCommand

DEFAULT_FLAG = Flag()
PLAY_FLAGS = "auto bots force help journal lang name people resume seat seats seed step table token url"
RATE_FLAGS = "file fresh games json levels option ray workers"
RESERVED = frozenset((*PLAY_FLAGS.split(), *RATE_FLAGS.split()))
PREFIX = "own_"  # of the names of a game's parameters
GAME, GAME_PARAMS, VALUES = (f"{__name__}.{name}" for name in ("game", "params", "values"))  # keys of the context
SIMPLE_TYPES = (types.BoolType, types.IntType, types.FloatType, types.LiteralType, types.EnumType)


class GameFlag(NamedTuple):
    """A flag of a game; one with a `value` takes none and stands for it."""

    field: str
    names: tuple[str, ...]
    type: types.Type
    default: Any
    value: Any = None

    @property
    def shown(self) -> str:
        """The spelling that changes the default."""
        return self.off if self.default is True else self.names[0]

    @property
    def off(self) -> str:
        return f"--no-{self.names[0].removeprefix('--')}"

    @property
    def is_switch(self) -> bool:
        return isinstance(self.type, types.BoolType) and self.value is None


class GameCommand(CliCommand):
    """A command that finds the game among its arguments first, and then accepts that game's flags too."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.ignore_unknown_options = self.allow_extra_args = True  # refused by `_check_arguments`, in a sentence

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        game = ctx.meta[GAME] = self._find_game(ctx, args)
        ctx.meta[GAME_PARAMS] = params_of(game) if game else []
        rest = super().parse_args(ctx, args)
        names = [name for name in ctx.params if name.startswith(PREFIX)]
        ctx.meta[VALUES] = {name: ctx.params.pop(name) for name in names}
        if not ctx.resilient_parsing:
            self._check_arguments(ctx, [word for word in (ctx.params.get("game"), *rest) if word])
        return rest

    def get_params(self, ctx: Any) -> list[Any]:
        return [*super().get_params(ctx), *ctx.meta.get(GAME_PARAMS, [])]

    def _find_game(self, ctx: Any, args: list[str]) -> AnyGame | None:
        """Find the game among arguments that include flags of the game, which are still unknown here."""
        options, rest, _ = self.make_parser(ctx).parse_args(args=list(args))
        return next((find(word) for word in (options.get("game"), *rest) if word in keys()), None)

    def _check_arguments(self, ctx: Any, words: Sequence[str]) -> None:
        """Refuse an unknown flag or a surplus argument."""
        unknown = next((word.partition("=")[0] for word in words if word.startswith("-")), None)
        if unknown is not None:
            known = [name for param in self.get_params(ctx) for name in param.opts if name.startswith("-")]
            raise JamboreeError(_unknown_flag_message(unknown, ctx.meta[GAME], known))
        if len(words) > 1:
            raise JamboreeError(f"Unexpected argument {words[1]!r} after {words[0]!r}.")


def _unknown_flag_message(unknown: str, game: AnyGame | None, known: Sequence[str]) -> str:
    matches = get_close_matches(unknown, known, 1, 0.7)
    suggestion = f" Did you mean {matches[0]}?" if matches else ""
    if game is None:
        return f"There is no flag {unknown}.{suggestion} `jamboree play GAME --help` shows the flags of a game."
    flags = ", ".join(flag.shown for flag in flags_of(game)) or "none"
    return f"{game.info.title} has no flag {unknown}.{suggestion} Its own flags are: {flags}."


def flag_values(ctx: Any) -> list[Any]:
    """Return the values of the game's flags in their order; None for one that was not given."""
    values = ctx.meta[VALUES]
    return [values[f"{PREFIX}{number}"] for number in range(len(values))]


def flags_of(game: AnyGame) -> tuple[GameFlag, ...]:
    """List a flag for each field of the game's options, each followed by the flags for its values."""
    return tuple(_flags(game))


def _flags(game: AnyGame) -> Iterator[GameFlag]:
    for name, field in fields_of(game.info.options).items():
        spelling = game.info.flags.get(name, DEFAULT_FLAG)
        names = tuple(_flag_name(game, each) for each in (name, *spelling.also))
        default = None if field.default is msgspec.NODEFAULT else field.default
        yield GameFlag(name, names, kind_of(field.type), default)
        for value_name, value in spelling.values.items():
            yield GameFlag(name, (_flag_name(game, value_name),), types.BoolType(), None, value)


def _flag_name(game: AnyGame, name: str) -> str:
    """Spell a flag; one that collides with a flag of the command gets the game's key as a prefix."""
    flag = name.replace("_", "-")
    return f"--{game.info.key}-{flag}" if flag in RESERVED else f"--{flag}"


def params_of(game: AnyGame) -> list[Any]:
    """Create click parameters from a game's flags, by means of a typer command with that signature."""

    def command(**values: Any) -> None: ...

    command.__signature__ = Signature(  # type: ignore[attr-defined]
        [_parameter(game, number, flag) for number, flag in enumerate(flags_of(game))]
    )
    app = typer.Typer(add_completion=False)
    app.command()(command)
    return get_command(app).params


def _parameter(game: AnyGame, number: int, flag: GameFlag) -> Parameter:
    make = PARAMETER_TYPES.get(type(flag.type), _json_parameter)
    annotation, settings = make(game, flag)
    first, *others = flag.names
    spellings = [f"{first}/{flag.off}" if flag.is_switch and flag.default else first, *others]
    option = typer.Option(
        *spellings,
        help=plain(_help(game, flag)),
        show_default=_shown_default(game, flag),
        rich_help_panel=plain(f"Options of {game.info.title}"),
        **settings,
    )
    annotated = Annotated[annotation | None, option]  # type: ignore[valid-type]
    return Parameter(f"{PREFIX}{number}", Parameter.KEYWORD_ONLY, default=None, annotation=annotated)


def plain(text: str) -> str:
    """Escape a game's text, so that neither its brackets nor its control characters have an effect on the terminal."""
    return escape(clean(text))


def _help(game: AnyGame, flag: GameFlag) -> str:
    if flag.value is not None:
        main = next(other for other in flags_of(game) if other.field == flag.field)
        return f"The same as {main.names[0]} {flag.value}."
    files = packaged(game, flag.field) if isinstance(flag.type, types.StrType) else {}
    values = ", ".join(values_of(game, flag)) if isinstance(flag.type, types.LiteralType | types.EnumType) else ""
    included = f" Included: {', '.join(files)}." if files else ""
    return game.words.help(flag.field, "en") + included + (f" One of: {values}." if values else "")


def _shown_default(game: AnyGame, flag: GameFlag) -> str | bool:
    """Return the default for the help; of a packaged text its name."""
    if flag.is_switch:
        return flag.names[0] if flag.default else False
    if isinstance(flag.type, types.StrType):
        default = getattr(game.info.options(), flag.field)
        texts = ((name, file.read_text("utf-8")) for name, file in packaged(game, flag.field).items())
        return next((name for name, text in texts if text == default), False)
    return False if flag.default is None else str(flag.default)


def _number_parameter(number_type: type) -> Callable[[AnyGame, GameFlag], tuple[Any, dict[str, Any]]]:
    def make(game: AnyGame, flag: GameFlag) -> tuple[Any, dict[str, Any]]:
        bounds: Any = flag.type
        return number_type, {"min": bounds.ge, "max": bounds.le}

    return make


def _text_parameter(game: AnyGame, flag: GameFlag) -> tuple[Any, dict[str, Any]]:
    names = list(packaged(game, flag.field))
    return str, {"metavar": "NAME|FILE" if names else "FILE", "autocompletion": lambda: names}


def _json_parameter(game: AnyGame, flag: GameFlag) -> tuple[Any, dict[str, Any]]:
    return str, {"metavar": "JSON"}


def _choice_parameter(game: AnyGame, flag: GameFlag) -> tuple[Any, dict[str, Any]]:
    return Literal[tuple(values_of(game, flag))], {"metavar": flag.field.upper()}


PARAMETER_TYPES: dict[type, Callable[[AnyGame, GameFlag], tuple[Any, dict[str, Any]]]] = {
    types.BoolType: lambda game, flag: (bool, {"metavar": ""}),
    types.IntType: _number_parameter(int),
    types.FloatType: _number_parameter(float),
    types.StrType: _text_parameter,
    types.LiteralType: _choice_parameter,
    types.EnumType: _choice_parameter,
}


def values_of(game: AnyGame, flag: GameFlag) -> list[str]:
    """List the values of a choice in the order in which the game declares them."""
    known = choices(flag.type)
    declared = [str(value) for value in get_args(get_type_hints(game.info.options)[flag.field])]
    return [value for value in declared if value in known] or known


def table_options(game: AnyGame, values: Sequence[Any]) -> Any:
    """Build a table's options from the values of the game's flags, in their order; None for one that was not given."""
    chosen: dict[str, Any] = {}
    for flag, value in zip(flags_of(game), values, strict=True):
        if value is None:
            continue
        if flag.field in chosen:
            raise JamboreeError(f"{flag.names[0]} can't be combined with another flag for the {flag.field}.")
        chosen[flag.field] = _option_value(game, flag, value)
    spellings = (game.info.flags.get(field, DEFAULT_FLAG) for field in chosen)
    implied = {name: value for spelling in spellings for name, value in spelling.implies.items()}
    try:
        return msgspec.convert({**implied, **chosen}, game.info.options, strict=False)
    except msgspec.ValidationError as error:
        raise JamboreeError(f"{game.info.title} can't be played with these options: {error}.") from None


def with_named_options(game: AnyGame, values: Sequence[Any], named: Sequence[str]) -> list[Any]:
    """Add options given as NAME=VALUE to those given by flags."""
    flags, combined = flags_of(game), list(values)
    for text in named:
        name, equals, value = text.partition("=")
        field = name.strip().replace("-", "_")
        index = next((n for n, flag in enumerate(flags) if flag.field == field and flag.value is None), None)
        if index is None or not equals:
            known = ", ".join(dict.fromkeys(flag.field for flag in flags)) or "none"
            raise JamboreeError(
                f"--option takes NAME=VALUE, not {text!r}; the options of {game.info.title} are: {known}."
            )
        if combined[index] is not None:
            raise JamboreeError(f"The option {field} is given twice.")
        combined[index] = value
    return combined


def _option_value(game: AnyGame, flag: GameFlag, value: Any) -> Any:
    if flag.value is not None:
        return flag.value
    if isinstance(flag.type, types.StrType):
        return contents(game, flag.field, value)
    if isinstance(flag.type, SIMPLE_TYPES):
        return value
    try:
        return msgspec.json.decode(value)
    except UNREADABLE as error:
        raise JamboreeError(f"{flag.names[0]} takes JSON: {error}.") from None


def contents(game: AnyGame, field: str, name: str) -> str:
    """Return the text of a file that is packaged with a game or on the disk: journals store texts, never paths."""
    known = packaged(game, field)
    path = Path(name)
    if name not in known and not path.exists():
        included = f"; included are: {', '.join(known)}" if known else ""
        raise JamboreeError(f"There is no file called {name!r} for the {field}{included}.")
    data = read_file(path) if name not in known else known[name].read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise JamboreeError(f"{path} is not a text file.") from None
