"""The Hype deck: a card a round, and the option in which the Hypemaster picks it."""

from jamboree.core.twin.bits import Row, i64

from . import layout as at
from .floor import bend
from .setup import draw_card


def reveal(m: Row, s: Row, t: Row, card: int) -> None:
    s[at.CARD] = card
    if s[at.ROUND] <= t[at.ROUNDS]:
        m[at.USED] |= 1 << card
    if bend(s, t, at.BRINGS_BALL):
        s[at.BALL] = 0
    s[at.PHASE] = at.CUE


def draw_two(m: Row, s: Row, c: Row, t: Row) -> None:
    """Draw two Hype cards for the Hypemaster; the role passes left, in extra rounds too."""
    number = i64(s[at.ROUND])
    if number > t[at.ROUNDS] or number == 1 or number == t[at.BONUS_ROUND]:
        # without Crowd Bonus at first, with it from round 3, of the used cards in extra rounds
        box = t[at.NO_BONUS] if number == 1 else t[at.NO_BALL] & ~m[at.USED]
        m[at.HYPE_DECK] = m[at.USED] if number > t[at.ROUNDS] else box
        for layer in range(at.UNDER_MOST):
            s[at.UNDER + layer] = at.NONE
    s[at.TURN_OF] = (s[at.FIRST] + number - 1) % t[at.PLAYERS]
    s[at.PHASE] = at.HYPE
    for place in range(2):
        s[at.DRAWN + place] = draw_card(c, m[at.HYPE_DECK])
        m[at.HYPE_DECK] ^= 1 << s[at.DRAWN + place]


def choose_card(m: Row, s: Row, t: Row, place: int) -> int:
    """Pick one of two cards; the other, still secret, goes under the deck."""
    chosen, layer = i64(s[at.DRAWN + place]), 0
    while layer < at.UNDER_MOST - 1 and s[at.UNDER + layer] >= 0:
        layer += 1
    s[at.UNDER + layer] = s[at.DRAWN + 1 - place]
    s[at.DRAWN] = s[at.DRAWN + 1] = at.NONE
    reveal(m, s, t, chosen)
    return at.ASKED
