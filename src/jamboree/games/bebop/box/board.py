"""A festival's board: the whole map as drawn in data/boards, with what its header says."""

from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from .board_header import Paint, read_header
from .board_hexes import Hex, read_hexes
from .board_text import BadBoard, Mistake, decoded, in_order, read
from .components import DATA, PLAYER_COUNTS
from .festivals import FESTIVALS
from .ground import Ground, Stage

__all__ = ["BadBoard", "Board", "Ground", "Hex", "Mistake", "Paint", "Stage", "festivals", "load"]


@dataclass(frozen=True, eq=False)
class Board:
    """A board that could be read; `board_check` tells whether it is good. Equal sources, equal boards."""

    id: str
    name: str
    tagline: str
    album: str
    rating: tuple[int, int, int]
    normals: tuple[int, int, int]
    palette: tuple[Paint, ...]
    centre: str | None
    source: str = field(repr=False)
    hexes: tuple[Hex, ...] = field(repr=False)
    header_at: dict[str, tuple[int, int]] = field(repr=False)  # row and column of each header value

    @staticmethod
    def parse(text: str | bytes) -> "Board":
        """Read a board file's contents; BadBoard lists every mistake that makes it unreadable."""
        return _parse(decoded(text))

    def ground(self, players: int) -> Ground:
        return self._grounds[players]

    @cached_property
    def _grounds(self) -> dict[int, Ground]:
        return {players: Ground(self, players) for players in PLAYER_COUNTS}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.source == other.source

    def __hash__(self) -> int:
        return hash(self.source)


@lru_cache(maxsize=64)
def _parse(text: str) -> Board:
    draft = read(text)
    header, hexes = read_header(draft), read_hexes(draft)
    if draft.mistakes:
        raise BadBoard(in_order(draft.mistakes))
    header_at = {key: (value.row, value.column) for key, value in draft.header.items()}
    return Board(*header, source=text, hexes=hexes, header_at=header_at)


def festivals() -> tuple[str, ...]:
    return tuple(FESTIVALS)


@cache
def load(festival: str) -> Board:
    if festival not in FESTIVALS:
        known = ", ".join(festivals())
        raise BadBoard([Mistake(0, 0, f"there is no festival called {festival!a}; there are {known}")])
    return Board.parse((DATA / "boards" / f"{festival}.txt").read_bytes())
