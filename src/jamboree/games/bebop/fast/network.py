"""Normalisation of observations for a network: they are turned to the player's own side. Not compiled."""

from typing import Any

from . import layout as at

FIRST, SECOND = at.HEADING, at.HEADING + at.BY_SEAT  # where the two players' own numbers begin
TILES_EACH = 12  # six tiles, face up or down


def own_side(seen: Any, second: Any) -> Any:
    """Exchange the two players in the rows that the second player observes, so that the observer is always the
    first."""
    turned, end = seen + 0, SECOND + at.BY_SEAT
    turned[:, at.TURN_OF] = 1 - seen[:, at.TURN_OF]
    turned[:, at.PASSED] = (seen[:, at.PASSED] & 1) * 2 + (seen[:, at.PASSED] >> 1 & 1)
    turned[:, FIRST:SECOND], turned[:, SECOND:end] = seen[:, SECOND:end], seen[:, FIRST:SECOND]
    tiles = seen[:, at.SEEN_HEXES :: 2]
    of_first = (tiles >= 1) & (tiles <= TILES_EACH)
    turned[:, at.SEEN_HEXES :: 2] = tiles + TILES_EACH * of_first - TILES_EACH * (tiles > TILES_EACH)
    return turned * second[:, None] + seen * (1 - second[:, None])
