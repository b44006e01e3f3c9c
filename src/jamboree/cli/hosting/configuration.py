"""Resolves a server's settings: flags take precedence over environment variables, those over the TOML file."""

import os
import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from difflib import get_close_matches
from enum import IntEnum
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
import typer

from jamboree.core.errors import JamboreeError

from ..files import check_private, data_folder, read_with_mode
from .settings import BY_NAME, CONFIG, DB, PREFIX, SECRETS, SETTINGS, Setting
from .toml_file import has_password, read_settings
from .value_types import InvalidValue

CONFIG_VARIABLE = f"{PREFIX}{CONFIG.upper()}"
CONFIG_OPTION = typer.Option(
    f"--{CONFIG}",
    metavar="FILE",
    help=f"A TOML file with settings; can also be set as {CONFIG_VARIABLE}.",
    show_default=False,
)
SIMILARITY = 0.75  # of a variable's name to that of a setting, from which it counts as a typing error
PASSWORD = re.compile(r"(?<=:)[^/]+(?=@)|(?<=password=)[^&]+", re.I)
LONGEST_NUMBER = 10**100
HIDDEN = "…"
SETTING_WIDTH = 48  # columns for `name = value` in the output of `jamboree config`


class ShortRepr(reprlib.Repr):
    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to write very long numbers."""
        return super().repr_int(x, level) if abs(x) < LONGEST_NUMBER else "a very long number"


SHORT_REPR = ShortRepr()  # of an invalid value, which may be nested or long
SHORT_REPR.maxstring = SHORT_REPR.maxother = 200
Command = TypeVar("Command", bound=Callable[..., None])


class Source(IntEnum):
    """Where a value comes from; lower numbers take precedence."""

    FLAG = 0
    VARIABLE = 1
    FILE = 2
    DEFAULT = 3


class ResolvedSetting(NamedTuple):
    setting: Setting
    value: Any
    origin: str  # the flag, the variable, or the file and line
    source: Source

    @property
    def display_value(self) -> Any:
        """The value without secrets."""
        if self.setting.secret and self.value:
            return HIDDEN
        return hide_password(self.value) if self.setting.name == "db" else self.value


class Configuration(Mapping[str, Any]):
    """Maps the names of all settings to their values."""

    def __init__(self, resolved: Mapping[str, ResolvedSetting]) -> None:
        self.resolved = resolved

    def __getitem__(self, name: str) -> Any:
        return self.resolved[name].value

    def __iter__(self) -> Any:
        return iter(self.resolved)

    def __len__(self) -> int:
        return len(self.resolved)


def configuration(flags: Mapping[str, Any], environ: MutableMapping[str, str] | None = None) -> Configuration:
    """Resolve every setting, and remove the secrets from the environment so that child processes don't inherit them."""
    environ = os.environ if environ is None else environ
    variables = dict(environ)
    for setting in SECRETS:
        environ.pop(setting.variable, None)
    _check_variables(variables)
    file = flags.get(CONFIG) or variables.get(CONFIG_VARIABLE)
    entries = read_settings(Path(file)) if file else {}
    resolved = {setting.name: _resolve(setting, flags, variables, entries) for setting in SETTINGS}
    for setting in (DB, *SECRETS):
        resolved[setting.name] = _resolve_from_file(resolved[setting.name], resolved[f"{setting.name}-file"])
    return Configuration(resolved)


def apply_cache_setting(settings: Configuration) -> None:
    """Export the cache folder to this process and its children."""
    if settings["cache"]:
        os.environ[BY_NAME["cache"].variable] = settings["cache"]


def hide_password(address: str) -> str:
    return PASSWORD.sub(HIDDEN, address)


def with_settings(settings: Iterable[Setting] = SETTINGS) -> Callable[[Command], Command]:
    """Add a flag for every setting that is not secret to a command, after its own parameters."""

    def decorate(command: Command) -> Command:
        own = [
            parameter
            for parameter in Signature.from_callable(command).parameters.values()
            if parameter.kind != Parameter.VAR_KEYWORD
        ]
        flags = [_keyword(CONFIG, str, CONFIG_OPTION), *(_flag(setting) for setting in settings if not setting.secret)]
        command.__signature__ = Signature([*own, *flags])  # type: ignore[attr-defined]
        return command

    return decorate


def _flag(setting: Setting) -> Parameter:
    default = setting.default_help or (str(setting.default) if setting.default else False)
    about = f"{setting.help} ({setting.variable})"
    option = typer.Option(setting.flag, metavar=setting.type.metavar, help=about, show_default=default)
    return _keyword(setting.parameter, list[str] if setting.type.repeatable else str, option)


def _keyword(name: str, annotation: Any, option: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[annotation | None, option])


def _resolve(
    setting: Setting, flags: Mapping[str, Any], variables: Mapping[str, str], entries: Mapping[str, Any]
) -> ResolvedSetting:
    value = flags.get(setting.parameter)
    if value not in (None, [], ()):
        if setting.name == "db" and has_password(value):
            raise JamboreeError(
                f"Every user of this machine can list command lines, so {setting.flag} can't contain a password;"
                f" set {setting.variable}, or write db in a file for --config."
            )
        return ResolvedSetting(setting, _parse(setting, value, setting.flag), setting.flag, Source.FLAG)
    if value := variables.get(setting.variable):
        parsed = _parse(setting, value, setting.variable)
        return ResolvedSetting(setting, parsed, setting.variable, Source.VARIABLE)
    if setting.name in entries:
        value, location = entries[setting.name]
        return ResolvedSetting(setting, _parse(setting, value, f"{location}: {setting.name}"), location, Source.FILE)
    default = str(data_folder() / "tables.db") if setting.name == "db" else setting.default
    return ResolvedSetting(setting, default, "default", Source.DEFAULT)


def _parse(setting: Setting, value: Any, location: str) -> Any:
    try:
        return setting.type.parse(value)
    except InvalidValue as expected:
        actual = "" if setting.secret else f", not {SHORT_REPR.repr(value)}"
        raise JamboreeError(f"{location} {expected}{actual}.") from None


def _resolve_from_file(secret: ResolvedSetting, file: ResolvedSetting) -> ResolvedSetting:
    """Read a secret from its file, unless the secret itself was given by a source of higher precedence."""
    if not file.value or file.source > secret.source:
        return secret
    path = Path(file.value)
    data, mode = read_with_mode(path)
    try:
        text = data.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise JamboreeError(f"{path} can't be read: it is not a text file.") from None
    is_address = secret.setting is DB
    if not is_address or has_password(text):
        check_private(path, mode, "the password in it" if is_address else f"the {secret.setting.name}")
    value = _parse(secret.setting, text, f"The {'address' if is_address else 'token'} in {path}")
    return ResolvedSetting(secret.setting, value, file.origin, file.source)


def _check_variables(variables: Mapping[str, str]) -> None:
    """Refuse a variable whose name is almost that of a setting: it would be ignored silently."""
    known = [setting.variable for setting in BY_NAME.values()] + [CONFIG_VARIABLE]
    for name in variables:
        if name.startswith(PREFIX) and name not in known:
            by_suffix = {variable.removeprefix(PREFIX): variable for variable in known}
            if matches := get_close_matches(name.removeprefix(PREFIX), by_suffix, 1, SIMILARITY):
                raise JamboreeError(f"There is no variable {name}; did you mean {by_suffix[matches[0]]}?")


@with_settings()
def config(**flags: Any) -> None:
    """Show every setting, its value, and where the value comes from. Secrets are hidden."""
    for resolved in configuration(flags).resolved.values():
        typer.echo(_as_toml(resolved))


def _as_toml(resolved: ResolvedSetting) -> str:
    """Format a setting as a line of a settings file; one without a value becomes a comment."""
    name = resolved.setting.name
    value = resolved.display_value
    origin = f"# {resolved.origin}"
    if value is None:
        return f"{f'# {name}':{SETTING_WIDTH}} {origin}: {resolved.setting.default_help}"
    if value == "":
        return f"{f'# {name}':{SETTING_WIDTH}} {origin}"
    return f"{f'{name} = {msgspec.json.encode(value).decode()}':{SETTING_WIDTH}} {origin}"
