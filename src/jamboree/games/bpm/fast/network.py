"""Normalisation of observations for a network: they are turned to the player's own side. Not compiled."""

from typing import Any

from . import layout as at

FIRST, SECOND = at.SEEN_SEATS, at.SEEN_SEATS + at.BY_SEAT  # where the two players' own numbers begin
SAYS_WHO = (at.FIRST, at.TURN_OF, at.ORDER, at.ORDER + 1)


def own_side(seen: Any, second: Any) -> Any:
    """Exchange the two players in the rows that the second player observes, so that the observer is always the
    first."""
    turned, end = seen + 0, SECOND + at.BY_SEAT
    for number in SAYS_WHO:
        turned[:, number] = _other(seen[:, number], 0)
    turned[:, at.OPEN] = (seen[:, at.OPEN] & 1) * 2 + (seen[:, at.OPEN] >> 1 & 1)
    turned[:, FIRST:SECOND], turned[:, SECOND:end] = seen[:, SECOND:end], seen[:, FIRST:SECOND]
    fans = slice(at.SEEN_CELLS + 1, at.SEEN_PLAYED, 3)
    turned[:, fans] = _other(seen[:, fans], 1)
    return turned * second[:, None] + seen * (1 - second[:, None])


def _other(players: Any, first: int) -> Any:
    """Return the number of the other player; `first` is the number of the first one, and smaller numbers stay."""
    is_player = players >= first
    return players + is_player * (2 * first + 1 - 2 * players)
