"""The dance floor as a place: its cells, what lies next to what, its lines, areas and corners.

Cells are numbered row by row from the stage, left to right, and called a1, b1 … a2 … with the stage on top.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby

from jamboree.core.geometry import Grid, Mask, mask_of

from .cards import Area
from .components import BACKWARD, BOX, FORWARD, HOP, LEFT, LEFT_RIGHT, RIGHT, UP_DOWN

LETTERS = "abcdefgh"
STEPS = {FORWARD: (0, -1), BACKWARD: (0, 1), LEFT: (-1, 0), RIGHT: (1, 0)}
REACH = {LEFT_RIGHT: ((1, 0),), UP_DOWN: ((0, 1),), HOP: ((2, 0), (0, 2))}
"""How far apart the two dancers are that a movement swaps, in columns and rows."""


class Room:
    """A floor of some size; made once, shared by every position on it."""

    def __init__(self, columns: int, rows: int) -> None:
        self.grid = grid = Grid(columns, rows)
        self.source = f"{columns}x{rows}"
        self.names = tuple(f"{LETTERS[grid.column(cell)]}{grid.row(cell) + 1}" for cell in range(grid.size))
        self.index = {name: cell for cell, name in enumerate(self.names)}
        self.all: Mask = (1 << grid.size) - 1
        self.columns = tuple(tuple(grid.cell(column, row) for row in range(rows)) for column in range(columns))
        self.column_masks = tuple(mask_of(column) for column in self.columns)
        self.windows = tuple(run for line in grid.lines for run in _runs(line, BOX.line))
        self.ball_start = 0

    @cached_property
    def swaps(self) -> dict[int, tuple[tuple[int, Mask], ...]]:
        """Give for each movement its distances: how many cells further the other dancer is, and from where."""
        return {kind: tuple(self._distance(*reach) for reach in reaches) for kind, reaches in REACH.items()}

    def _distance(self, columns: int, rows: int) -> tuple[int, Mask]:
        grid = self.grid
        starts = mask_of(c for c in range(grid.size) if grid.holds(grid.column(c) + columns, grid.row(c) + rows))
        return columns + rows * grid.columns, starts

    @cached_property
    def areas(self) -> dict[Area, Mask]:
        """Mark the areas that Hype cards speak of; they are places on the floor, gaps or not."""
        grid, first, last = self.grid, self.columns[0], self.columns[-1]
        front, back = mask_of(column[0] for column in self.columns), mask_of(column[-1] for column in self.columns)
        corners = mask_of((first[0], first[-1], last[0], last[-1]))
        edge = front | back | mask_of(first) | mask_of(last)
        return {
            "front-row": front,
            "back-row": back,
            "corners": corners,
            "centre": (1 << grid.size) - 1 & ~edge,
            "left-wall": mask_of(first),
            "right-wall": mask_of(last),
        }

    @lru_cache  # noqa: B019  there are but a few rooms, and they are kept anyway
    def row_windows(self, length: int) -> tuple[Mask, ...]:
        """Mark every run of so many cells side by side in a row."""
        rows = (range(start, start + self.grid.columns) for start in self.columns[0])
        return tuple(run for row in rows for run in _runs(row, length))

    def in_lines(self, fans: Mask, row_line: int) -> Mask:
        """Mark the fans that are part of a line: three or more next to each other in a row, column or diagonal."""
        cells_in_lines = 0
        if row_line < BOX.line:
            for window in self.row_windows(row_line):
                if fans & window == window:
                    cells_in_lines |= window
        if fans.bit_count() < BOX.line:
            return cells_in_lines
        for window in self.windows:
            if fans & window == window:
                cells_in_lines |= window
        return cells_in_lines

    def runs(self, fans: Mask, row_line: int) -> list[tuple[int, ...]]:
        """List the lines that fans make, each from end to end."""
        least = ((line, row_line if line[1] == line[0] + 1 else BOX.line) for line in self.grid.lines)
        return [run for line, fewest in least for run in _unbroken(line, fans, fewest)]

    @cached_property
    def around(self) -> dict[int, Mask]:
        """Give for each corner, named by the cell front-left of it, the four cells that touch a ball there."""
        columns, last = self.grid.columns, self.columns[-1][-1]
        corners = (cell for cell in range(last - columns) if self.grid.column(cell) < columns - 1)
        return {cell: mask_of((cell, cell + 1, cell + columns, cell + columns + 1)) for cell in corners}

    @cached_property
    def hops(self) -> dict[int, tuple[int, ...]]:
        """Give for each corner the next one along each arrow."""
        return {corner: tuple(self._hop(corner, arrow) for arrow in STEPS) for corner in self.around}

    def _hop(self, corner: int, arrow: int) -> int:
        """Find the next corner along an arrow, looping to the other side of the floor."""
        grid, (right, back) = self.grid, STEPS[arrow]
        column = (grid.column(corner) + right) % (grid.columns - 1)
        row = (grid.row(corner) + back) % (grid.rows - 1)
        return grid.cell(column, row)


def _runs(line: Sequence[int], length: int) -> Iterator[Mask]:
    """Mark every run of so many cells of a line."""
    return (mask_of(line[at : at + length]) for at in range(len(line) - length + 1))


def _unbroken(line: Sequence[int], fans: Mask, least: int) -> Iterator[tuple[int, ...]]:
    """Find in a line of cells where so many fans or more stand next to each other."""
    for is_fan, cells in groupby(line, lambda cell: fans >> cell & 1):
        run = tuple(cells)
        if is_fan and len(run) >= least:
            yield run


@lru_cache
def room(columns: int, rows: int) -> Room:
    return Room(columns, rows)
