"""A counter-based random number generator (Weyl sequence with a mixing function), or a script of recorded picks.
Results are identical on all platforms.

The array `c` holds the key (start and odd increment), a counter, the position in the script, and the script itself. A
number depends on key and counter alone, so numbers can be drawn out of order.
"""

from .bits import Row

KEY, COUNTER, SCRIPT, CHANCE = 0, 2, 3, 4  # CHANCE: the length without a script
LOW = 0xFFFFFFFF
SPENT = -1  # in place of the script's position: a pick did not match the script


def mixed(x: int) -> int:
    """Mix a 32-bit number, so that every bit of the result depends on every bit of the input."""
    x = ((x ^ x >> 16) * 0x7FEB352D) & LOW
    x = ((x ^ x >> 15) * 0x846CA68B) & LOW
    return x ^ x >> 16


def seed(c: Row, number: int, row: int) -> None:
    """Seed the generator of a row; neighbouring seeds and rows give independent streams."""
    low, high = mixed(number & LOW), mixed((number >> 32 & LOW) ^ 0x5BD1E995)
    c[KEY] = mixed(low + row * 0x9E3779B9 & LOW)
    c[KEY + 1] = mixed((c[KEY] ^ high) + row & LOW) | 1
    c[COUNTER] = 0
    c[SCRIPT] = 0


def random_at(c: Row, counter: int) -> int:
    """Return the 32 random bits of a counter value."""
    return mixed(c[KEY] + counter * c[KEY + 1] & LOW)


def pick(c: Row, n: int) -> int:
    """Return a random index below n (at most 2**30), or the next one of a script of pairs (n, index)."""
    here = c[SCRIPT]
    if here != 0:
        if here < 0 or here + 1 >= len(c) or c[here] != n:
            c[SCRIPT] = SPENT
            return 0
        c[SCRIPT] = here + 2
        return c[here + 1]
    c[COUNTER] += 1
    return (random_at(c, c[COUNTER]) * n) >> 32
