"""The dance floor: dancers swap, leave, step forward and come in, with the tokens on them."""

from jamboree.core.twin.bits import Row, ctz, i64

from . import layout as at
from .setup import draw_dancer, enter


def bend(s: Row, t: Row, field: int) -> int:
    """Return the value of a rule that this round's Hype card may bend."""
    return t[at.BENDS + at.FIELDS * (s[at.CARD] + 1) + field]


def free_dancers(m: Row) -> int:
    """Return the set of dancers without a token."""
    return m[at.PRESENT] & ~m[at.TAKEN]


def swap(m: Row, s: Row, one: int, other: int) -> None:
    """Swap two dancers, or a dancer and a hole; tokens stay on their dancers."""
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
        seat = 0
        while seat < t[at.PLAYERS] - 1 and not m[at.FANS + seat] & bit:
            seat += 1
        m[at.FANS + seat] ^= bit
        s[at.TOKENS + seat] += 1
    return dancer


def place_token(m: Row, s: Row, owner: int, cell: int) -> None:
    s[at.TOKENS + owner] -= 1
    m[at.FANS + owner] |= 1 << cell
    m[at.TAKEN] |= 1 << cell


def fill(m: Row, s: Row, c: Row, t: Row) -> None:
    """Move all dancers towards the stage; new ones come in at the back, in the left column first."""
    for column in range(t[at.COLUMNS]):
        if t[at.COLUMN + column] & ~m[at.PRESENT]:
            fill_column(m, s, c, t, column)


def fill_column(m: Row, s: Row, c: Row, t: Row, column: int) -> None:
    """Close the holes in a column, so that gaps are at the back; then the place nearest the stage is filled first."""
    there, free = t[at.COLUMN + column], column
    while m[at.PRESENT] & there:
        if m[at.PRESENT] >> free & 1:
            there &= there - 1
            free += t[at.COLUMNS]
        else:
            step_forward(m, s, t, there, free)
    while there:
        dancer = draw_dancer(m, c)
        if dancer < 0:
            return
        enter(m, s, free, dancer)
        there &= there - 1
        free += t[at.COLUMNS]


def step_forward(m: Row, s: Row, t: Row, there: int, hole: int) -> None:
    """Move all dancers behind a hole one step towards the stage, with their tokens."""
    columns, behind = t[at.COLUMNS], there & (there - 1)
    for i in range(at.LIMIT):
        m[i] = m[i] & ~there | (m[i] & behind) >> columns
    cell = hole + columns
    while cell < t[at.CELLS]:
        s[at.FLOOR + cell - columns] = s[at.FLOOR + cell]
        cell += columns
    s[at.FLOOR + cell - columns] = at.NONE


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
    left, last = t[at.COLUMN], t[at.COLUMNS] - 1
    for i in range(at.LIMIT):
        m[i] = (m[i] & ~(left << last)) << 1 | m[i] >> last & left
    for cell in range(t[at.CELLS] - 1, 0, -1):
        if cell % t[at.COLUMNS]:
            s[at.FLOOR + cell - 1], s[at.FLOOR + cell] = s[at.FLOOR + cell], s[at.FLOOR + cell - 1]


def in_lines(t: Row, fans: int, row_line: int) -> int:
    """Return the set of fans that are part of a line: three or more next to each other in a row, column or diagonal."""
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
    """Return the four cells that touch a ball at a corner."""
    return (3 | 3 << t[at.COLUMNS]) << ball if ball >= 0 else 0


def move_ball(s: Row, t: Row) -> None:
    """Move the Beachball along the arrow of the dancer front-left of it; at a gap it stays."""
    dancer = i64(s[at.FLOOR + s[at.BALL]])
    if dancer >= 0:
        s[at.BALL] = t[at.HOPS + at.ARROWS * s[at.BALL] + dancer % at.ARROWS]
