"""Parsers for setting values, given as text by a flag or variable or as a TOML value."""

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from jamboree.core.errors import JamboreeError
from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.host_allowlist import origin_of_url, without_default_port

PUBLIC_URL = re.compile(r"(https?://[^/\s?#]+)(/[^\s?#]*)?", re.I)
PORT_NUMBER = re.compile(r"[0-9]{1,5}")
NODE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}", re.I)
CONTROL = re.compile(r"[\x00-\x1f\x7f]")
MAX_DAYS = 1_000_000
MIN_TOKEN_LENGTH = 16
MAX_PORT = 65535
MAX_PROCESSES = 64


class InvalidValue(ValueError):
    """Completes the sentence "SETTING …" with what the value must be."""


class ValueType(NamedTuple):
    metavar: str
    parse: Callable[[Any], Any]
    repeatable: bool = False  # the flag can be given several times


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidValue("must be a string in quotes")
    if CONTROL.search(value):
        raise InvalidValue("must be a string without control characters")
    return value


def _number(value: Any, expected: str, least: float, most: float = math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InvalidValue(expected)
    try:
        number = float(value)
    except (ValueError, OverflowError):
        raise InvalidValue(expected) from None
    if not (math.isfinite(number) and least <= number <= most):
        raise InvalidValue(expected)
    return number


def _whole_number(value: Any, least: int, most: int) -> int:
    expected = f"must be a number from {least} to {most}"
    number = _number(value, expected, least, most)
    if number != int(number):
        raise InvalidValue(expected)
    return int(number)


def _port(value: Any) -> int:
    return _whole_number(value, 0, MAX_PORT)


def _process_count(value: Any) -> int:
    return _whole_number(value, 1, MAX_PROCESSES)


def _days(value: Any) -> float:
    return _number(value, f"must be a number of days from 0 to {MAX_DAYS}", 0, MAX_DAYS)


def _lease_seconds(value: Any) -> float:
    return _number(value, "must be a number of seconds from 2 to 20", 2, 20)


def _url(value: Any) -> str:
    parts = PUBLIC_URL.fullmatch(value) if isinstance(value, str) else None
    if value == "":
        return ""
    if parts is None or not origin_of_url(parts[1]):
        raise InvalidValue("must be a URL: http:// or https://, a host and optionally a path")
    return without_default_port(parts[1].lower() + (parts[2] or ""))


def _networks(value: Any) -> tuple[str, ...]:
    items = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise InvalidValue('must be a list of addresses such as ["127.0.0.1"]')
    try:
        Proxies(items)
    except JamboreeError as error:
        raise InvalidValue(f"must be a list of addresses: {str(error).rstrip('.')}") from None
    return tuple(items)


def _token(value: Any) -> str:
    token = _text(value.strip() if isinstance(value, str) else value)
    if len(token) < MIN_TOKEN_LENGTH:
        raise InvalidValue(f"must have at least {MIN_TOKEN_LENGTH} characters")
    return token


def _node_name(value: Any) -> str:
    if not isinstance(value, str) or not NODE_NAME.fullmatch(value):
        raise InvalidValue("must be a word of letters, digits and hyphens")
    return value


def _host_and_port(value: Any) -> str:
    host, colon, port = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    if not (host and colon and PORT_NUMBER.fullmatch(port) and int(port) <= MAX_PORT and not CONTROL.search(host)):
        raise InvalidValue('must be a host and a port such as "10.0.0.5:8301"')
    return str(value)


def choice(*words: str) -> ValueType:
    def parse(value: Any) -> str:
        if value not in words:
            raise InvalidValue(f"must be {' or '.join(words)}")
        return str(value)

    return ValueType("|".join(words), parse)


TEXT = ValueType("TEXT", _text)
FILE = ValueType("FILE", _text)
PORT = ValueType("NUMBER", _port)
DAYS = ValueType("DAYS", _days)
NODE = ValueType("NAME", _node_name)
HOST_AND_PORT = ValueType("HOST:PORT", _host_and_port)
LEASE_SECONDS = ValueType("SECONDS", _lease_seconds)
PROCESS_COUNT = ValueType("NUMBER", _process_count)
URL = ValueType("URL", _url)
NETWORKS = ValueType("ADDRESS", _networks, repeatable=True)
TOKEN = ValueType("TOKEN", _token)
