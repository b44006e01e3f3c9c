"""What comes back for a journal that was sent in."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jamboree.core.game import Outcome

from .bodies import LogStep
from .parts import Painting

Views = Annotated[  # the first as a whole, and what has changed in each of the others
    list[Any],
    Meta(extra_json_schema={"prefixItems": [{"$ref": "#/$defs/AnyView"}], "items": {"$ref": "#/$defs/Change"}}),
]


class WatchedJournal(msgspec.Struct, frozen=True):
    """A journal that was sent in, replayed: it is sound, and nothing of it is kept here."""

    game: str
    rules: int  # the version
    seats: int
    names: list[str]  # by seat
    options: dict[str, Any]
    outcome: Outcome | None  # null: the game was not over
    views: Views
    log: list[LogStep]
    paintings: list[Painting]  # of every step, where they were asked for
