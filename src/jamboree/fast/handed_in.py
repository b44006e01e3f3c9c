"""What programs hand in, looked at before it gets to compiled code, which would read past the end of an array."""

from operator import index
from typing import Any, NamedTuple, get_type_hints

from jamboree.core.errors import JamboreeError
from jamboree.games import find
from jamboree.games.options import read_options

from . import sources


class SetUp(NamedTuple):
    """A table of numbers, and what a viewer knows of the rows: words, small numbers and guesses."""

    seats: int
    table: list[int]
    known: tuple[list[int], list[int], list[int]] | None


def set_up(game: str, seats: Any, options: Any, view: Any) -> SetUp:
    """Take seats and options, or a view, which has both in it."""
    bridge = sources.bridge(game)
    if view is None:
        rules = find(game)
        players = rules.info.seats[1] if seats is None else whole("The number of seats", seats, 0, 99)
        return SetUp(players, bridge.table(players, read_options(rules, options)), None)
    if seats is not None or options is not None:
        raise JamboreeError("A view has its seats and its options in it; there is no need for others.")
    if not isinstance(view, get_type_hints(bridge.unknown)["view"]):
        raise JamboreeError(f"A view of {find(game).info.title} is what its game.view gives, not {view!r:.80}.")
    table, *known = bridge.unknown(view)
    return SetUp(view.seats, table, (known[0], known[1], known[2]))


def whole(what: str, number: Any, least: int, most: int) -> int:
    """Take a whole number within its bounds."""
    try:
        found = index(number)
    except TypeError:
        raise JamboreeError(f"{what} is a whole number, not {number!r:.80}.") from None
    if not least <= found <= most:
        raise JamboreeError(f"{what} is between {least} and {most}, not {found}.")
    return found


def numbers(values: Any, dtype: str, shape: tuple[int, ...], error: type[JamboreeError]) -> Any:
    """Take an array of whole numbers; none of them is rounded, cut off or read from a text."""
    import numpy

    wanted = f"{_by(shape)} whole numbers are wanted"
    try:
        found = numpy.asarray(values)
    except (TypeError, ValueError) as why:
        raise error(f"{wanted}: {why}") from None
    if found.dtype.kind not in "iu":
        raise error(f"{wanted}, not {found.dtype}.")
    if found.shape != shape:
        raise error(f"{wanted}, not {_by(found.shape) or 'a single one'}.")
    bounds = numpy.iinfo(dtype)
    if not (bounds.min <= int(found.min()) and int(found.max()) <= bounds.max):
        raise error(f"{wanted} between {bounds.min} and {bounds.max}, not {found.min()} to {found.max()}.")
    return numpy.ascontiguousarray(found, dtype)


def _by(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))
