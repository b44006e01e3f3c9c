"""Sets of hexes as bit sets of two words, low and high."""

from jamboree.core.twin.bits import Row, ctz, nth_in_word, popc

from . import layout as at


def nth_hex(low: int, high: int, k: int) -> int:
    first, below = 0, popc(low)
    if k >= below:
        first, low, k = at.WORD, high, k - below
    return first + nth_in_word(low, k)


def has(m: Row, where: int, place: int) -> bool:
    high = 1 if place >= at.WORD else 0
    return m[where + high] >> (place - at.WORD * high) & 1 != 0


def only_hex(place: int) -> tuple[int, int]:
    return (1 << place, 0) if place < at.WORD else (0, 1 << (place - at.WORD))


def flood(t: Row, low: int, high: int, in_low: int, in_high: int) -> tuple[int, int]:
    """Flood fill: return all hexes of the set `in_low`, `in_high` that are connected to the given ones."""
    todo_low, todo_high = low, high
    while todo_low | todo_high:
        if todo_low:
            near = at.NEAR + 2 * ctz(todo_low)
            todo_low &= todo_low - 1
        else:
            near = at.NEAR + 2 * (at.WORD + ctz(todo_high))
            todo_high &= todo_high - 1
        new_low, new_high = t[near] & in_low & ~low, t[near + 1] & in_high & ~high
        low |= new_low
        high |= new_high
        todo_low |= new_low
        todo_high |= new_high
    return low, high


def listening(m: Row, t: Row, stage: int) -> tuple[int, int]:
    """Return the set of dice next to the stage, or in a family with a die next to it."""
    low, high = 0, 0
    beside_low, beside_high = t[at.BESIDE + 2 * stage], t[at.BESIDE + 2 * stage + 1]
    for colour in range(at.COLOURS):
        in_low, in_high = m[at.COLOUR + 2 * colour], m[at.COLOUR + 2 * colour + 1]
        from_low, from_high = in_low & beside_low, in_high & beside_high
        if from_low | from_high:
            more_low, more_high = flood(t, from_low, from_high, in_low, in_high)
            low |= more_low
            high |= more_high
    return low, high


def count_of(m: Row, seat: int, low: int, high: int) -> int:
    """Return the number of a player's dice in a set."""
    return popc(low & m[at.OWNED + 2 * seat]) + popc(high & m[at.OWNED + 2 * seat + 1])
