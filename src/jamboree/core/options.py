"""What a game says about the options of its tables beside their names and types."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from .words import Line


class Flag(msgspec.Struct, frozen=True):
    """How a terminal spells an option, beside its own name."""

    also: tuple[str, ...] = ()  # other names
    values: Mapping[str, Any] = {}  # names that stand for a value
    implies: Mapping[str, Any] = {}  # options that go with it, where nothing is said about them


class Examined(NamedTuple):
    mistakes: list[str]
    facts: list[str]  # what is in it, if it is sound


class Design(msgspec.Struct, frozen=True):
    """An option that is a text a designer draws: how it is examined, and what it looks like."""

    examine: Callable[[bytes], Examined]
    paint: Callable[[str, int, str], list[Line]]  # before the game: for so many players, in a language
