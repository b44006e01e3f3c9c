"""How games were set up, kept small: tables that were set up alike share what is the same."""

import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from jamboree.core.chance import Pick
from jamboree.core.game import AnyGame, loads

KEPT = 64  # set-ups
LONG = 200  # characters of a text that is worth sharing
QUICK = 1  # how hard it is packed
Key = tuple[int, int, bytes]  # the address of a game, how many seats it has, and its options
_kept: dict[Key, tuple[AnyGame, Any]] = {}  # the game, which is kept so that its address stays its own, and a position
_read = msgspec.json.Decoder(list[Pick]).decode


class PackedPicks(bytes):
    """What chance has picked for a set-up: fifty picks or more, of which hardly anybody wants to know again."""

    @classmethod
    def of(cls, picks: list[Pick]) -> "PackedPicks":
        return cls(zlib.compress(msgspec.json.encode(picks), QUICK))

    @property
    def text(self) -> bytes:
        return zlib.decompress(self)

    @property
    def picks(self) -> list[Pick]:
        return _read(self.text)


def position_from(
    written: bytes, game: AnyGame, seats: int, options: Mapping[str, Any], set_up: Callable[[], Any]
) -> Any:
    """Read a position, and set a game up only if none is known that was set up alike.

    Where chance has a say in what the components are, they can be wrong: the position's hash tells.
    """
    key = (id(game), seats, msgspec.json.encode(options))
    known = _kept.get(key)
    if known is None:
        if len(_kept) >= KEPT:
            del _kept[next(iter(_kept))]
        known = _kept[key] = (game, set_up())
    return loads(written, known[1])


def with_shared_texts(options: Mapping[str, Any]) -> dict[str, Any]:
    """Give options whose long texts, such as boards, are the very ones that other tables have."""
    return {name: _the_one(value) if _is_long(value) else value for name, value in options.items()}


def _is_long(value: Any) -> bool:
    return isinstance(value, str) and len(value) >= LONG


@lru_cache(maxsize=KEPT)
def _the_one(text: str) -> str:
    return text
