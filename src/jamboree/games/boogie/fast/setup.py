"""Preparation: set up the table, and deal jumpcards when the plane leaves."""

from jamboree.core.twin.bits import Row, i64
from jamboree.core.twin.chance import pick

from . import layout as at
from .cards import draw, size_of


def set_up(m: Row, s: Row, c: Row, t: Row) -> None:
    """Set up a table; the first jumpmaster is random."""
    for i in range(at.MASKS):
        m[i] = 0
    for i in range(at.SMALLS):
        s[i] = 0
    m[at.DECK] = t[at.COPIES]
    s[at.DECK_TOTAL] = size_of(t[at.COPIES])
    for seat in range(t[at.PLAYERS]):
        m[at.HAND + seat] = t[at.CHARACTERS]
    s[at.SPENT] = t[at.EVERYONE]
    s[at.JUMPMASTER] = pick(c, t[at.PLAYERS])


def board_plane(m: Row, s: Row, c: Row, t: Row) -> None:
    """Deal from the jumpmaster leftwards; the players look at their new cards now, for the plane has left."""
    for turn in range(t[at.PLAYERS]):
        deal(m, s, c, t, (i64(s[at.JUMPMASTER]) + turn) % t[at.PLAYERS])
    s[at.PHASE] = at.PLANE
    s[at.READY] = 0
    s[at.SPENT] = 0
    for seat in range(t[at.PLAYERS]):
        s[at.WITHDRAWN + seat] = 0


def new_cards(t: Row, in_hand: int) -> int:
    """Return the number of new jumpcards: six, up to the hand maximum of eight; none for a player with six or more."""
    if in_hand >= t[at.FULL_HAND]:
        return 0
    return t[at.DEALT] if t[at.DEALT] < t[at.HAND_MOST] - in_hand else t[at.HAND_MOST] - in_hand


def deal(m: Row, s: Row, c: Row, t: Row, seat: int) -> None:
    for _ in range(new_cards(t, size_of(m[at.HAND + seat] & at.JUMPCARD_BITS))):
        if s[at.DECK_TOTAL] == 0:  # the discard pile is shuffled in only when a card is needed; hands stay
            m[at.DECK] = m[at.DISCARD]
            s[at.DECK_TOTAL] = size_of(m[at.DISCARD])
            m[at.DISCARD] = 0
        one = 1 << at.NIBBLE * draw(c, m[at.DECK], i64(s[at.DECK_TOTAL]))
        m[at.DECK] -= one
        s[at.DECK_TOTAL] -= 1
        m[at.HAND + seat] += one
