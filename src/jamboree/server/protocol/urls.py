"""Builds URL paths from parts, percent-encoded so that each stays one segment."""

import re
from urllib.parse import quote, urlencode

from jamboree.core.errors import JamboreeError

UNSAFE = re.compile(r"\.{0,2}|.*[/\\\x00-\x1f\x7f].*", re.DOTALL)  # dot segments are resolved even if encoded


class UnsafePart(JamboreeError):
    """A value that can't be one path segment."""


def path(*parts: str, **query: str | bool | int) -> str:
    """An absolute path with a query."""
    written = "".join(f"/{_encoded(part)}" for part in parts)
    values = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
    return f"{written}?{urlencode(values)}" if values else written


def api(*parts: str, **query: str | bool | int) -> str:
    """An absolute path in the API."""
    return path("api", "v1", *parts, **query)


def _encoded(part: str) -> str:
    if UNSAFE.fullmatch(part):
        raise UnsafePart(f"{part!r} can't be a part of an address.")
    return quote(part, safe="")
