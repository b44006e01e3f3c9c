"""What a game says about the options of its tables beside their names and types."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect as types

from .words import Line


def fields_of(options: type[msgspec.Struct]) -> dict[str, types.Field]:
    described = types.type_info(options)
    assert isinstance(described, types.StructType)
    return {field.name: field for field in described.fields}


def kind_of(described: types.Type) -> types.Type:
    """Look past what wraps a type: what it is described by, and that it may be left out."""
    if isinstance(described, types.Metadata):
        return kind_of(described.type)
    if isinstance(described, types.UnionType):
        rest = [each for each in described.types if not isinstance(each, types.NoneType)]
        return kind_of(rest[0]) if len(rest) == 1 else described
    return described


def choices(kind: types.Type) -> list[str]:
    """List the values that one chooses from; none where it is not a choice."""
    if isinstance(kind, types.LiteralType):
        return [str(value) for value in kind.values]
    return [str(each.value) for each in kind.cls] if isinstance(kind, types.EnumType) else []


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
