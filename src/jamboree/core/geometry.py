"""Bitboards: a set of cells is an int bitmask, so that copying and comparing sets costs nothing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

Cell = int
Mask = int
Offset = tuple[int, int]

HEX_STEPS: tuple[Offset, ...] = ((2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))
SQUARE_STEPS: tuple[Offset, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))
LINE_STEPS: tuple[Offset, ...] = ((1, 0), (0, 1), (1, 1), (-1, 1))

_BITS_OF_BYTE = tuple(tuple(bit for bit in range(8) if byte >> bit & 1) for byte in range(256))


def bits(mask: Mask) -> Iterator[Cell]:
    """Yield the cells of a mask, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@lru_cache(maxsize=4096)
def cells(mask: Mask) -> tuple[Cell, ...]:
    """Return the cells of a mask that is asked for again and again, lowest first."""
    return tuple(bits(mask))


def nth_bit(mask: Mask, k: int) -> Cell:
    """Find the k-th cell of a mask, counted from 0; halving beats walking the bits from ten cells on."""
    if k < 0:
        raise IndexError("cells are counted from 0")
    base = 0
    while k >= (below := (mask & 0xFFFFFFFFFFFFFFFF).bit_count()):
        if not mask:
            raise IndexError("the set has fewer cells than that")
        k -= below
        mask >>= 64
        base += 64
    if k >= (below := (mask & 0xFFFFFFFF).bit_count()):
        k -= below
        mask >>= 32
        base += 32
    if k >= (below := (mask & 0xFFFF).bit_count()):
        k -= below
        mask >>= 16
        base += 16
    if k >= (below := (mask & 0xFF).bit_count()):
        k -= below
        mask >>= 8
        base += 8
    return base + _BITS_OF_BYTE[mask & 0xFF][k]


def mask_of(cells: Iterable[Cell]) -> Mask:
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def group(seed: Mask, within: Mask, near: Sequence[Mask]) -> Mask:
    """Collect the cells of `within` that hang together with those of the seed that lie in it."""
    reached = fringe = seed & within
    while fringe:
        low = fringe & -fringe
        found = near[low.bit_length() - 1] & within & ~reached
        reached |= found
        fringe ^= low | found
    return reached


def groups(mask: Mask, near: Sequence[Mask]) -> list[Mask]:
    """Split a mask into its connected groups, the one with the lowest cell first."""
    found = []
    while mask:
        one = group(mask & -mask, mask, near)
        found.append(one)
        mask ^= one
    return found


def connected(mask: Mask, near: Sequence[Mask]) -> bool:
    """Return whether the cells form one group; no cells form none."""
    return mask != 0 and group(mask & -mask, mask, near) == mask


def hex_neighbours(cells: Sequence[tuple[int, int]]) -> tuple[Mask, ...]:
    """Map each hex of a staggered text map, listed as (column, row), to the mask of its neighbours."""
    return _neighbours(cells, HEX_STEPS)


def _neighbours(cells: Sequence[tuple[int, int]], steps: Sequence[Offset]) -> tuple[Mask, ...]:
    index = {place: cell for cell, place in enumerate(cells)}
    return tuple(mask_of(index[to] for dx, dy in steps if (to := (x + dx, y + dy)) in index) for x, y in cells)


@dataclass(frozen=True)
class Grid:
    """A rectangle of square cells, numbered row by row."""

    columns: int
    rows: int

    @property
    def size(self) -> int:
        return self.columns * self.rows

    def cell(self, column: int, row: int) -> Cell:
        if not self.holds(column, row):
            raise IndexError(f"no cell at column {column}, row {row} of a {self.columns} by {self.rows} grid")
        return row * self.columns + column

    def column(self, cell: Cell) -> int:
        return cell % self.columns

    def row(self, cell: Cell) -> int:
        return cell // self.columns

    def holds(self, column: int, row: int) -> bool:
        return 0 <= column < self.columns and 0 <= row < self.rows

    @cached_property
    def near(self) -> tuple[Mask, ...]:
        return _neighbours([(self.column(cell), self.row(cell)) for cell in range(self.size)], SQUARE_STEPS)

    @cached_property
    def lines(self) -> tuple[tuple[Cell, ...], ...]:
        """List every row, column and diagonal of two cells or more, from edge to edge."""
        lines = (self._line(cell, step) for step in LINE_STEPS for cell in range(self.size) if self._starts(cell, step))
        return tuple(line for line in lines if len(line) > 1)

    def _starts(self, cell: Cell, step: Offset) -> bool:
        return not self.holds(self.column(cell) - step[0], self.row(cell) - step[1])

    def _line(self, cell: Cell, step: Offset) -> tuple[Cell, ...]:
        column = self.column(cell)
        row = self.row(cell)
        line = []
        while self.holds(column, row):
            line.append(self.cell(column, row))
            column, row = column + step[0], row + step[1]
        return tuple(line)
