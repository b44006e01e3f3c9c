"""How the value of a setting is read: as text from a flag or a variable, or as TOML has it."""

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError
from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.host_allowlist import origin_of_url, without_default_port

PUBLIC_URL = re.compile(r"(https?://[^/\s?#]+)(/[^\s?#]*)?", re.I)
NAME_OF_A_NODE = re.compile(r"[a-z0-9][a-z0-9-]{0,62}", re.I)
SHORTEST_TOKEN = 16
HIGHEST_PORT = 65535
MOST_PROCESSES = 64


class Wrong(ValueError):
    """What a value should have been."""


class Kind(NamedTuple):
    """A kind of value; `several` flags or items make one."""

    sign: str  # what stands for a value in the help
    read: Callable[[Any], Any]
    several: bool = False


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Wrong("is a text between quotes")
    return value


def _port(value: Any) -> int:
    number = _number(value, "is a number from 0 to 65535")
    if number != int(number) or not 0 <= number <= HIGHEST_PORT:
        raise Wrong("is a number from 0 to 65535")
    return int(number)


def _days(value: Any) -> float:
    expected = "is a number of days, 0 or more"
    number = _number(value, expected)
    if number < 0:
        raise Wrong(expected)
    return number


def _seconds(value: Any) -> float:
    expected = "is a number of seconds, from 2 to 20"
    number = _number(value, expected)
    if not 2 <= number <= 20:
        raise Wrong(expected)
    return number


def _count(value: Any) -> int:
    expected = f"is a number from 1 to {MOST_PROCESSES}"
    number = _number(value, expected)
    if number != int(number) or not 1 <= number <= MOST_PROCESSES:
        raise Wrong(expected)
    return int(number)


def _number(value: Any, expected: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise Wrong(expected)
    try:
        number = float(value)
    except ValueError:
        raise Wrong(expected) from None
    if not math.isfinite(number):
        raise Wrong(expected)
    return number


def _url(value: Any) -> str:
    parts = PUBLIC_URL.fullmatch(value) if isinstance(value, str) else None
    if value == "":
        return ""
    if parts is None or not origin_of_url(parts[1]):
        raise Wrong("is http:// or https://, a host, and perhaps a path")
    return without_default_port(parts[1].lower() + (parts[2] or ""))


def _networks(value: Any) -> tuple[str, ...]:
    items = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(each, str) for each in items):
        raise Wrong('is a list of addresses, as ["127.0.0.1"]')
    try:
        Proxies(items)
    except JamboreeError as error:
        raise Wrong(f"is a list of addresses: {error}") from None
    return tuple(items)


def _token(value: Any) -> str:
    token = _text(value).strip()
    if len(token) < SHORTEST_TOKEN:
        raise Wrong(f"has at least {SHORTEST_TOKEN} characters")
    return token


def _name(value: Any) -> str:
    if not isinstance(value, str) or not NAME_OF_A_NODE.fullmatch(value):
        raise Wrong("is a word of letters, digits and hyphens")
    return value


def _place(value: Any) -> str:
    host, colon, port = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    if not (host and colon and port.isdigit() and int(port) <= HIGHEST_PORT):
        raise Wrong('is a host and a port, as "10.0.0.5:8301"')
    return str(value)


def choice(*words: str) -> Kind:
    def read(value: Any) -> str:
        if value not in words:
            raise Wrong(f"is {' or '.join(words)}")
        return str(value)

    return Kind("|".join(words), read)


TEXT = Kind("TEXT", _text)
FILE = Kind("FILE", _text)
PORT = Kind("NUMBER", _port)
DAYS = Kind("DAYS", _days)
NAME = Kind("NAME", _name)
PLACE = Kind("HOST:PORT", _place)
SECONDS = Kind("SECONDS", _seconds)
COUNT = Kind("NUMBER", _count)
URL = Kind("URL", _url)
NETWORKS = Kind("ADDRESS", _networks, several=True)
TOKEN = Kind("TOKEN", _token)
