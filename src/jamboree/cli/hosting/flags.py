"""The settings as flags of a command."""

from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Annotated, Any, TypeVar

import typer

from .found import CONFIG_VARIABLE
from .settings import CONFIG, SETTINGS, Setting

Command = TypeVar("Command", bound=Callable[..., None])
CONFIG_OPTION = typer.Option(
    f"--{CONFIG}",
    metavar="FILE",
    help=f"A file of settings in TOML; {CONFIG_VARIABLE} names one too.",
    show_default=False,
)


def with_settings(settings: Iterable[Setting] = SETTINGS) -> Callable[[Command], Command]:
    """Give a command a flag for every setting that is no secret, after the parameters of its own."""

    def given(command: Command) -> Command:
        own = [
            parameter
            for parameter in Signature.from_callable(command).parameters.values()
            if parameter.kind != Parameter.VAR_KEYWORD
        ]
        flags = [_parameter(CONFIG, str, CONFIG_OPTION), *map(_flag, (each for each in settings if not each.secret))]
        command.__signature__ = Signature([*own, *flags])  # type: ignore[attr-defined]
        return command

    return given


def _flag(setting: Setting) -> Parameter:
    shown = setting.usual or (str(setting.default) if setting.default else False)
    option = typer.Option(setting.flag, metavar=setting.kind.sign, help=_help(setting), show_default=shown)
    return _parameter(setting.parameter, list[str] if setting.kind.several else str, option)


def _help(setting: Setting) -> str:
    return f"{setting.about} ({setting.variable})"


def _parameter(name: str, kind: Any, option: Any) -> Parameter:
    return Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option])
