"""Ending the game: points, extra rounds, and who won."""

from jamboree.core.twin.bits import Row, popc

from . import layout as at


def score(m: Row, s: Row, t: Row, seat: int) -> int:
    """Two points a superfan, one more if it matches the Fan Quest."""
    low, high = m[at.SUPERFANS + 2 * seat], m[at.SUPERFANS + 2 * seat + 1]
    quest = at.MATCHING + 2 * s[at.QUEST + seat]
    matches = popc(low & t[quest]) + popc(high & t[quest + 1])
    return t[at.SUPERFAN_POINTS] * (popc(low) + popc(high)) + t[at.QUEST_POINTS] * matches


def rank(m: Row, s: Row, t: Row, seat: int) -> int:
    return score(m, s, t, seat)


def is_decided(m: Row, s: Row, t: Row) -> bool:
    """Tell whether the game ends, or an extra round follows, until one leads or the tie stands."""
    best, leaders = -1, 0
    for seat in range(t[at.PLAYERS]):
        points = score(m, s, t, seat)
        if points > best:
            best, leaders = points, 0
        if points == best:
            leaders += 1
    return leaders == 1 or s[at.ROUND] == t[at.MOST_ROUNDS]
