"""Chance in numbers: a counter-based generator, or a script of picks. The same everywhere, bit for bit.

`c` is a row of its own: a key (where it starts, and the odd number by which it goes on), a counter, the place in the
script, then the script itself. A draw mixes key and counter and keeps nothing else, so that one can draw the hundredth
number without the ninety-nine before it.
"""

from .bits import Row

KEY, COUNTER, SCRIPT, CHANCE = 0, 2, 3, 4  # CHANCE: the length without a script
LOW = 0xFFFFFFFF
SPENT = -1  # in place of the script's position: a pick did not fit


def mixed(x: int) -> int:
    """Let every bit of a 32-bit number depend on every other one."""
    x = ((x ^ x >> 16) * 0x7FEB352D) & LOW
    x = ((x ^ x >> 15) * 0x846CA68B) & LOW
    return x ^ x >> 16


def seed(c: Row, number: int, row: int) -> None:
    """Start the generator of a row; neighbouring numbers and rows give unrelated streams."""
    low, high = mixed(number & LOW), mixed((number >> 32 & LOW) ^ 0x5BD1E995)
    c[KEY] = mixed(low + row * 0x9E3779B9 & LOW)
    c[KEY + 1] = mixed((c[KEY] ^ high) + row & LOW) | 1
    c[COUNTER] = 0
    c[SCRIPT] = 0


def random_at(c: Row, counter: int) -> int:
    """Give the 32 random bits that belong to a counter."""
    return mixed(c[KEY] + counter * c[KEY + 1] & LOW)


def pick(c: Row, n: int) -> int:
    """Give an index below n (at most 2**30), or the next of a script of pairs n, index."""
    here = c[SCRIPT]
    if here != 0:
        if here < 0 or here + 1 >= len(c) or c[here] != n:
            c[SCRIPT] = SPENT
            return 0
        c[SCRIPT] = here + 2
        return c[here + 1]
    c[COUNTER] += 1
    return (random_at(c, c[COUNTER]) * n) >> 32
