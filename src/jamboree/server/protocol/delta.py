"""Deltas between JSON values, simple enough that any client can apply them in a few lines.

A delta has one of three forms. `[value]` replaces the value. `[at, gone, new]` splices an array: from index `at`,
`gone` elements are replaced by `new`. `{name: delta}` changes parts, of an object by name and of an array by index;
`[]` removes a name.
"""

import zlib
from contextlib import suppress
from itertools import compress
from operator import ne
from typing import Any

import msgspec

from .canonical import canonical

Change = list[Any] | dict[str, Any]
PLACE = {"type": "integer", "minimum": 0}
SCHEMAS: dict[str, dict[str, Any]] = {
    "Change": {
        "description": "A delta of a value",
        "anyOf": [{"$ref": f"#/$defs/{form}"} for form in ("NewValue", "Splice", "ChangedParts")],
    },
    "NewValue": {"description": "Replaces the value", "type": "array", "minItems": 1, "maxItems": 1},
    "Splice": {
        "description": "Splices an array: the index, the number of removed elements, and the new elements",
        "type": "array",
        "prefixItems": [PLACE, PLACE, {"type": "array"}],
        "minItems": 3,
        "maxItems": 3,
    },
    "ChangedParts": {
        "description": "Changes parts of an object by name, or of an array by index; an empty array removes a name",
        "type": "object",
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Change"}, {"type": "array", "maxItems": 0}]},
    },
}
GONE: list[Any] = []
OBJECT, ARRAY = b"{["
SHORT = 16  # bytes; a delta of a shorter value is not shorter
RawValue = msgspec.Raw  # an undecoded value
encode = msgspec.json.encode
_parts = msgspec.json.Decoder(dict[str, RawValue]).decode
elements = msgspec.json.Decoder(list[RawValue]).decode


def delta_between(before: bytes, after: bytes) -> bytes:
    """The shortest simple delta between two canonical texts; applying it keeps the order of names.

    Only values that differ are decoded; equal ones are compared as text.
    """
    if before[0] == after[0] and len(after) > SHORT:
        if after[0] == OBJECT:
            return _of_objects(_parts(before), _parts(after), after)
        if after[0] == ARRAY:
            return _of_arrays(elements(before), elements(after), after)
    return _replacement(after)


def _of_objects(before: dict[str, RawValue], after: dict[str, RawValue], whole: bytes) -> bytes:
    if [*before] == [*after]:
        unlike = compress(after, map(ne, before.values(), after.values()))
        return _shorter(encode({name: _nested(before[name], after[name]) for name in unlike}), _replacement(whole))
    if [*(name for name in before if name in after), *(name for name in after if name not in before)] != list(after):
        return _replacement(whole)
    changes: dict[str, Any] = {name: GONE for name in before if name not in after}
    for name, value in after.items():
        if name not in before:
            changes[name] = [value]
        elif before[name] != value:
            changes[name] = _nested(before[name], value)
    return _shorter(encode(changes), _replacement(whole))


def _of_arrays(before: list[RawValue], after: list[RawValue], whole: bytes) -> bytes:
    start = _common_length(before, after, 0)
    end = _common_length(before[::-1], after[::-1], start)
    gone, new = before[start : len(before) - end], after[start : len(after) - end]
    splice = _shorter(encode([start, len(gone), new]), _replacement(whole))
    if len(gone) != len(new):
        return splice
    pairs = enumerate(zip(gone, new, strict=True), start)
    changes = {str(at): _nested(one, other) for at, (one, other) in pairs if one != other}
    return _shorter(encode(changes), splice)


def _nested(before: RawValue, after: RawValue) -> RawValue:
    return RawValue(delta_between(b"" + before, b"" + after))  # faster than bytes(before)


def _common_length(before: list[RawValue], after: list[RawValue], taken: int) -> int:
    """The length of the common prefix, leaving out elements that the common suffix has taken."""
    most = min(len(before), len(after)) - taken
    unlike = compress(range(most), map(ne, before, after))
    return next(unlike, most)


def _replacement(text: bytes) -> bytes:
    return b"[" + text + b"]"


def _shorter(one: bytes, other: bytes) -> bytes:
    return one if len(one) < len(other) else other


def apply_delta(before: Any, change: Change) -> Any:
    """Apply a delta without changing the value before."""
    if isinstance(change, dict):
        return _apply_to_array(before, change) if isinstance(before, list) else _apply_to_object(before, change)
    if len(change) == 1:
        return change[0]
    at, gone, new = change
    return [*before[:at], *new, *before[at + gone :]]


def apply_verified(before: Any, change: Change, check: str) -> Any | None:
    """Apply a delta and verify the checksum; None if it does not match, so that the client must resync."""
    with suppress(LookupError, TypeError, ValueError, AttributeError):
        after = apply_delta(before, change)
        if checksum(canonical(encode(after))) == check:
            return after
    return None


def _apply_to_array(before: list[Any], changes: dict[str, Any]) -> list[Any]:
    after = list(before)
    for at, change in changes.items():
        after[int(at)] = apply_delta(after[int(at)], change)
    return after


def _apply_to_object(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    after = dict(before)
    for name, change in changes.items():
        if change == GONE:
            del after[name]
        else:
            after[name] = apply_delta(after.get(name), change)
    return after


def checksum(text: bytes, before: int = 0) -> str:
    """The CRC-32 of a canonical text in eight hex digits, optionally continued from the CRC-32 of a prefix."""
    return f"{zlib.crc32(text, before):08x}"


crc32 = zlib.crc32
