"""After the songs: the Beachball's superfans, the Crowd Bonus, and combos."""

from jamboree.core.twin.bits import Row, i64, popc

from . import layout as at
from .floor import around, bend
from .setup import add_dancer, draw_dancer


def ball_bonus(m: Row, s: Row, c: Row, t: Row) -> None:
    """Award the top dancer of the draw pile to the player or players with most fans around the ball, in song order."""
    touching, most = around(t, i64(s[at.BALL])), 1  # at least one
    for seat in range(t[at.PLAYERS]):
        count = popc(m[at.FANS + seat] & touching)
        most = count if count > most else most
    for place in range(t[at.PLAYERS]):
        seat = i64(s[at.ORDER + place])
        if popc(m[at.FANS + seat] & touching) == most:
            dancer = draw_dancer(m, c)
            if dancer < 0:  # while there are any
                return
            add_dancer(m, at.SUPERFANS + 2 * seat, dancer)


def bonus_fans(m: Row, s: Row, t: Row, seat: int) -> int:
    """Return the set of a player's fans in the area of the Crowd Bonus."""
    return m[at.FANS + seat] & bend(s, t, at.BONUS_AREA)


def ask_gift(m: Row, s: Row, t: Row, owner: int) -> bool:
    """Ask the player on the left to place the owner's token; return whether that is possible."""
    if s[at.TOKENS + owner] == 0 or m[at.PRESENT] == m[at.TAKEN]:
        return False
    s[at.TURN_OF] = (owner + 1) % t[at.PLAYERS]
    s[at.PHASE] = at.GIFT
    return True
