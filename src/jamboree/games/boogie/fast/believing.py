"""Beliefs about face-down cards: a determinization is redrawn according to promises, trust and the number of players
that stand on a jump.

The probabilities were counted in games between bots (docs/bots.md).
"""

from jamboree.core.twin.bits import Row, i64
from jamboree.core.twin.chance import pick

from . import layout as at
from .cards import draw, pile_of, size_of
from .evaluation import trusted
from .seen import heard

HUNDRED = 100
# of a hundred character cards, how many are ✓ and how many ❓
SWORN, SWORN_BY_LIARS = (80, 3), (55, 2)  # ✓ was promised, by a player whose word counts, or does not
SILENT, SILENT_IN_VAIN = (55, 10), (28, 12)  # nothing was; enough players stand there, or too few
ON_SOLO, SEVERAL = (8, 80), (0, 0)  # several of one player come off anyway


def believe(m: Row, s: Row, c: Row, t: Row, actor: int) -> None:
    """Redraw the cards that the others laid in this jump, from the cards that the determinization gave them."""
    if s[at.PHASE] != at.JUMP and s[at.PHASE] != at.PULLED:
        return
    trust = trusted(s, t, actor)
    for seat in range(t[at.PLAYERS]):
        if seat != actor:
            lay_anew(m, s, c, t, seat, actor, trust)


def lay_anew(m: Row, s: Row, c: Row, t: Row, seat: int, viewer: int, trust: int) -> None:
    """Return a player's laid cards to the hand, then draw as many for each jump again."""
    cards = m[at.HAND + seat]
    for jump in range(t[at.JUMPS_HERE]):
        cards += m[pile_of(t, jump, seat)]
    for jump in range(t[at.JUMPS_HERE]):
        pile = m[pile_of(t, jump, seat)]
        characters, others, laid = size_of(pile >> at.CHARACTER), size_of(pile & at.JUMPCARD_BITS), 0
        for _ in range(characters):
            card = character(s, c, t, cards, seat, jump, viewer, trust, characters)
            laid, cards = laid + (1 << at.NIBBLE * card), cards - (1 << at.NIBBLE * card)
        for _ in range(others):
            card = jumpcard(c, t, cards, characters > 0)
            laid, cards = laid + (1 << at.NIBBLE * card), cards - (1 << at.NIBBLE * card)
        m[pile_of(t, jump, seat)] = laid
    m[at.HAND + seat] = cards


def character(s: Row, c: Row, t: Row, cards: int, seat: int, jump: int, viewer: int, trust: int, laid: int) -> int:
    """Draw a character card for a jump; if none of that kind is left, any other."""
    sure, maybe = shares(s, t, seat, jump, viewer, trust, laid)
    number = pick(c, HUNDRED)
    card = at.SURE if number < sure else at.MAYBE if number < sure + maybe else at.BLUFF
    if cards >> at.NIBBLE * card & 15:
        return card
    return at.SURE + draw(c, cards >> at.CHARACTER, size_of(cards >> at.CHARACTER))


def shares(s: Row, t: Row, seat: int, jump: int, viewer: int, trust: int, laid: int) -> tuple[int, int]:
    """Return the percentages of ✓ and ❓ among the character cards that a player lays on a jump."""
    if laid > 1:
        return SEVERAL
    if jump < t[at.PLAYERS]:
        return ON_SOLO
    for promise in range(at.MOST_PROMISES * seat, at.MOST_PROMISES * seat + s[at.MADE + seat]):
        if s[at.TERM + promise] == jump and heard(i64(s[at.DEAL + promise]), seat, viewer):
            return SWORN if trust >> seat & 1 else SWORN_BY_LIARS
    standing = 0
    for player in range(t[at.PLAYERS]):
        standing += i64(s[at.STANDING + player]) >> jump & 1
    return SILENT if standing >= t[at.NEEDED + jump] else SILENT_IN_VAIN


def jumpcard(c: Row, t: Row, cards: int, own: bool) -> int:
    """Draw a jumpcard: a useful one for a jump that the player stands on, a harmful one for others."""
    meant = cards & at.JUMPCARD_BITS & (~t[at.HARMFUL] if own else t[at.HARMFUL])
    cards = meant if meant else cards & at.JUMPCARD_BITS
    return draw(c, cards, size_of(cards))
