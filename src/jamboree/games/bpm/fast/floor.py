"""The dance floor: dancers that swap, leave, step forward and come in, with their tokens on them."""

from jamboree.core.kernel.bits import Row, ctz, i64

from . import layout as at
from .supplies import add_dancer, draw_dancer, enter


def bend(s: Row, t: Row, field: int) -> int:
    """Ask what this round's Hype card bends."""
    return t[at.BENDS + at.FIELDS * (s[at.CARD] + 1) + field]


def free_dancers(m: Row) -> int:
    """Mark the dancers without a token."""
    return m[at.PRESENT] & ~m[at.TAKEN]


def swap(m: Row, s: Row, one: int, other: int) -> None:
    """Let two dancers, or a dancer and a hole, change places; they keep any tokens they have on them."""
    s[at.FLOOR + one], s[at.FLOOR + other] = s[at.FLOOR + other], s[at.FLOOR + one]
    both = 1 << one | 1 << other
    for i in range(at.LIMIT):
        m[i] ^= -((m[i] >> one ^ m[i] >> other) & 1) & both


def leave(m: Row, s: Row, t: Row, cell: int) -> int:
    """Take a dancer off the floor; its token, if any, comes home to its owner."""
    bit, dancer = 1 << cell, i64(s[at.FLOOR + cell])
    s[at.FLOOR + cell] = at.NONE
    m[at.PRESENT] ^= bit
    m[at.COLOUR + dancer // at.ARROWS] ^= bit
    if m[at.TAKEN] & bit:
        m[at.TAKEN] ^= bit
        for seat in range(t[at.PLAYERS]):
            if m[at.FANS + seat] & bit:
                m[at.FANS + seat] ^= bit
                s[at.TOKENS + seat] += 1
    return dancer


def place_token(m: Row, s: Row, owner: int, cell: int) -> None:
    s[at.TOKENS + owner] -= 1
    m[at.FANS + owner] |= 1 << cell
    m[at.TAKEN] |= 1 << cell


def to_superfan(m: Row, s: Row, t: Row, seat: int, cell: int) -> None:
    add_dancer(m, at.SUPERFANS + 2 * seat, leave(m, s, t, cell))


def discard(m: Row, s: Row, t: Row, cell: int) -> None:
    """Remove a dancer to the discard pile."""
    add_dancer(m, at.GONE, leave(m, s, t, cell))


def fill(m: Row, s: Row, c: Row, t: Row) -> None:
    """Move all dancers towards the stage; new ones come in at the back, in the left column first."""
    for column in range(t[at.COLUMNS]):
        if t[at.COLUMN + column] & ~m[at.PRESENT]:
            fill_column(m, s, c, t, column)


def fill_column(m: Row, s: Row, c: Row, t: Row, column: int) -> None:
    """Close the holes in a column, so that gaps are at the back; then the place nearest the stage is filled first."""
    columns, free = t[at.COLUMNS], column
    for row in range(t[at.ROWS]):
        cell = column + row * columns
        if m[at.PRESENT] >> cell & 1:
            if cell != free:
                swap(m, s, cell, free)
            free += columns
    while free < t[at.CELLS]:
        dancer = draw_dancer(m, c)
        if dancer < 0:
            return
        enter(m, s, free, dancer)
        free += columns


def crowd_surf(m: Row, s: Row, t: Row) -> None:
    """The front row goes to the back and everyone steps forward; with gaps, to the end of its own column."""
    for column in range(t[at.COLUMNS]):
        dancers = m[at.PRESENT] & t[at.COLUMN + column]
        while dancers & (dancers - 1):
            cell = ctz(dancers)
            dancers &= dancers - 1
            swap(m, s, cell, ctz(dancers))


def mosh_pit(m: Row, s: Row, t: Row) -> None:
    """Every row shifts one to the right, wrapping."""
    for cell in range(t[at.CELLS] - 1, 0, -1):
        if cell % t[at.COLUMNS]:
            swap(m, s, cell - 1, cell)


def in_lines(t: Row, fans: int, row_line: int) -> int:
    """Mark the fans that are part of a line: three or more next to each other in a row, column or diagonal."""
    found = 0
    if row_line < at.LINE:  # two side by side in a row will do
        pairs = fans & fans >> 1 & t[at.PAIR_FROM]
        found = pairs | pairs << 1
    for line in range(4):
        step = t[at.LINE_STEP + line]
        run = fans & fans >> step & fans >> 2 * step & t[at.LINE_FROM + line]
        found |= run | run << step | run << 2 * step
    return found


def lines_of(m: Row, s: Row, t: Row, seat: int) -> int:
    return in_lines(t, m[at.FANS + seat], bend(s, t, at.ROW_LINE))


def around(t: Row, ball: int) -> int:
    """Mark the four cells that touch a ball at a corner."""
    return (3 | 3 << t[at.COLUMNS]) << ball if ball >= 0 else 0


def move_ball(s: Row, t: Row) -> None:
    """Move the Beachball along the arrow of the dancer front-left of it; at a gap it stays."""
    dancer = i64(s[at.FLOOR + s[at.BALL]])
    if dancer >= 0:
        s[at.BALL] = t[at.HOPS + at.ARROWS * s[at.BALL] + dancer % at.ARROWS]
