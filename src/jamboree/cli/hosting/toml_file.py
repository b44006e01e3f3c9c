"""A file of settings in TOML: what is in it, and on which line each thing stands."""

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
PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")


class Line(NamedTuple):
    value: Any
    place: str  # the file and the number of its line


def read_settings(path: Path) -> dict[str, Line]:
    """Read a file of settings, or say which line is wrong and what the right word is."""
    text, mode = _text(path)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise JamboreeError(_unreadable(path, text, str(error))) from None
    except RecursionError:
        raise JamboreeError(f"{path}: a value is nested too deeply; a line is like {EXAMPLE}.") from None
    lines = {name: Line(value, f"{path}, line {_number(text, name)}") for name, value in found.items()}
    for name, line in lines.items():
        if name not in BY_NAME:
            raise JamboreeError(f"{line.place}: there is no setting {name}{_guess(name)}")
    for name in _secrets(lines):
        check_private(path, mode, name, lines[name].place)
    return lines


def _text(path: Path) -> tuple[str, int]:
    data, mode = read_with_mode(path)
    try:
        return data.decode("utf-8"), mode
    except UnicodeDecodeError as error:
        raise JamboreeError(f"{path} is no text in UTF-8: byte {error.start + 1} can't be read.") from None


def _unreadable(path: Path, text: str, said: str) -> str:
    place = PLACE.search(said)
    number = int(place[1]) if place and place[1] else len(text.splitlines())
    return f"{path}, line {number}: {PLACE.sub('', said)}; a line is like {EXAMPLE}."


def _guess(name: str) -> str:
    meant = get_close_matches(name.lower().replace("_", "-"), BY_NAME, 1)
    return f"; did you mean {meant[0]}?" if meant else f"; there are: {', '.join(BY_NAME)}."


def _number(text: str, name: str) -> int:
    """Find the line on which something is set, or on which a table of that name begins."""
    word = rf"""["']?{re.escape(name)}["']?"""
    begins = re.compile(rf"\s*(?:{word}\s*[=.]|\[+\s*{word}\s*[\].])")
    return next((number for number, line in enumerate(text.splitlines(), 1) if begins.match(line)), 1)


def _secrets(lines: Mapping[str, Line]) -> Iterator[str]:
    yield from (setting.name for setting in SECRETS if setting.name in lines)
    if "db" in lines and has_password(lines["db"].value):
        yield "db"


def has_password(address: Any) -> bool:
    return isinstance(address, str) and bool(
        re.match(r"[a-z]+://[^/@]*:[^/@]+@|[a-z]+://.*[?&](?:ssl)?password=", address, re.I)
    )
