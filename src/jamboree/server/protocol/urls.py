"""Builds the paths of URLs out of parts, each of which is encoded and stays one part."""

import re
from urllib.parse import quote, urlencode

from jamboree.core.errors import JamboreeError

UNSAFE = re.compile(r"\.{0,2}|.*[/\\\x00-\x1f\x7f].*", re.DOTALL)  # dot segments are resolved, encoded ones too


class UnsafePart(JamboreeError):
    """A value can't be a part of a path: it could be read as several."""


def path(*parts: str, **query: str | bool | int) -> str:
    """Write a path with a query, from the root."""
    written = "".join(f"/{_encoded(part)}" for part in parts)
    values = {name: str(value).lower() if isinstance(value, bool) else value for name, value in query.items()}
    return f"{written}?{urlencode(values)}" if values else written


def api(*parts: str, **query: str | bool | int) -> str:
    """Write the path of something in the API."""
    return path("api", "v1", *parts, **query)


def _encoded(part: str) -> str:
    if UNSAFE.fullmatch(part):
        raise UnsafePart(f"{part!r} can't be a part of an address.")
    return quote(part, safe="")
