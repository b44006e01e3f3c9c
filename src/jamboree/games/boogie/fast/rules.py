"""The plane, the jump, and the course of a jumprun: which phase follows which."""

from jamboree.core.twin.bits import Row, i64

from . import layout as at
from .cards import pile_of
from .jury import hold_jury
from .setup import board_plane


def apply(m: Row, s: Row, c: Row, t: Row, actor: int, action: int) -> None:
    if action >= t[at.PLAYS]:
        late = action >= t[at.LATE_PLAYS]
        spot = action - (t[at.LATE_PLAYS] if late else t[at.PLAYS])
        if late:
            play_late(m, s, actor, spot)
        else:
            lay(m, s, t, actor, spot // at.CARDS, spot % at.CARDS)
    elif action >= at.ADDRESSES:
        talk(s, t, actor, action)
    elif action == at.TIME_UP:
        end_phase(m, s, c, t, True)
    elif action == at.WITHDRAW:
        withdraw_ready(s, t, actor)
    else:
        agree(m, s, c, t, actor)


def agree(m: Row, s: Row, c: Row, t: Row, seat: int) -> None:
    """Set a player ready, or done; when all are, the phase ends. An unfinished promise is dropped."""
    s[at.READY] |= 1 << seat
    s[at.DRAFT + seat] = 0
    if s[at.READY] == t[at.EVERYONE]:
        end_phase(m, s, c, t, False)


def withdraw_ready(s: Row, t: Row, seat: int) -> None:
    """Withdraw "ready", at most twice."""
    s[at.WITHDRAWN + seat] += 1
    s[at.READY] ^= 1 << seat
    if s[at.WITHDRAWN + seat] == t[at.WITHDRAWALS]:
        s[at.SPENT] |= 1 << seat


def talk(s: Row, t: Row, seat: int, action: int) -> None:
    """Apply a part of a promise: the recipient, the term asked in exchange, or the term."""
    if action < t[at.ASKING]:  # what was begun before and not finished is dropped, and has counted
        to = action - at.ADDRESSES
        s[at.BEGUN + seat] += 1
        s[at.DRAFT + seat] = (at.TO_ALL if to == t[at.PLAYERS] else to) + 2 << at.DEAL_TO
    elif action < t[at.PROMISING_TERM]:
        s[at.DRAFT + seat] += action - t[at.ASKING] + 1
    else:
        place = at.MOST_PROMISES * seat + i64(s[at.MADE + seat])
        s[at.TERM + place] = action - t[at.PROMISING_TERM]
        s[at.DEAL + place] = s[at.DRAFT + seat]
        s[at.MADE + seat] += 1
        s[at.DRAFT + seat] = 0


def lay(m: Row, s: Row, t: Row, seat: int, jump: int, card: int) -> None:
    """Put a card on a jump; laying another card withdraws one's "done"."""
    s[at.READY] &= ~(1 << seat)
    take(m, s, seat, card)
    m[pile_of(t, jump, seat)] += 1 << at.NIBBLE * card
    if card >= at.SURE:
        s[at.OPENED] |= 1 << jump
        s[at.STANDING + seat] |= 1 << jump


def take(m: Row, s: Row, seat: int, card: int) -> None:
    m[at.HAND + seat] -= 1 << at.NIBBLE * card
    if m[at.HAND + seat] == 0:
        s[at.SPENT] |= 1 << seat


def play_late(m: Row, s: Row, seat: int, spot: int) -> None:
    """A card played after PULL: the player is disqualified for the whole jumprun, and the card has no effect."""
    s[at.LATE] |= 1 << seat
    take(m, s, seat, spot % at.CARDS)
    s[at.LATE_PLAY + seat] = spot + 1


def end_phase(m: Row, s: Row, c: Row, t: Row, by_clock: bool) -> None:
    """Begin the next phase; PULL by the clock leaves a moment for cards that arrive too late."""
    if s[at.PHASE] == at.PREPARATION:
        board_plane(m, s, c, t)
    elif s[at.PHASE] == at.PLANE:
        call_jump(s, t)
    elif s[at.PHASE] == at.JUMP and by_clock:
        s[at.PHASE] = at.PULLED
    else:
        hold_jury(m, s, c, t)


def call_jump(s: Row, t: Row) -> None:
    s[at.PHASE] = at.JUMP
    s[at.READY] = 0
    s[at.SPENT] = 0
    for seat in range(t[at.PLAYERS]):
        s[at.DRAFT + seat] = 0


def score(m: Row, s: Row, t: Row, seat: int) -> int:
    return i64(s[at.SCORE + seat])


def rank(m: Row, s: Row, t: Row, seat: int) -> int:
    """Most points over four jumpruns win; a tie is shared."""
    return score(m, s, t, seat)
