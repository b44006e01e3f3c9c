"""A file of settings in TOML: what is in it, and on which line each thing stands."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError

from ..files import read_file
from .settings import BY_NAME, SECRETS

PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
OTHERS = 0o077  # whom a file with a secret is not for


class Line(NamedTuple):
    value: Any
    place: str  # the file and the number of its line


def read_settings(path: Path) -> dict[str, Line]:
    """Read a file of settings, or say which line is wrong and what the right word is."""
    text = _text(path)
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise JamboreeError(_unreadable(path, text, str(error))) from None
    lines = {name: Line(value, f"{path}, line {_number(text, name)}") for name, value in found.items()}
    for name, line in lines.items():
        if name not in BY_NAME:
            raise JamboreeError(f"{line.place}: there is no setting {name}{_guess(name)}")
    _check_private(path, lines)
    return lines


def _text(path: Path) -> str:
    try:
        return read_file(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise JamboreeError(f"{path} is no text in UTF-8: byte {error.start + 1} can't be read.") from None


def _unreadable(path: Path, text: str, said: str) -> str:
    place = PLACE.search(said)
    number = int(place[1]) if place and place[1] else len(text.splitlines())
    return f'{path}, line {number}: {PLACE.sub("", said)}; a line is like port = 8300 or host = "0.0.0.0".'


def _guess(name: str) -> str:
    meant = get_close_matches(name.lower().replace("_", "-"), BY_NAME, 1)
    return f"; did you mean {meant[0]}?" if meant else f"; there are: {', '.join(BY_NAME)}."


def _number(text: str, name: str) -> int:
    """Find the line on which something is set, or on which a table of that name begins."""
    word = rf"""["']?{re.escape(name)}["']?"""
    begins = re.compile(rf"\s*(?:{word}\s*[=.]|\[+\s*{word}\s*[\].])")
    return next((number for number, line in enumerate(text.splitlines(), 1) if begins.match(line)), 1)


def _check_private(path: Path, lines: Mapping[str, Line]) -> None:
    for name in _secrets(lines):
        if path.stat().st_mode & OTHERS:
            raise JamboreeError(
                f"{lines[name].place}: others can read this file, so {name} is no secret; chmod 600 {path}."
            )


def _secrets(lines: Mapping[str, Line]) -> Iterator[str]:
    yield from (setting.name for setting in SECRETS if setting.name in lines)
    if "db" in lines and has_password(lines["db"].value):
        yield "db"


def has_password(address: Any) -> bool:
    return isinstance(address, str) and bool(
        re.match(r"[a-z]+://[^/@]*:[^/@]+@|[a-z]+://.*[?&]password=", address, re.I)
    )
