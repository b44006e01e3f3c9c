"""What each festival requires of its board, from data/festivals.toml."""

import tomllib
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


def _read() -> dict[str, Any]:
    return tomllib.loads((DATA / "festivals.toml").read_text("utf-8"))


def _demands(tables: dict[str, Any]) -> dict[str, Demands]:
    return {
        festival: msgspec.convert({**tables["general"], **own}, Demands)
        for festival, own in tables["festivals"].items()
    }


_TABLES = _read()
GENERAL = msgspec.convert(_TABLES["general"], Demands)
FESTIVALS = _demands(_TABLES)


def demands(board_id: str) -> Demands:
    return FESTIVALS.get(board_id, GENERAL)
