"""Static evaluation for the greedy player of BPM: completed lines, begun lines, and areas of the floor.

Scratch holds the fans of each player in the evaluated position, and the value of a token on each cell.
"""

from jamboree.core.twin.bits import Reals, Row, ctz, i64, popc

from . import layout as at
from .floor import around, bend, free_dancers
from .legal import finish_id
from .songs import swaps

WORST = -1e9
KNOWN, UNCHANGED = at.SEATS, at.SEATS + at.MOST_CELLS  # in scratch: by cell; what the floor is worth as it is


def conditions_of(s: Row, t: Row, card: int) -> int:
    """Pack the parts of a position that a card and the ball determine: bonus area, ball, whether pairs are lines,
    whether one fan stays."""
    bends = at.BENDS + at.FIELDS * (card + 1)
    pairs = 1 if t[bends + at.ROW_LINE] < at.LINE else 0
    cells = t[bends + at.BONUS_AREA] | around(t, i64(s[at.BALL])) << at.MOST_CELLS
    to_come = t[at.ROUNDS] - s[at.ROUND]
    to_come = 0 if to_come < 0 else 3 if to_come > 3 else to_come
    return cells | (pairs | t[bends + at.ONE_STAYS] << 1 | to_come << 2) << 2 * at.MOST_CELLS


def weight(t: Row, seat: int, which: int) -> int:
    """Return a player's weight of a feature, in hundredths."""
    return t[at.WEIGHTS + at.WEIGHED * seat + which]


def potential(t: Row, conditions: int, fans: int, empty: int, seat: int) -> int:
    """Return the value of a player's fans from one seat's view, in hundredths of a point, given the free dancers."""
    if fans == 0:
        return 0
    lines, found, weights = 0, 0, at.WEIGHTS + at.WEIGHED * seat
    single, shut, opened = t[weights + at.SINGLE], t[weights + at.PAIR_SHUT], t[weights + at.PAIR_OPEN]
    to_come = conditions >> 2 * at.MOST_CELLS + 2
    if to_come < 3:
        fade = t[weights + at.LAST_ROUNDS + to_come]
        single, shut, opened = single * fade // 100, shut * fade // 100, opened * fade // 100
    if conditions >> 2 * at.MOST_CELLS & 1:
        pairs = fans & fans >> 1 & t[at.PAIR_FROM]
        lines = pairs | pairs << 1
    for line in range(4):
        step, start = t[at.LINE_STEP + line], t[at.LINE_FROM + line]
        second, third = fans >> step, fans >> 2 * step
        two = (fans & second | fans & third | second & third) & start
        one = (fans | second | third) & start
        if two:
            three = two & fans & second & third
            two ^= three
            one &= ~two & ~three
            lines |= three | three << step | three << 2 * step
            free = ~fans & empty | ~second & empty >> step | ~third & empty >> 2 * step
            found += shut * popc(two) + (opened - shut) * popc(two & free)
        found += single * popc(one)
    if lines:
        found += t[weights + at.SUPERFAN] * (popc(lines) - (conditions >> 2 * at.MOST_CELLS + 1 & 1))
    if fans & conditions & ((1 << at.MOST_CELLS) - 1):
        found += t[weights + at.BONUS_SIGHT]
    at_ball = fans & conditions >> at.MOST_CELLS & ((1 << at.MOST_CELLS) - 1)
    return found + t[weights + at.BALL_SIGHT] * popc(at_ball) if at_ball else found


def lay_fans(m: Row, t: Row, scratch: Reals) -> None:
    for player in range(t[at.PLAYERS]):
        scratch[player] = m[at.FANS + player]


def begin_evaluation(m: Row, t: Row, conditions: int, seat: int, selfish: bool, scratch: Reals) -> None:
    """Evaluate the floor as it is, and clear the values of tokens."""
    lay_fans(m, t, scratch)
    for cell in range(t[at.CELLS]):
        scratch[KNOWN + cell] = WORST
    scratch[UNCHANGED] = worth(t, conditions, seat, seat, 0, free_dancers(m), selfish, scratch)


def worth(
    t: Row, conditions: int, seat: int, owner: int, token: int, empty: int, selfish: bool, scratch: Reals
) -> float:
    """Return the value of the floor with one more token: the player's own, less a share of the others'."""
    own, others, players = 0, 0, t[at.PLAYERS]
    for player in range(players):
        if player == seat or not selfish:
            fans = i64(scratch[player]) | (token if player == owner else 0)
            found = potential(t, conditions, fans, empty, seat)
            own, others = (found, others) if player == seat else (own, others + found)
    rivalry = weight(t, seat, at.RIVALRY) / 100
    return own / 100 if selfish else (own - rivalry * others / (players - 1)) / 100


def asked_for(s: Row, t: Row, seat: int, cells: int) -> int:
    """Return the number of dancers on some cells that the player's quest asks for."""
    quest, count = at.MATCHING + 2 * s[at.QUEST + seat], 0
    while cells:
        dancer = i64(s[at.FLOOR + ctz(cells)])
        cells &= cells - 1
        count += t[quest + dancer // at.WORD_KINDS] >> at.KIND_BITS * (dancer % at.WORD_KINDS) & 1
    return count


def without(m: Row, t: Row, conditions: int, seat: int, cells: int, scratch: Reals) -> float:
    """Return the value of the floor after some of the player's fans have left."""
    lay_fans(m, t, scratch)
    scratch[seat] = m[at.FANS + seat] & ~cells
    return worth(t, conditions, seat, seat, 0, free_dancers(m), False, scratch)


def best_placement(
    s: Row, t: Row, conditions: int, seat: int, empty: int, cells: int, changed: bool, selfish: bool, scratch: Reals
) -> tuple[float, int]:
    """Return the best cell for a token, and its value; of equals the last. On an unchanged floor values are cached."""
    best, place = WORST, at.NONE
    if s[at.TOKENS + seat] == 0:
        return best, place
    while cells:
        cell = ctz(cells)
        cells &= cells - 1
        found = WORST if changed else scratch[KNOWN + cell]
        if found == WORST:
            found = worth(t, conditions, seat, seat, 1 << cell, empty & ~(1 << cell), selfish, scratch)
            found += weight(t, seat, at.QUEST_TIE) / 100 * asked_for(s, t, seat, 1 << cell)
            if not changed:
                scratch[KNOWN + cell] = found
        if found >= best:
            best, place = found, cell
    return best, place


def best_play(
    m: Row, s: Row, t: Row, conditions: int, seat: int, song: int, selfish: bool, scratch: Reals
) -> tuple[float, int]:
    """Return the best play of a song from here; before its turn only the player's own fans are evaluated."""
    empty, kind = free_dancers(m), song >> 2 & 3
    colour = m[at.PRESENT] if bend(s, t, at.ANY_COLOUR) else m[at.COLOUR + (song & 3)]
    best, action = scratch[UNCHANGED], finish_id(t)
    limit = m[at.LIMIT] if m[at.LIMIT] else t[at.ALL]
    placed, cell = best_placement(s, t, conditions, seat, empty, limit & empty & colour, False, selfish, scratch)
    if cell >= 0 and placed > best:
        best, action = placed, t[at.SEND_IDS] + at.PLACE_BLOCK * t[at.CELLS] + cell
    if s[at.MOVES] == 0 and m[at.LIMIT]:  # before a turn everything is still possible
        return best, action
    if kind == at.BREAK:
        allowed = bend(s, t, at.BREAKS) > 0
        return (
            best_break(m, s, t, conditions, seat, colour, selfish, scratch, best, action) if allowed else (best, action)
        )
    if bend(s, t, at.SWAPS) > 0:
        for far in range(2):
            which = at.SWAP + 6 * kind + 3 * far
            best, action = best_swap(m, s, t, conditions, seat, colour, which, selfish, scratch, best, action)
    return best, action


def swapped(cells: int, one: int, other: int) -> int:
    return cells ^ (-((cells >> one ^ cells >> other) & 1) & (1 << one | 1 << other))


def best_swap(
    m: Row,
    s: Row,
    t: Row,
    conditions: int,
    seat: int,
    colour: int,
    which: int,
    selfish: bool,
    scratch: Reals,
    best: float,
    action: int,
) -> tuple[float, int]:
    """Improve a play by swaps; swapping two dancers without tokens only changes where tokens can go."""
    starts, from_all = swaps(m, t, which), t[which + 1]
    while starts:
        one, other = ctz(starts), ctz(starts) + t[which]
        starts &= starts - 1
        changed = m[at.TAKEN] & (1 << one | 1 << other) != 0
        empty, found = free_dancers(m), scratch[UNCHANGED]
        if changed:
            empty = swapped(empty, one, other)
            for player in range(t[at.PLAYERS]):
                scratch[player] = swapped(m[at.FANS + player], one, other)
            found = worth(t, conditions, seat, seat, 0, empty, selfish, scratch)
        cells = empty & swapped(colour, one, other)
        if bend(s, t, at.ONLY_MOVED):
            cells &= 1 << one | 1 << other
        placed, _ = best_placement(s, t, conditions, seat, empty, cells, changed, selfish, scratch)
        if changed:
            lay_fans(m, t, scratch)
        found = placed if placed > found else found
        if found > best:
            best, action = found, t[which + 2] + popc(from_all & ((1 << one) - 1))
    return best, action


def closed(t: Row, cells: int, gone: int) -> int:
    """Return a set of cells after a dancer has left its column and those behind it have stepped forward."""
    behind = t[at.COLUMN + gone % t[at.COLUMNS]] & ~((2 << gone) - 1)
    return cells & ~(behind | 1 << gone) | (cells & behind) >> t[at.COLUMNS]


def best_break(
    m: Row,
    s: Row,
    t: Row,
    conditions: int,
    seat: int,
    colour: int,
    selfish: bool,
    scratch: Reals,
    best: float,
    action: int,
) -> tuple[float, int]:
    """Improve a play by a break: those behind step forward, and the newcomer is unknown."""
    leaving = free_dancers(m)
    while leaving:
        cell = ctz(leaving)
        leaving &= leaving - 1
        empty = closed(t, free_dancers(m), cell)
        for player in range(t[at.PLAYERS]):
            scratch[player] = closed(t, m[at.FANS + player], cell)
        found = worth(t, conditions, seat, seat, 0, empty, selfish, scratch)
        cells = empty & closed(t, colour, cell)
        placed, _ = best_placement(s, t, conditions, seat, empty, cells, True, selfish, scratch)
        found = placed if placed > found else found
        if found > best:
            best, action = found, t[at.SEND_IDS] + cell
    lay_fans(m, t, scratch)
    return best, action
