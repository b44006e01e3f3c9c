"""Type annotations that mark seat numbers in views, actions and events; by these marks seats are rotated and found."""

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

T = TypeVar("T")

_SCALARS = (int, float, str, bool, bytes, type(None))
_SEAT = msgspec.Meta(extra={"seat": True})
_BY_SEAT = msgspec.Meta(extra={"by_seat": True})
_SEAT_SET = msgspec.Meta(extra={"seat_set": True})

Seat = Annotated[int, _SEAT]
"""The number of a seat, from 0; the next in turn, and on the left, is the next number."""

BySeat = Annotated[list[T], _BY_SEAT]
"""One item per seat, in the order of the seats."""

SeatSet = Annotated[list[int], _SEAT_SET]
"""Some seats, lowest first; a `list[Seat]` is an order of seats."""


def rotate(value: Any, by: int, seats: int) -> Any:
    """Return the value with every seat s renamed to (s + by) modulo the number of seats."""
    return _turn(value, type(value), by, seats)


def _turn(value: Any, hint: Any, by: int, seats: int) -> Any:
    marks = _marks(hint)
    if "seat" in marks and type(value) is int:
        return (value + by) % seats
    if isinstance(value, msgspec.Struct):
        hints = _hints(type(value))
        changed = {name: _turn(getattr(value, name), hints[name], by, seats) for name in value.__struct_fields__}
        return type(value)(**changed)
    if "seat_set" in marks:
        return sorted((seat + by) % seats for seat in value)
    if isinstance(value, list | tuple):
        items = [_turn(item, _item_hint(hint), by, seats) for item in value]
        if "by_seat" in marks:
            items = [items[(seat - by) % seats] for seat in range(len(items))]
        return type(value)(items)
    return value


def mentions(value: msgspec.Struct, seat: int) -> bool:
    """Return whether a value has a seat in it; a list of one item per seat has every seat in it."""
    return any(finds(getattr(value, name), seat) for name, finds in _seat_fields(type(value)))


@lru_cache(maxsize=256)
def _seat_fields(kind: type, *within: type) -> tuple[tuple[str, Callable[[Any, int], bool]], ...]:
    """The fields that can have seats in them, and how to look for a seat there."""
    finders = {name: _finder(hint, (*within, kind)) for name, hint in _hints(kind).items()}
    return tuple((name, finds) for name, finds in finders.items() if finds)


def _finder(hint: Any, within: tuple[type, ...]) -> Callable[[Any, int], bool] | None:
    marks, item = _marks(hint), _item_hint(hint)
    if "by_seat" in marks:
        return lambda value, seat: value is not None
    if "seat_set" in marks:
        return lambda value, seat: value is not None and seat in value
    if "seat" in marks:
        return lambda value, seat: type(value) is int and value == seat
    if item is not None:
        finds = _finder(item, within)
        return finds and (lambda value, seat: value is not None and any(finds(each, seat) for each in value))
    if all(_is_seatless(kind, within) for kind in get_args(hint) or [hint]):
        return None
    return lambda value, seat: isinstance(value, msgspec.Struct) and mentions(value, seat)


def _is_seatless(kind: Any, within: tuple[type, ...]) -> bool:
    if not isinstance(kind, type) or kind in within:  # a type within itself is looked through at run time
        return False
    return not _seat_fields(kind, *within) if issubclass(kind, msgspec.Struct) else issubclass(kind, _SCALARS)


@lru_cache(maxsize=256)
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _marks(hint: Any) -> dict[str, bool]:
    """Collect the marks of a type hint, including those inside unions."""
    found: dict[str, bool] = {}
    for part in (hint, *(get_args(hint) if get_origin(hint) is not list else ())):
        for meta in getattr(part, "__metadata__", ()):
            found.update(meta.extra or {})
    return found


def _item_hint(hint: Any) -> Any:
    """Return the item type of a sequence hint."""
    if hasattr(hint, "__metadata__"):
        return _item_hint(get_args(hint)[0])
    if get_origin(hint) in (list, tuple):
        return get_args(hint)[0]
    inner = [_item_hint(part) for part in get_args(hint)]
    return next((part for part in inner if part is not None), None)
