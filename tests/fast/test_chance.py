"""The random number generator: uniform, independent between rows, and equal on all platforms."""

from collections import Counter
from itertools import pairwise

from jamboree.core.twin.chance import CHANCE, COUNTER, SCRIPT, SPENT, pick, random_at, seed


def row(number: int, at: int) -> list[int]:
    c = [0] * CHANCE
    seed(c, number, at)
    return c


def chi_square(counts: Counter[int], kinds: int) -> float:
    expected = counts.total() / kinds
    return sum((counts[kind] - expected) ** 2 / expected for kind in range(kinds))


def test_picks_are_uniform_within_and_across_rows() -> None:
    along, across = row(1, 1), [row(5, at) for at in range(30_000)]
    for counts in (Counter(pick(along, 10) for _ in range(30_000)), Counter(pick(c, 10) for c in across)):
        assert chi_square(counts, 10) < 40


def test_successive_picks_are_independent() -> None:
    c = row(3, 0)
    picks = [pick(c, 8) for _ in range(40_000)]
    neighbours = [pick(row(3, at), 8) for at in range(40_000)]
    for drawn in (picks, neighbours):
        assert chi_square(Counter(8 * a + b for a, b in pairwise(drawn)), 64) < 130


def test_streams_of_rows_do_not_overlap() -> None:
    streams = [tuple(random_at(row(number, at), k) for k in range(1, 4)) for number in range(20) for at in range(200)]
    assert len(set(streams)) == len(streams)


def test_a_draw_depends_on_key_and_counter_alone() -> None:
    c = row(9, 4)
    drawn = [pick(c, 1 << 30) for _ in range(5)]
    assert c[COUNTER] == 5
    assert drawn[3] == (random_at(row(9, 4), 4) << 30) >> 32


def test_the_generator_is_stable() -> None:
    """Seeds that people wrote down must keep giving the same games."""
    c = row(7, 0)
    assert [pick(c, 1000) for _ in range(6)] == [708, 931, 811, 973, 805, 301]


def test_a_script_is_followed_and_mismatches_are_detected() -> None:
    c = [0] * SCRIPT + [CHANCE, 6, 5, 3, 1]
    assert [pick(c, 6), pick(c, 3)] == [5, 1]
    assert c[SCRIPT] == len(c)
    assert pick(c, 3) == 0
    assert c[SCRIPT] == SPENT
    other = [0] * SCRIPT + [CHANCE, 6, 5]
    pick(other, 7)
    assert other[SCRIPT] == SPENT
