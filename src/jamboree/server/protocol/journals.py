"""The response to an uploaded journal."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jamboree.core.game import Outcome

from .bodies import LogStep
from .parts import Painting

Views = Annotated[  # the first whole, and a delta for each of the others
    list[Any],
    Meta(extra_json_schema={"prefixItems": [{"$ref": "#/$defs/AnyView"}], "items": {"$ref": "#/$defs/Change"}}),
]


class WatchedJournal(msgspec.Struct, frozen=True):
    """A replay of a valid uploaded journal, which is not stored."""

    game: str
    rules: int  # the version
    seats: int
    names: list[str]  # by seat
    options: dict[str, Any]
    outcome: Outcome | None  # null: the game was not over
    date: str  # the day it was last played, like 2026-11-16; may be empty
    views: Views
    log: list[LogStep]
    paintings: list[Painting]  # of every step, if requested
