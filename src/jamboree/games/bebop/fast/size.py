"""The number of hexes in one word of a set: compiled words have at most 62 bits."""

WORD = 60
