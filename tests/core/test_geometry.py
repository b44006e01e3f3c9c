"""Sets of cells, hexes and grids."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.core.geometry import Grid, bits, connected, group, groups, hex_neighbours, mask_of, nth_bit

masks = st.integers(min_value=0, max_value=2**140 - 1)
grids = st.builds(Grid, st.integers(1, 6), st.integers(1, 6))


@st.composite
def grids_with_masks(draw: st.DrawFn) -> tuple[Grid, int]:
    grid = draw(grids)
    return grid, draw(st.integers(0, (1 << grid.size) - 1))


def drawn(picture: str) -> tuple[list[tuple[int, int]], list[str]]:
    """Read a staggered picture of hexes: places and symbols."""
    places = [(x, y) for y, line in enumerate(picture.split("\n")) for x, sign in enumerate(line) if sign != " "]
    return places, picture.split()


def marked(symbols: Sequence[str], wanted: str) -> int:
    return mask_of(cell for cell, symbol in enumerate(symbols) if symbol in wanted)


@given(masks)
def test_bits_and_mask_of_are_inverse(mask: int) -> None:
    cells = list(bits(mask))
    assert cells == sorted(set(cells))
    assert mask_of(cells) == mask


@given(masks)
def test_nth_bit_equals_the_nth_of_bits(mask: int) -> None:
    assert [nth_bit(mask, k) for k in range(mask.bit_count())] == list(bits(mask))


@given(masks, st.integers(0, 200))
def test_nth_bit_refuses_an_index_out_of_range(mask: int, beyond: int) -> None:
    for k in (mask.bit_count() + beyond, -1 - beyond):
        with pytest.raises(IndexError):
            nth_bit(mask, k)


@given(grids_with_masks())
def test_groups_are_the_connected_components_of_a_mask(drawing: tuple[Grid, int]) -> None:
    grid, mask = drawing
    parts = groups(mask, grid.near)
    assert sum(parts) == mask
    for part in parts:
        assert connected(part, grid.near)
        assert not any(grid.near[cell] & mask & ~part for cell in bits(part))
    assert connected(mask, grid.near) == (len(parts) == 1)


@given(grids_with_masks(), st.data())
def test_a_group_is_the_component_of_its_start(drawing: tuple[Grid, int], data: st.DataObject) -> None:
    grid, mask = drawing
    seed = data.draw(st.integers(0, (1 << grid.size) - 1))
    assert group(seed, mask, grid.near) == sum(part for part in groups(mask, grid.near) if part & seed)


@given(st.sets(st.tuples(st.integers(0, 20), st.integers(0, 12)).filter(lambda place: sum(place) % 2 == 0)))
def test_hex_neighbours_are_symmetric_and_one_step_away(places: set[tuple[int, int]]) -> None:
    cells = sorted(places)
    near = hex_neighbours(cells)
    for one, (x, y) in enumerate(cells):
        for other, (u, v) in enumerate(cells):
            across, down = abs(x - u), abs(y - v)
            assert bool(near[one] >> other & 1) == ((across, down) in {(2, 0), (1, 1)})


@given(grids)
def test_a_grid_numbers_its_cells_row_by_row(grid: Grid) -> None:
    places = [(column, row) for row in range(grid.rows) for column in range(grid.columns)]
    assert [grid.cell(*place) for place in places] == list(range(grid.size))
    assert [(grid.column(cell), grid.row(cell)) for cell in range(grid.size)] == places


@given(grids)
def test_grid_lines_are_straight_maximal_and_all_different(grid: Grid) -> None:
    assert len({frozenset(line) for line in grid.lines}) == len(grid.lines)
    for line in grid.lines:
        steps = {(grid.column(b) - grid.column(a), grid.row(b) - grid.row(a)) for a, b in pairwise(line)}
        ((dx, dy),) = steps
        assert (dx, dy) in {(1, 0), (0, 1), (1, 1), (-1, 1)}
        assert not grid.holds(grid.column(line[0]) - dx, grid.row(line[0]) - dy)
        assert not grid.holds(grid.column(line[-1]) + dx, grid.row(line[-1]) + dy)


@given(grids)
def test_two_grid_cells_side_by_side_or_diagonal_share_exactly_one_line(grid: Grid) -> None:
    for a in range(grid.size):
        for b in range(a + 1, grid.size):
            touch = max(abs(grid.column(a) - grid.column(b)), abs(grid.row(a) - grid.row(b))) == 1
            shared = sum(a in line and b in line for line in grid.lines)
            assert shared == 1 if touch else shared <= 1


def test_an_empty_mask_is_not_connected() -> None:
    assert not connected(0, [])
    assert groups(0, []) == []


def test_the_six_neighbours_of_a_hex() -> None:
    picture = "\n".join((" . x x .", ". x o x .", " . x x ."))
    places, symbols = drawn(picture)
    assert hex_neighbours(places)[symbols.index("o")] == marked(symbols, "x")


def test_a_gap_disconnects_a_row() -> None:
    places, symbols = drawn("a a   b b b\n a     b b")
    near = hex_neighbours(places)
    everything = marked(symbols, "ab")
    assert groups(everything, near) == [marked(symbols, "a"), marked(symbols, "b")]


def test_the_near_cells_of_a_grid() -> None:
    grid = Grid(3, 2)
    assert list(bits(grid.near[grid.cell(1, 0)])) == [grid.cell(0, 0), grid.cell(2, 0), grid.cell(1, 1)]


def test_the_lines_of_a_small_grid() -> None:
    rows, columns = {(0, 1, 2), (3, 4, 5)}, {(0, 3), (1, 4), (2, 5)}
    falling, rising = {(0, 4), (1, 5)}, {(1, 3), (2, 4)}
    assert set(Grid(3, 2).lines) == {*rows, *columns, *falling, *rising}
    assert Grid(1, 1).lines == ()


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (3, 0), (0, 2), (0, -1)])
def test_a_position_off_the_grid_has_no_cell(column: int, row: int) -> None:
    with pytest.raises(IndexError, match=f"column {column}, row {row}"):
        Grid(3, 2).cell(column, row)
