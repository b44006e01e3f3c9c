"""Games of other packages, which name them in the entry-point group `jamboree.games`: a key, and a package by it."""

import re
from collections import defaultdict
from collections.abc import Collection
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb
from typing import NamedTuple

from jamboree.core.words import clean

GROUP = "jamboree.games"
KEY = re.compile("[a-z][a-z0-9-]*")


class Plugins(NamedTuple):
    """The packages that can be asked for a game, by its key, and a sentence for each that can't."""

    packages: dict[str, str]
    refused: list[str]


def find_plugins(taken: Collection[str]) -> Plugins:
    """Find the games of other packages without loading them; a key has one game, and ours have theirs."""
    found, named = Plugins({}, []), defaultdict[str, list[EntryPoint]](list)
    try:
        for entry in entry_points(group=GROUP):
            named[entry.name].append(entry)
    except Exception as error:  # a file of some package that nobody can read
        return Plugins({}, [f"The games of other packages can't be found: {describe_error(error)}."])
    for key, entries in sorted(named.items()):
        if why := _rejection(key, entries, taken):
            found.refused.append(clean(f"The game {key!r} of {_distribution_names(entries)} is left out: {why}."))
        else:
            found.packages[key] = entries[0].value
    return found


def _rejection(key: str, entries: list[EntryPoint], taken: Collection[str]) -> str:
    if key in taken:
        return "Jamboree has a game of that name itself"
    if len(entries) > 1:
        return "nobody could tell which of them is meant"
    if not KEY.fullmatch(key):
        return "a key has small letters, digits and hyphens, and begins with a letter"
    if not all(part.isidentifier() for part in entries[0].value.split(".")):
        return f"its entry point must name a package, not {entries[0].value!r}"
    return ""


def _distribution_names(entries: list[EntryPoint]) -> str:
    names = sorted((entry.dist and entry.dist.name) or entry.value for entry in entries)
    return " and ".join(f"the package {name}" for name in names)


def describe_error(error: BaseException) -> str:
    """Say what somebody else's code has raised: its text may fail, or play tricks on a terminal."""
    try:
        text = str(error)
    except BaseException:
        text = "it does not say why"
    return clean(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def error_location(error: BaseException, name: str) -> str:
    """Say where in a package an error comes from: the last line of its own that was being run."""
    if name.partition(".")[0] == "jamboree":
        return ""
    spec = find_spec(name.partition(".")[0])
    whole = Path(spec.origin) if spec and spec.origin else Path()
    folder = whole.parent if whole.name == "__init__.py" else whole
    own = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)]
    return f" ({Path(own[-1].filename).relative_to(folder.parent)}, line {own[-1].lineno})" if own else ""
