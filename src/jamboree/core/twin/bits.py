"""Bit sets in integers ("words"). A word has at most 62 bits, so that it is never negative.

Under numba, a number read from an int16 array keeps that type, and each new type of an argument compiles the function
again: `i64` widens it first.
"""

from collections.abc import MutableSequence

Row = MutableSequence[int]
Reals = MutableSequence[float]

i64 = int


def popc(word: int) -> int:
    """Return the number of set bits."""
    return word.bit_count()


def ctz(word: int) -> int:
    """Return the index of the lowest set bit of a non-zero word."""
    return (word & -word).bit_length() - 1


def larger(a: int, b: int) -> int:
    """Return the maximum; the builtin `max` can't be compiled for CUDA."""
    return a if a > b else b


def nth_in_word(word: int, k: int) -> int:
    """Return the index of the k-th set bit, by binary search."""
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
    """Return whether `count` numbers of a row are all between two bounds."""
    beyond = 0
    for i in range(first, first + count):
        if row[i] < least or row[i] > most:
            beyond += 1
    return beyond == 0
