"""Bot chatter: which events make a bot say which of its game's quick phrases.

A game lists its reactions in `reactions.json` beside its texts. Only public events are considered, so a remark
reveals nothing.
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
    by: Literal["seat", "winners", "jumpers", "others"]  # who says it: the seats in that event field, or all others
    least: dict[str, int] = {}  # minimum values of fields; for a list its length
    equals: dict[str, Any] = {}

    def fits(self, event: Mapping[str, Any]) -> bool:
        """Return whether an event, as plain data, triggers the reaction."""
        large = all(_size(event.get(name)) >= least for name, least in self.least.items())
        return event["type"] == self.event and large and all(event.get(k) == v for k, v in self.equals.items())

    def speakers(self, event: Mapping[str, Any], seats: Sequence[int]) -> list[int]:
        """Return those of the seats that may say it."""
        found = event.get("seat" if self.by == "others" else self.by)
        meant = found if isinstance(found, list) else [found]
        return [seat for seat in seats if (seat in meant) != (self.by == "others")]


def reactions_of(game: AnyGame) -> Sequence[Reaction]:
    """Return a game's reactions; empty if it has no `reactions.json`."""
    return _read(game.words.package) if game.words.package else ()


@lru_cache
def _read(package: str) -> tuple[Reaction, ...]:
    file = files(package) / "reactions.json"
    return msgspec.json.decode(file.read_bytes(), type=tuple[Reaction, ...]) if file.is_file() else ()


def _size(value: Any) -> int:
    return len(value) if isinstance(value, list | str) else int(value or 0)
