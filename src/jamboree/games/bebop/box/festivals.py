"""What each festival requires of its board, from data/festivals.toml."""

from typing import Any

import msgspec

from .components import DATA


class Demands(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    normals_per_player: tuple[int, int]
    least_spaces: tuple[int, int, int]
    least_vips: tuple[int, int, int]
    printed_dice: tuple[int, int, int]
    needs_centre: bool
    needs_cut: bool


_TABLES: dict[str, Any] = msgspec.toml.decode((DATA / "festivals.toml").read_bytes())
GENERAL = msgspec.convert(_TABLES["general"], Demands)
FESTIVALS = {
    festival: msgspec.convert({**_TABLES["general"], **own}, Demands) for festival, own in _TABLES["festivals"].items()
}


def demands(board_id: str) -> Demands:
    return FESTIVALS.get(board_id, GENERAL)
