"""Set-up: the central play area, then the players."""

from jamboree.core.twin.bits import Row, i64
from jamboree.core.twin.chance import pick

from . import layout as at


def set_up(m: Row, s: Row, c: Row, t: Row) -> None:
    """Set up a table. The first player is random, and dice are dealt from that player on."""
    lay_out(m, s, t)
    players = t[at.PLAYERS]
    s[at.TURN_OF] = pick(c, players)
    fill_stages(s, c, t)
    for place in range(t[at.QUEUE_SIZE]):
        s[at.QUEUE + place] = draw_and_roll(s, c)
    for turn in range(players):
        seat = (s[at.TURN_OF] + turn) % players
        for slot in range(at.HAND_SIZE):
            s[at.HAND + at.HAND_SIZE * seat + slot] = draw_and_roll(s, c)
        s[at.DICE + seat] = at.HAND_SIZE


def lay_out(m: Row, s: Row, t: Row) -> None:
    """Lay out a ground with full supplies, before anything is drawn."""
    for i in range(at.MASKS):
        m[i] = 0
    for i in range(at.SMALLS):
        s[i] = -1 if at.HAND <= i < at.BAG or at.BANNER <= i < at.BANNER_SIZE else 0
    for word in range(2):
        m[at.OCCUPIED + word] = m[at.BOOKED + word] = t[at.PRINTED + word]
    for i in range(2 * at.COLOURS):
        m[at.COLOUR + i] = t[at.PRINTED_COLOUR + i]
    for i in range(2 * at.FACES):
        m[at.FACE + i] = t[at.PRINTED_FACE + i]
    s[at.INSTA_AT] = at.NOWHERE
    s[at.BAG_TOTAL] = at.COLOURS * t[at.DICE_PER_COLOUR]
    for colour in range(at.COLOURS):
        s[at.BAG + colour] = t[at.DICE_PER_COLOUR]
    for feature in range(at.FACES):
        s[at.RATING + feature] = t[at.START_RATING]
    for seat in range(t[at.PLAYERS]):
        s[at.BASICS + seat] = t[at.BASIC_SEATS]
        s[at.SPECIALS + seat] = at.ALL_SPECIALS


def draw_and_roll(s: Row, c: Row) -> int:
    index, colour = pick(c, i64(s[at.BAG_TOTAL])), 0
    while index >= s[at.BAG + colour]:
        index -= s[at.BAG + colour]
        colour += 1
    s[at.BAG + colour] -= 1
    s[at.BAG_TOTAL] -= 1
    return colour * at.FACES + pick(c, at.FACES)


def fill_stages(s: Row, c: Row, t: Row) -> None:
    """Put feature tokens on the stages: triples and the centre in order, the others at random."""
    supply = t[at.TOKENS_EACH] * 0x010101  # by token one byte: three features, then their stars
    for stage in range(t[at.STAGES]):
        each = t[at.SIZE + stage] // at.FACES
        if t[at.SIZE + stage] % at.FACES == 0:
            s[at.TOKENS + stage] = each * 0o111
            supply -= each * 0x010101
    if t[at.STAR_ON]:  # normal tokens are swapped for their stars and go to the box
        supply += t[at.STARS_EACH] * (0x010101000000 - 0x010101)
        for feature in range(at.FACES):
            s[at.BOX + feature] += t[at.STARS_EACH]
    left = fill_at_random(s, c, t, supply)
    while left < 0:  # a dead end: the whole fill of these stages starts over
        left = fill_at_random(s, c, t, supply)
    for token in range(2 * at.FACES):
        s[at.BOX + token] += left >> 8 * token & 255


def fill_at_random(s: Row, c: Row, t: Row, supply: int) -> int:
    """Draw a token for each space; return what is left, or -1 at a dead end."""
    for stage in range(t[at.STAGES]):
        if t[at.SIZE + stage] % at.FACES == 0:
            continue
        laid = 0
        for _ in range(t[at.SIZE + stage]):
            token = fitting_token(c, supply, laid)
            if token < 0:
                return -1
            supply -= 1 << 8 * token
            laid |= (5 if token >= at.FACES else 1) << 3 * (token % at.FACES)
        s[at.TOKENS + stage] = laid
    return supply


def fitting_token(c: Row, supply: int, laid: int) -> int:
    """Draw a token whose feature is not on a stage yet; a star counts as its printed feature."""
    fitting, total = 0, 0
    for token in range(2 * at.FACES):
        if not laid >> 3 * (token % at.FACES) & 1:
            fitting |= supply & 255 << 8 * token
            total += supply >> 8 * token & 255
    if total == 0:
        return -1
    index, token = pick(c, total), 0
    while index >= fitting >> 8 * token & 255:
        index -= fitting >> 8 * token & 255
        token += 1
    return token
