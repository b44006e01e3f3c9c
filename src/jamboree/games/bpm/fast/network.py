"""How a network looks at what a seat observes: always from its own side. For arrays of numpy or torch, not compiled."""

from typing import Any

from . import layout as at

FIRST, SECOND = at.SEEN_SEATS, at.SEEN_SEATS + at.BY_SEAT  # where the two players' own numbers begin
SAYS_WHO = (at.FIRST, at.TURN_OF, at.ORDER, at.ORDER + 1)


def own_side(seen: Any, second: Any) -> Any:
    """Turn the table in the rows in which the second of two players looks: there they are the first."""
    turned, end = seen + 0, SECOND + at.BY_SEAT
    for number in SAYS_WHO:
        turned[:, number] = _other(seen[:, number], 0)
    turned[:, at.OPEN] = (seen[:, at.OPEN] & 1) * 2 + (seen[:, at.OPEN] >> 1 & 1)
    turned[:, FIRST:SECOND], turned[:, SECOND:end] = seen[:, SECOND:end], seen[:, FIRST:SECOND]
    fans = slice(at.SEEN_CELLS + 1, at.SEEN_PLAYED, 3)
    turned[:, fans] = _other(seen[:, fans], 1)
    return turned * second[:, None] + seen * (1 - second[:, None])


def _other(players: Any, first: int) -> Any:
    """Name the other of two players, the first of whom has this number; less than that is nobody."""
    somebody = players >= first
    return players + somebody * (2 * first + 1 - 2 * players)
