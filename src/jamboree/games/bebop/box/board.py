"""Boards: the parsed map of a festival, and the ground, which is the part in play for a number of players."""

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from jamboree.core.geometry import bits, hex_neighbours, mask_of

from .board_parser import BadBoard, BoardMistake, Hex, Paint, decode, read, read_header, read_hexes, sorted_mistakes
from .components import DATA
from .festivals import FESTIVALS

__all__ = ["BOARD_FILES", "BadBoard", "Board", "BoardMistake", "Ground", "Hex", "Paint", "Stage", "festivals", "load"]


@dataclass(frozen=True, eq=False)
class Board:
    """A parsed board, not yet checked by `board_check`. Boards are equal if their sources are."""

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
        """Parse a board file; raise BadBoard with every mistake that makes it unreadable."""
        return _parse(decode(text))

    def ground(self, players: int) -> "Ground":
        return ground(self, players)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.source == other.source

    def __hash__(self) -> int:
        return hash(self.source)


class Stage(NamedTuple):
    letter: str
    spaces: tuple[int, ...]
    mask: int
    ring: int  # normal hexes next to it: when all hold a die, it performs
    beside: int  # every hex next to it
    central: bool  # gets two of each feature


@dataclass(eq=False)
class Ground:
    """The hexes in play, numbered row by row; the others do not exist. Sets of hexes are bit masks.

    Everything is computed on construction, since the rules read it at every step and plain attributes are fastest.
    """

    board: Board
    players: int

    def __post_init__(self) -> None:
        self.source, self.rating = self.board.source, self.board.rating[self.players - 2]
        self.hexes = tuple(spot for spot in self.board.hexes if spot.region <= self.players)
        self.names = tuple(spot.name for spot in self.hexes)
        self.index = {name: at for at, name in enumerate(self.names)}
        self.at = tuple((spot.x, spot.y) for spot in self.hexes)  # on the text map: column and row, from 0
        self.near = hex_neighbours(self.at)
        self.printed_dice = tuple((at, *spot.die) for at, spot in enumerate(self.hexes) if spot.die)
        self.printed = mask_of(at for at, _, _ in self.printed_dice)
        self.vip = mask_of(at for at, spot in enumerate(self.hexes) if spot.is_vip)
        self.normal = mask_of(at for at, spot in enumerate(self.hexes) if spot.is_normal)  # those under a die included
        self.free_normal = self.normal & ~self.printed
        self.stages = self._stages()
        self.spaces = mask_of(space for stage in self.stages for space in stage.spaces)
        owner = {space: number for number, stage in enumerate(self.stages) for space in stage.spaces}
        self.stage_at = tuple(owner.get(at, -1) for at in range(len(self.hexes)))  # the stage it is a space of, or -1
        self.ring_of = tuple(self._rings(at) for at in range(len(self.hexes)))

    def _stages(self) -> tuple[Stage, ...]:
        letters: dict[str, list[int]] = {}
        for at, spot in enumerate(self.hexes):
            if spot.is_stage:
                letters.setdefault(spot.symbol, []).append(at)
        return tuple(self._stage(letter, tuple(letters[letter])) for letter in sorted(letters))

    def _stage(self, letter: str, spaces: tuple[int, ...]) -> Stage:
        mask = mask_of(spaces)
        beside = self.beside(mask)
        return Stage(letter, spaces, mask, beside & self.normal, beside, letter == self.board.centre)

    def _rings(self, at: int) -> tuple[int, ...]:
        """Return the numbers of the stages whose ring contains a hex."""
        return tuple(number for number, stage in enumerate(self.stages) if stage.ring >> at & 1)

    def beside(self, mask: int) -> int:
        """Return the mask of hexes adjacent to those of a mask, without these."""
        around = 0
        for at in bits(mask):
            around |= self.near[at]
        return around & ~mask


@lru_cache(maxsize=256)
def ground(board: Board, players: int) -> Ground:
    return Ground(board, players)


@lru_cache(maxsize=64)
def _parse(text: str) -> Board:
    draft = read(text)
    header, hexes = read_header(draft), read_hexes(draft)
    if draft.mistakes:
        raise BadBoard(sorted_mistakes(draft.mistakes))
    header_at = {key: (value.row, value.column) for key, value in draft.header.items()}
    return Board(*header, source=text, hexes=hexes, header_at=header_at)


BOARD_FILES = {festival: DATA / "boards" / f"{festival}.txt" for festival in sorted(FESTIVALS)}


def festivals() -> tuple[str, ...]:
    return tuple(FESTIVALS)


@cache
def load(festival: str) -> Board:
    if festival not in FESTIVALS:
        known = ", ".join(festivals())
        raise BadBoard([BoardMistake(0, 0, f"there is no festival called {festival!a}; there are {known}")])
    return Board.parse(BOARD_FILES[festival].read_bytes())
