"""Validation of rows: the rules must never read outside the row, the table or the box."""

from jamboree.core.twin.bits import Row, i64, popc, within

from . import layout as at
from .hexes import has
from .legal import dice_on_offer

MOST_POINTS = 1 << 14  # so that they never exceed 16 bits
MOST_TOKENS, MOST_REROLLS = 255, 6
DICE_KINDS = at.COLOURS * at.FACES


def sound(m: Row, s: Row, t: Row) -> bool:
    """Check the bounds of numbers, the consistency of sets, and the number of components."""
    if not (0 <= s[at.PHASE] <= at.OVER and 0 <= s[at.TURN_OF] < t[at.PLAYERS] and within_bounds(s, t)):
        return False
    return sound_sets(m, t) and sound_phase(m, s, t) and sound_seats(m, s, t) and sound_dice(m, s, t)


def within_bounds(s: Row, t: Row) -> bool:
    hexes = t[at.HEXES]
    return (
        within(s, at.REROLLS, 1, 0, MOST_REROLLS)
        and within(s, at.INSTA_AT, 1, at.NOWHERE, hexes - 1)
        and within(s, at.PASSED, 1, 0, (1 << t[at.PLAYERS]) - 1)
        and within(s, at.RATING, at.FACES, 0, MOST_POINTS)
        and within(s, at.BASICS, at.SEATS, 0, t[at.BASIC_SEATS])
        and within(s, at.SPECIALS, at.SEATS, 0, at.ALL_SPECIALS)
        and within(s, at.DICE, at.SEATS, 0, at.HAND_SIZE)
        and within(s, at.HAND, at.BAG - at.HAND, at.NO_DIE, DICE_KINDS - 1)  # hands and queue
        and within(s, at.BAG, at.COLOURS, 0, t[at.DICE_PER_COLOUR])
        and within(s, at.BANNER, at.COLOURS, at.NOWHERE, hexes - 1)
        and within(s, at.BANNER_SIZE, at.COLOURS, 0, hexes)
        and within(s, at.HELD, at.FAMILY_POINTS - at.HELD, 0, MOST_TOKENS)  # tokens held, and the box
        and within(s, at.FAMILY_POINTS, at.TOKENS - at.FAMILY_POINTS, 0, MOST_POINTS)
        and within(s, at.TOKENS, at.MOST_STAGES, 0, 511)
    )


def sound_sets(m: Row, t: Row) -> bool:
    """Check that every tile and every die lies on one hex of the board, and no hex has two."""
    for word in range(2):
        board = t[at.NORMAL + word] | t[at.VIPS + word] | t[at.PRINTED + word] | m[at.PERFORMED + word]
        held, booked, laid = t[at.PRINTED + word], t[at.PRINTED + word], 0
        colours, faces, twice = 0, 0, 0
        for seat in range(at.SEATS):
            opened, owned = m[at.OPEN + 2 * seat + word], m[at.OWNED + 2 * seat + word]
            twice |= held & opened | (held | opened) & owned
            held |= opened | owned
            booked |= owned
            laid |= opened | owned
        for colour in range(at.COLOURS):
            twice |= colours & m[at.COLOUR + 2 * colour + word]
            colours |= m[at.COLOUR + 2 * colour + word]
        for face in range(at.FACES):
            twice |= faces & m[at.FACE + 2 * face + word]
            faces |= m[at.FACE + 2 * face + word]
        if twice or held != m[at.OCCUPIED + word] or booked != m[at.BOOKED + word]:
            return False
        if colours != booked or faces != booked or held & ~board or m[at.PERFORMED + word] & ~spaces(t, word):
            return False
        kinds = m[at.KIND + word] | m[at.KIND + 2 + word] | m[at.KIND + 4 + word] | m[at.DOWN + word]
        if kinds & ~laid or m[at.KIND + 2 + word] & m[at.KIND + 4 + word]:  # tiles are numbered up to five
            return False
    return True


def spaces(t: Row, word: int) -> int:
    """Return the set of hexes of all stages: those where a band can have performed."""
    found = 0
    for stage in range(t[at.STAGES]):
        found |= t[at.SPACES + 2 * stage + word]
    return found


def sound_phase(m: Row, s: Row, t: Row) -> bool:
    """Check that the current player has a legal action, and that banners lie on dice of their colour."""
    phase, complete = s[at.PHASE], m[at.COMPLETE]
    if complete & ~((1 << t[at.STAGES]) - 1) or (complete != 0) != (phase == at.PERFORM):
        return False
    dice = s[at.DICE + s[at.TURN_OF]]
    if phase == at.TAKE and (dice_on_offer(s, t) == 0 or dice == at.HAND_SIZE):
        return False
    if phase == at.REROLL and (dice == 0 or s[at.REROLLS] == 0):
        return False
    if phase == at.BOOK_THIS and (s[at.INSTA_AT] < 0 or not has(m, at.OPEN + 2 * s[at.TURN_OF], i64(s[at.INSTA_AT]))):
        return False
    for colour in range(at.COLOURS):
        if s[at.BANNER + colour] >= 0 and not has(m, at.COLOUR + 2 * colour, i64(s[at.BANNER + colour])):
            return False
    return True


def sound_seats(m: Row, s: Row, t: Row) -> bool:
    """Check that each player has all seats, on the board or in the supply, and that hands have no gaps."""
    for seat in range(t[at.PLAYERS]):
        supply = i64(s[at.BASICS + seat]) + popc(i64(s[at.SPECIALS + seat]))
        for word in range(2):
            supply += popc(m[at.OPEN + 2 * seat + word]) + popc(m[at.OWNED + 2 * seat + word])
        if supply != t[at.BASIC_SEATS] + popc(at.ALL_SPECIALS) or s[at.SPECIALS + seat] & 1:
            return False
        for slot in range(at.HAND_SIZE):
            if (s[at.HAND + at.HAND_SIZE * seat + slot] >= 0) != (slot < s[at.DICE + seat]):
                return False
    return True


def sound_dice(m: Row, s: Row, t: Row) -> bool:
    """Check that there are as many dice of each colour as in the box."""
    bag = 0
    for colour in range(at.COLOURS):
        count = i64(s[at.BAG + colour])
        bag += count
        for word in range(2):
            count += popc(m[at.COLOUR + 2 * colour + word] & ~t[at.PRINTED + word])
        for i in range(at.HAND, at.BAG):  # hands and queue
            count += 1 if s[i] >= 0 and s[i] // at.FACES == colour else 0
        if count != t[at.DICE_PER_COLOUR]:
            return False
    return bag == s[at.BAG_TOTAL]
