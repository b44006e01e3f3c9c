"""Priors of actions for the search, from the greedy player's evaluation."""

from jamboree.core.twin.bits import Reals, Row, i64
from jamboree.core.twin.choosing import nth_legal

from . import layout as at
from .evaluation import best_points, closing, match, points, weigh
from .greedy import BOOK_AT, BOOT_COST
from .legal import bootable, count_legal, open_seats

SPECIAL_COST, FACE_DOWN_COST = 1.5, 4.0
SECOND_SEAT = 0.5  # of the value of a hex, for a seat that comes with another


def prior(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals, worth: Reals) -> None:
    count, phase = count_legal(m, s, t, actor), s[at.PHASE]
    for k in range(count):
        worth[k] = 0.0
    if phase != at.TURN and phase != at.CLAIM_AGAIN:
        return
    free_low, free_high = ~m[at.OCCUPIED], ~m[at.OCCUPIED + 1]
    low = (t[at.NORMAL] | t[at.VIPS] | m[at.PERFORMED]) & free_low | bootable(m, t, actor, 0)
    high = (t[at.NORMAL + 1] | t[at.VIPS + 1] | m[at.PERFORMED + 1]) & free_high | bootable(m, t, actor, 1)
    weigh(m, s, c, t, actor, low, high, scratch)
    best = 0.0
    for k in range(count):
        action = nth_legal(m, s, t, actor, k)
        if action < at.BOOKING * t[at.HEXES]:
            worth[k] = claim_worth(m, s, t, actor, action // t[at.HEXES], action % t[at.HEXES], scratch)
            best = worth[k] if worth[k] > best else best
    for k in range(count):
        action = nth_legal(m, s, t, actor, k)
        if at.BOOKING * t[at.HEXES] <= action < at.BLOCKS * t[at.HEXES]:
            place, slot = action % t[at.HEXES], action // t[at.HEXES] - at.BOOKING
            die = i64(s[at.HAND + at.HAND_SIZE * actor + slot])
            sure = points(m, s, t, actor, die, place)
            worth[k] = best + sure + match(m, s, t, place, closing(m, s, t, place), die % at.FACES) - BOOK_AT


def claim_worth(m: Row, s: Row, t: Row, seat: int, tile: int, place: int, scratch: Reals) -> float:
    """Return the value of a tile on a hex: of the hex, of the tile's effect there, less the cost of a special."""
    value = scratch[place]
    if tile > at.BOOT:
        return value - FACE_DOWN_COST
    if tile == at.DOUBLE:
        room = open_seats(m, seat) + 2 <= t[at.OPEN_MOST]
        return value + (SECOND_SEAT * value if room else 0.0) - SPECIAL_COST
    if tile == at.INSTA:
        return value + best_points(m, s, t, seat, place) - SPECIAL_COST
    if tile == at.BOOT:
        occupied = m[at.OCCUPIED + place // at.WORD] >> place % at.WORD & 1
        return value - (BOOT_COST if occupied else FACE_DOWN_COST)
    return value
