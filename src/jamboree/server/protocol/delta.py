"""What has changed between two positions, written so that any client can follow in a few lines.

A change is one of three. `[value]`: it is this value now. `[at, gone, new]`, of an array: from place `at`, so many
elements go and the new ones come. `{name: change}`: these parts have changed, of an object by their names and of an
array by their places; a name with `[]` is gone.
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
        "description": "How something becomes what it is now",
        "anyOf": [{"$ref": f"#/$defs/{form}"} for form in ("NewValue", "Splice", "ChangedParts")],
    },
    "NewValue": {"description": "It is this value now", "type": "array", "minItems": 1, "maxItems": 1},
    "Splice": {
        "description": "From a place in an array on, so many elements go and the new ones come",
        "type": "array",
        "prefixItems": [PLACE, PLACE, {"type": "array"}],
        "minItems": 3,
        "maxItems": 3,
    },
    "ChangedParts": {
        "description": "Parts of an object by their names, or of an array by their places; an empty array: it is gone",
        "type": "object",
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/Change"}, {"type": "array", "maxItems": 0}]},
    },
}
GONE: list[Any] = []
OBJECT, ARRAY = b"{["
SHORT = 16  # bytes: to say what has changed in it takes as many
Text = msgspec.Raw  # a value as it is written
encode = msgspec.json.encode
_parts = msgspec.json.Decoder(dict[str, Text]).decode
elements = msgspec.json.Decoder(list[Text]).decode


def difference(before: bytes, after: bytes) -> bytes:
    """Write how one canonical text becomes another; the order of names stays as it is written.

    Only what differs is read: of the rest it is enough that it is written in the same way.
    """
    if before[0] == after[0] and len(after) > SHORT:
        if after[0] == OBJECT:
            return _of_objects(_parts(before), _parts(after), after)
        if after[0] == ARRAY:
            return _of_arrays(elements(before), elements(after), after)
    return _anew(after)


def _of_objects(before: dict[str, Text], after: dict[str, Text], whole: bytes) -> bytes:
    if [*before] == [*after]:
        unlike = compress(after, map(ne, before.values(), after.values()))
        return _shorter(encode({name: _within(before[name], after[name]) for name in unlike}), _anew(whole))
    if [*(name for name in before if name in after), *(name for name in after if name not in before)] != list(after):
        return _anew(whole)
    changes: dict[str, Any] = {name: GONE for name in before if name not in after}
    for name, value in after.items():
        if name not in before:
            changes[name] = [value]
        elif before[name] != value:
            changes[name] = _within(before[name], value)
    return _shorter(encode(changes), _anew(whole))


def _of_arrays(before: list[Text], after: list[Text], whole: bytes) -> bytes:
    start = _alike(before, after, 0)
    end = _alike(before[::-1], after[::-1], start)
    gone, new = before[start : len(before) - end], after[start : len(after) - end]
    splice = _shorter(encode([start, len(gone), new]), _anew(whole))
    if len(gone) != len(new):
        return splice
    pairs = enumerate(zip(gone, new, strict=True), start)
    changes = {str(at): _within(one, other) for at, (one, other) in pairs if one != other}
    return _shorter(encode(changes), splice)


def _within(before: Text, after: Text) -> Text:
    return Text(difference(b"" + before, b"" + after))  # bytes(before) takes twice as long


def _alike(before: list[Text], after: list[Text], taken: int) -> int:
    """Count the elements that both begin with, apart from so many that are spoken for at the other end."""
    most = min(len(before), len(after)) - taken
    unlike = compress(range(most), map(ne, before, after))
    return next(unlike, most)


def _anew(text: bytes) -> bytes:
    return b"[" + text + b"]"


def _shorter(one: bytes, other: bytes) -> bytes:
    return one if len(one) < len(other) else other


def patched(before: Any, change: Change) -> Any:
    """Carry a change out, and leave alone what it was before."""
    if isinstance(change, dict):
        return _patched_array(before, change) if isinstance(before, list) else _patched_object(before, change)
    if len(change) == 1:
        return change[0]
    at, gone, new = change
    return [*before[:at], *new, *before[at + gone :]]


def followed(before: Any, change: Change, check: str) -> Any | None:
    """Carry a change out; None if that leads elsewhere than it should, so that everything has to be asked for anew."""
    with suppress(LookupError, TypeError, ValueError, AttributeError):
        after = patched(before, change)
        if check_of(canonical(encode(after))) == check:
            return after
    return None


def _patched_array(before: list[Any], changes: dict[str, Any]) -> list[Any]:
    after = list(before)
    for at, change in changes.items():
        after[int(at)] = patched(after[int(at)], change)
    return after


def _patched_object(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    after = dict(before)
    for name, change in changes.items():
        if change == GONE:
            del after[name]
        else:
            after[name] = patched(after.get(name), change)
    return after


def check_of(text: bytes, before: int = 0) -> str:
    """Give what a client sees by that it has the right position: the CRC-32 of its canonical text, in eight digits.

    Of a text that begins with another one, whose CRC-32 is known, the rest is enough.
    """
    return f"{zlib.crc32(text, before):08x}"


checked = zlib.crc32
