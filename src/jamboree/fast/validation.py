"""Validation of arguments before they reach compiled code, which does not check array bounds."""

from operator import index
from typing import Any, NamedTuple, get_type_hints

from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.core.table_options import read_options
from jamboree.games import find

from . import sources


class SetUp(NamedTuple):
    """A table of constants and, if made from a view, its known rows: words, small numbers and guesses."""

    seats: int
    table: list[int]
    known: tuple[list[int], list[int], list[int]] | None


def set_up(game: str, seats: Any, options: Any, view: Any) -> SetUp:
    """Build a set-up from seats and options, or from a view, which determines both."""
    bridge = sources.bridge(game)
    if view is None:
        players = find(game).info.seats[1] if seats is None else whole("The number of seats", seats, 0, 99)
        return SetUp(players, table_of(game, players, options), None)
    if seats is not None or options is not None:
        raise JamboreeError(
            "Give either a view or seats and options, not both: a view determines its seats and options."
        )
    if not isinstance(view, get_type_hints(bridge.unknown)["view"]):
        raise JamboreeError(f"A view of {find(game).info.title} must come from its game.view, not {view!r:.80}.")
    table, *known = bridge.unknown(view)
    return SetUp(view.seats, table, (known[0], known[1], known[2]))


def table_of(game: str, seats: int, options: Any) -> list[int]:
    """Write a set-up as numbers, or raise BadOptions if the game does not allow it."""
    rules = find(game)
    fewest, most = rules.info.seats
    if not fewest <= seats <= most:
        raise BadOptions(f"{rules.info.title} is for {fewest} to {most} players, not {seats}")
    table: list[int] = sources.bridge(game).table(seats, read_options(rules, options))
    return table


def whole(what: str, number: Any, least: int, most: int) -> int:
    """Check that a value is a whole number within bounds."""
    try:
        value = index(number)
    except TypeError:
        raise JamboreeError(f"{what} must be a whole number, not {number!r:.80}.") from None
    if not least <= value <= most:
        raise JamboreeError(f"{what} must be between {least} and {most}, not {value}.")
    return value


def numbers(values: Any, dtype: str, shape: tuple[int, ...], error: type[JamboreeError]) -> Any:
    """Convert to an array of whole numbers; nothing is rounded, truncated or parsed from text."""
    import numpy

    expected = f"Expected {_by(shape)} whole numbers"
    try:
        array = numpy.asarray(values)
    except (TypeError, ValueError) as cause:
        raise error(f"{expected}: {cause}") from None
    if array.dtype.kind not in "iu":
        raise error(f"{expected}, not {array.dtype}.")
    if array.shape != shape:
        raise error(f"{expected}, not {_by(array.shape) or 'a single one'}.")
    bounds = numpy.iinfo(dtype)
    if not (bounds.min <= int(array.min()) and int(array.max()) <= bounds.max):
        raise error(f"{expected} between {bounds.min} and {bounds.max}, not {array.min()} to {array.max()}.")
    return numpy.ascontiguousarray(array, dtype)


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))
