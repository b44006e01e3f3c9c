"""Review sections: tables and remarks that a game computes from a finished game, and that every client renders.

The texts are in a catalogue: `review.<key>` is the title, `review.<key>.about` an explanation,
`review.<key>.<column>` a column, `review.<key>.entries` the title of the entries and `review.<key>.points` a note on
the points of one entry.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from .words import Catalogue

E = TypeVar("E")

Style = Literal["good", "bad", "plain", "points"]


class Column(NamedTuple):
    key: str
    style: Style = "plain"  # points are shown with their sign


def no_entries(events: Sequence[Any]) -> Sequence[tuple[Any, int]]:
    return ()


@dataclass(frozen=True)
class ReviewSection(Generic[E]):
    """A table with one row per seat, and events to list below it, each with the points it is worth."""

    catalogue: Catalogue
    key: str
    columns: Sequence[Column]
    rows: Callable[[Sequence[E], int], Sequence[Sequence[int]]]  # events of the whole game, number of seats
    entries: Callable[[Sequence[E]], Sequence[tuple[E, int]]] = no_entries
