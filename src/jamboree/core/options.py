"""Metadata of game options beyond their names and types: command-line spellings, designs, and type inspection."""

from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect as types

from .words import Line


def fields_of(options: type[msgspec.Struct]) -> dict[str, types.Field]:
    described = types.type_info(options)
    assert isinstance(described, types.StructType)
    return {field.name: field for field in described.fields}


def kind_of(described: types.Type) -> types.Type:
    """Strip metadata and `| None` from a type."""
    if isinstance(described, types.Metadata):
        return kind_of(described.type)
    if isinstance(described, types.UnionType):
        rest = [each for each in described.types if not isinstance(each, types.NoneType)]
        return kind_of(rest[0]) if len(rest) == 1 else described
    return described


def choices(kind: types.Type) -> list[str]:
    """Return the values of a literal or enum type; empty for other types."""
    if isinstance(kind, types.LiteralType):
        return [str(value) for value in kind.values]
    return [str(each.value) for each in kind.cls] if isinstance(kind, types.EnumType) else []


class Flag(msgspec.Struct, frozen=True):
    """The spelling of an option on the command line, beyond its own name."""

    also: tuple[str, ...] = ()  # other names
    values: Mapping[str, Any] = {}  # names that stand for a value
    implies: Mapping[str, Any] = {}  # other options that it sets unless they are given


class Examined(NamedTuple):
    mistakes: list[str]
    facts: list[str]  # a description of its contents, if it is valid


class Design(msgspec.Struct, frozen=True):
    """An option whose value is a text drawn by a designer: its validation and its preview."""

    examine: Callable[[bytes], Examined]
    paint: Callable[[str, int, str], list[Line]]  # preview of the text, for a number of players, in a language
    texts: Mapping[str, Traversable] = {}  # packaged texts, which can be given by their names
