"""How many hexes one word of a set holds: compiled words have 62 bits at most."""

WORD = 60
