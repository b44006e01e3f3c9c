"""A festival's board as it is drawn: read once here, so that no client has to read its text."""

from functools import lru_cache

import msgspec

from ..box.board import Ground, Hex
from ..box.dice import Die


class HexSeen(msgspec.Struct, frozen=True):
    """A hex in play; column and row are those of the board's text, from 0."""

    name: str
    x: int
    y: int
    kind: str  # normal, vip or stage
    stage: str | None  # its letter
    die: Die | None  # preprinted


class Festival(msgspec.Struct, frozen=True):
    id: str
    name: str
    album: str
    palette: list[str]  # surroundings, ground, stages; none where it is left to the artist
    rating: int  # where the markers start
    hexes: list[HexSeen]  # row by row


@lru_cache(maxsize=64)
def festival(ground: Ground) -> Festival:
    board = ground.board
    palette = [paint.code for paint in board.palette if paint.code]
    return Festival(board.id, board.name, board.album, palette, ground.rating, [_seen(spot) for spot in ground.hexes])


def _seen(spot: Hex) -> HexSeen:
    kind = "stage" if spot.is_stage else "vip" if spot.is_vip else "normal"
    die = Die(*spot.die) if spot.die else None
    return HexSeen(spot.name, spot.x, spot.y, kind, spot.symbol if spot.is_stage else None, die)
