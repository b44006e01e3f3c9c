"""One thing that was looked at: whether it is well, and if not, what to do."""

from typing import NamedTuple


class Finding(NamedTuple):
    level: str  # good, warn or wrong
    what: str
    advice: str = ""


def good(what: str) -> Finding:
    return Finding("good", what)


def warn(what: str, advice: str) -> Finding:
    return Finding("warn", what, advice)


def wrong(what: str, advice: str) -> Finding:
    return Finding("wrong", what, advice)
