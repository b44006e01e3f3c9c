"""When a bot has something to say: after which events, and which of its game's quick phrases.

A game writes it down in `reactions.json` beside its texts. Only what everybody has witnessed is looked at, so a remark
tells nobody anything.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from jamboree.core.game import AnyGame


class Reaction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    event: str  # its type
    says: list[str]  # phrases by their keys
    by: Literal["seat", "winners", "jumpers", "others"]  # which bots say it: those in that field, or all but its seat
    least: dict[str, int] = {}  # fields that have to be this large; a list counts as long as it is
    equals: dict[str, Any] = {}

    def fits(self, event: Mapping[str, Any]) -> bool:
        """Tell whether an event, written as plain data, deserves a remark."""
        large = all(_size(event.get(name)) >= least for name, least in self.least.items())
        return event["type"] == self.event and large and all(event.get(k) == v for k, v in self.equals.items())

    def speakers(self, event: Mapping[str, Any], seats: Sequence[int]) -> list[int]:
        """Choose who could say it among some seats."""
        found = event.get("seat" if self.by == "others" else self.by)
        meant = found if isinstance(found, list) else [found]
        return [seat for seat in seats if (seat in meant) != (self.by == "others")]


def reactions_of(game: AnyGame) -> Sequence[Reaction]:
    """Read what makes the bots of a game say something; most games leave them silent."""
    package = getattr(getattr(game.words, "catalogue", None), "package", None)
    return _read(package) if package else ()


@lru_cache
def _read(package: str) -> tuple[Reaction, ...]:
    file = files(package) / "reactions.json"
    return msgspec.json.decode(file.read_bytes(), type=tuple[Reaction, ...]) if file.is_file() else ()


def _size(value: Any) -> int:
    return len(value) if isinstance(value, list | str) else int(value or 0)
