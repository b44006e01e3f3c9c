"""Observations of a seat, and validation of rows."""

from jamboree.core.twin.bits import Row, i64, within

from . import layout as at
from .cards import count_of, pile_of, size_of

TALLY_MASK = (1 << at.TALLY) - 1
MOST_POINTS = 1 << 14


def observe(m: Row, s: Row, t: Row, seat: int, out: Row) -> None:
    """Write the observation of a seat: an allow-list of what it may see."""
    for i in range(at.OBSERVED):
        out[i] = 0
    for i in range(at.READY + 1):  # phase, jumprun, jumpmaster, ready
        out[i] = s[i]
    out[at.READY + 1], out[at.READY + 2] = s[at.LATE], s[at.DECK_TOTAL]
    for card in range(at.JUMPCARDS):
        out[at.SEEN_DISCARD + card] = count_of(m[at.DISCARD], card)
    for player in range(t[at.PLAYERS]):
        observe_player(m, s, t, player, seat, out)
        for jump in range(t[at.JUMPS_HERE]):
            cards = m[pile_of(t, jump, player)]
            here = at.SEEN_PILES + at.SEATS * jump + player
            out[here] = 16 * size_of(cards >> at.CHARACTER) + size_of(cards & at.JUMPCARD_BITS)
    if seat >= 0:
        observe_own(m, s, t, seat, out)
    observe_promises(s, t, seat, out)


def observe_player(m: Row, s: Row, t: Row, player: int, seat: int, out: Row) -> None:
    """Write withdrawals, points, the size of the hand, promises this seat saw judged, and the back of a late card."""
    first = at.HEADING + at.BY_SEAT * player
    out[first], out[first + 1] = s[at.WITHDRAWN + player], s[at.SCORE + player]
    hand, tally, late = m[at.HAND + player], told(s, t, player, seat), i64(s[at.LATE_PLAY + player])
    out[first + 2], out[first + 3] = size_of(hand & at.JUMPCARD_BITS), size_of(hand >> at.CHARACTER)
    for verdict in range(3):
        out[first + 4 + verdict] = tally >> at.TALLY * verdict & TALLY_MASK
    if late > 0:
        is_character = (late - 1) % at.CARDS >= at.SURE
        out[first + 7] = 1 + (late - 1) // at.CARDS * 2 + (1 if is_character else 0)


def told(s: Row, t: Row, player: int, seat: int) -> int:
    """Return the tally of a player's promises that a seat saw judged; at the end that of all."""
    tally = i64(s[at.TOLD_ALL + player])
    for listener in range(t[at.PLAYERS]):
        if listener == seat or player == seat or s[at.PHASE] == at.OVER:
            tally += i64(s[at.TOLD_ONE + at.SEATS * player + listener])
    return tally


def observe_own(m: Row, s: Row, t: Row, seat: int, out: Row) -> None:
    """Write the hand, the begun promise, and the faces of the seat's own cards on the table."""
    out[at.SEEN_TALK], out[at.SEEN_TALK + 1] = s[at.BEGUN + seat], s[at.DRAFT + seat]
    for card in range(at.CARDS):
        out[at.SEEN_HAND + card] = count_of(m[at.HAND + seat], card)
        for jump in range(t[at.JUMPS_HERE]):
            out[at.SEEN_OWN + at.CARDS * jump + card] = count_of(m[pile_of(t, jump, seat)], card)


def heard(deal: int, maker: int, seat: int) -> bool:
    """Return whether a seat knows a promise: one to all, or one from or to this seat."""
    to = (deal >> at.DEAL_TO) - 2
    return to == at.TO_ALL or seat in (maker, to)


def observe_promises(s: Row, t: Row, seat: int, out: Row) -> None:
    """List the known promises without gaps: a gap would reveal an unknown one."""
    for maker in range(t[at.PLAYERS]):
        here = at.SEEN_PROMISES + 2 * at.MOST_PROMISES * maker
        for promise in range(at.MOST_PROMISES * maker, at.MOST_PROMISES * maker + s[at.MADE + maker]):
            if heard(i64(s[at.DEAL + promise]), maker, seat):
                out[here], out[here + 1] = s[at.TERM + promise] + 1, s[at.DEAL + promise]
                here += 2


def sound(m: Row, s: Row, t: Row) -> bool:
    """Return whether a row is a valid position: check bounds, and count every card of the box."""
    if not (at.PREPARATION <= s[at.PHASE] <= at.OVER and 0 <= s[at.JUMPRUN] < t[at.JUMPRUNS]):
        return False
    seats = i64(s[at.READY]) | i64(s[at.SPENT]) | i64(s[at.LATE])
    if not (0 <= s[at.JUMPMASTER] < t[at.PLAYERS] and seats & ~t[at.EVERYONE] == 0):
        return False
    if not (sound_talk(s, t) and sound_spent(m, s, t) and within(m, at.DECK, at.MASKS, 0, (1 << 63) - 1)):
        return False
    jumpcards = m[at.DECK] + m[at.DISCARD]
    for seat in range(t[at.PLAYERS]):
        cards = cards_of(m, s, t, seat)
        jumpcards += cards & at.JUMPCARD_BITS
        if cards >> at.CHARACTER != t[at.CHARACTERS] >> at.CHARACTER or not 0 <= s[at.MADE + seat] <= t[at.PROMISES]:
            return False
    return jumpcards == t[at.COPIES] and size_of(m[at.DECK]) == s[at.DECK_TOTAL]


def sound_talk(s: Row, t: Row) -> bool:
    """Check the bounds of promises, recipients and terms."""
    jumps, seats = (1 << t[at.JUMPS_HERE]) - 1, at.SEATS
    return (
        within(s, at.WITHDRAWN, seats, 0, t[at.WITHDRAWALS])
        and within(s, at.BEGUN, seats, 0, t[at.PROMISES])
        and within(s, at.MADE, seats, 0, t[at.PROMISES])
        and within(s, at.OPENED, 1, 0, jumps)
        and within(s, at.STANDING, seats, 0, jumps)
        and within(s, at.LATE_PLAY, seats, 0, at.CARDS * t[at.JUMPS_HERE])
        and within(s, at.SCORE, seats, -MOST_POINTS, MOST_POINTS)
        and within(s, at.TERM, at.DEAL - at.TERM, 0, terms_there_are(t) - 1)
        and sound_deals(s, t, at.DRAFT, seats)
        and sound_deals(s, t, at.DEAL, at.MEMORY - at.DEAL)
        and sound_tallies(s, t)
    )


def terms_there_are(t: Row) -> int:
    return (at.STANCES + t[at.WORTH_MOST] + 1) * t[at.JUMPS_HERE]


def sound_deals(s: Row, t: Row, first: int, count: int) -> bool:
    """Check that deals are with a player or with all, and ask for terms that can be promised."""
    wrong = 0
    for i in range(first, first + count):
        deal = i64(s[i])
        to, asked = (deal >> at.DEAL_TO) - 2, (deal & 255) - 1
        if deal != 0 and not (at.TO_ALL <= to < t[at.PLAYERS] and asked < terms_there_are(t)):
            wrong += 1
        if to == at.TO_ALL and asked >= 0:  # a promise to all is made for nothing
            wrong += 1
    return wrong == 0


def sound_tallies(s: Row, t: Row) -> bool:
    """Check that no more promises of a player were judged than could be made."""
    most, wrong = t[at.PROMISES] * (s[at.JUMPRUN] + (1 if s[at.PHASE] == at.OVER else 0)), 0
    for i in range(at.TOLD_ALL, at.TERM):
        judged = 0
        for verdict in range(3):
            judged += i64(s[i]) >> at.TALLY * verdict & TALLY_MASK
        wrong += 1 if s[i] < 0 or judged > most else 0
    return wrong == 0


def sound_spent(m: Row, s: Row, t: Row) -> bool:
    """Check which players are spent: on the plane, those who withdrew "ready" as often as allowed; in a jump, those
    without cards."""
    wrong = 0
    for seat in range(t[at.PLAYERS]):
        spent = i64(s[at.SPENT]) >> seat & 1
        if s[at.PHASE] == at.PLANE:
            wrong |= spent ^ (1 if s[at.WITHDRAWN + seat] == t[at.WITHDRAWALS] else 0)
        elif s[at.PHASE] == at.JUMP or s[at.PHASE] == at.PULLED:
            wrong |= spent ^ (1 if m[at.HAND + seat] == 0 else 0)
    return wrong == 0


def cards_of(m: Row, s: Row, t: Row, seat: int) -> int:
    """Return the cards of a player, in hand and laid."""
    cards = m[at.HAND + seat]
    if s[at.LATE_PLAY + seat] > 0:
        cards += 1 << at.NIBBLE * ((i64(s[at.LATE_PLAY + seat]) - 1) % at.CARDS)
    for jump in range(t[at.JUMPS_HERE]):
        cards += m[pile_of(t, jump, seat)]
    return cards
