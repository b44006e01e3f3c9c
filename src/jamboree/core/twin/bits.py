"""Bits of words. A word holds at most 62 bits, so that it is never negative. Most of these compile to one instruction.

Under numba a number read from a row of 16-bit numbers keeps that type, and each new type of an argument compiles a
function once more: `i64` widens it first.
"""

from collections.abc import MutableSequence

Row = MutableSequence[int]
Reals = MutableSequence[float]

i64 = int


def popc(word: int) -> int:
    """Count the bits."""
    return word.bit_count()


def ctz(word: int) -> int:
    """Find the lowest bit of a word that has one."""
    return (word & -word).bit_length() - 1


def larger(a: int, b: int) -> int:
    """Builtin max, which the CUDA target can't compile."""
    return a if a > b else b


def nth_in_word(word: int, k: int) -> int:
    """Find the k-th bit, by halving."""
    base, width = 0, 32
    while width:
        below = popc(word & ((1 << width) - 1))
        if k >= below:
            k -= below
            word >>= width
            base += width
        width >>= 1
    return base


def within(row: Row, first: int, count: int, least: int, most: int) -> bool:
    """Tell whether so many numbers of a row are all between two bounds."""
    beyond = 0
    for i in range(first, first + count):
        if row[i] < least or row[i] > most:
            beyond += 1
    return beyond == 0
