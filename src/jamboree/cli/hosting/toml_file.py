"""Reads a TOML file of settings, with the line number of each."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

from ..files import check_private, read_with_mode
from .settings import BY_NAME, SECRETS

EXAMPLE = 'port = 8300 or host = "0.0.0.0"'
MAX_SIZE = 1 << 20  # bytes of a file
MAX_NAME = 80  # characters of an unknown name that are shown
KEY_PART = r"""(?:[\w-]++|"[^"\n]*"|'[^'\n]*')"""
NESTED_KEY = re.compile(rf"(?<![\w-]){KEY_PART}(?:[ \t]*\.[ \t]*{KEY_PART}){{50}}")
ERROR_LOCATION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class TomlValue(NamedTuple):
    value: Any
    location: str  # the file and the line number


def read_settings(path: Path) -> dict[str, TomlValue]:
    """Read a file of settings; an error names the line and, for a wrong name, the most similar setting."""
    text, mode = _read_text(path)
    if NESTED_KEY.search(text):  # the parser takes quadratic time for it
        raise _nested_error(path)
    try:
        settings = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise JamboreeError(_syntax_error(path, text, str(error))) from None
    except RecursionError:
        raise _nested_error(path) from None
    except ValueError:  # Python's limit for decimal numbers
        raise JamboreeError(f"{path}: a number is too long; a line looks like {EXAMPLE}.") from None
    for name in settings:
        if name not in BY_NAME:
            raise JamboreeError(f"{_location(path, text, name)}: there is no setting {_named(name)}")
    entries = {name: TomlValue(value, _location(path, text, name)) for name, value in settings.items()}
    for name in _secrets(entries):
        check_private(path, mode, name, entries[name].location)
    return entries


def _read_text(path: Path) -> tuple[str, int]:
    data, mode = read_with_mode(path, MAX_SIZE)
    try:
        return data.decode("utf-8"), mode
    except UnicodeDecodeError as error:
        raise JamboreeError(f"{path} is not a text file in UTF-8: byte {error.start + 1} is invalid.") from None


def _syntax_error(path: Path, text: str, message: str) -> str:
    location = ERROR_LOCATION.search(message)
    number = int(location[1]) if location and location[1] else len(text.splitlines())
    return f"{path}, line {number}: {ERROR_LOCATION.sub('', message)}; a line looks like {EXAMPLE}."


def _nested_error(path: Path) -> JamboreeError:
    return JamboreeError(f"{path}: a value is nested too deeply; a line looks like {EXAMPLE}.")


def _location(path: Path, text: str, name: str) -> str:
    return f"{path}, line {_line_number(text, name)}"


def _named(name: str) -> str:
    """An unknown name, with the setting that was meant."""
    matches = get_close_matches(name[:MAX_NAME].lower().replace("_", "-"), BY_NAME, 1)
    shown = f"{name[:MAX_NAME]}…" if len(name) > MAX_NAME else name
    return f"{shown}; did you mean {matches[0]}?" if matches else f"{shown}; the settings are: {', '.join(BY_NAME)}."


def _line_number(text: str, name: str) -> int:
    """Find the line that sets a key or begins a table of that name."""
    word = rf"""["']?{re.escape(name)}["']?"""
    definition = re.compile(rf"\s*(?:{word}\s*[=.]|\[+\s*{word}\s*[\].])")
    return next((number for number, line in enumerate(text.splitlines(), 1) if definition.match(line)), 1)


def _secrets(entries: Mapping[str, TomlValue]) -> Iterator[str]:
    yield from (setting.name for setting in SECRETS if setting.name in entries)
    if "db" in entries and has_password(entries["db"].value):
        yield "db"


def has_password(address: Any) -> bool:
    return isinstance(address, str) and bool(
        re.match(r"[a-z]+://[^/@]*:[^/@]+@|[a-z]+://.*[?&](?:ssl)?password=", address, re.I)
    )
