"""The legal actions of each phase: their number, and the k-th in the order of the reference's menus."""

from jamboree.core.twin.bits import Row, i64, nth_in_word, popc
from jamboree.core.twin.choosing import COUNT, chosen
from jamboree.core.twin.interface import CLOCK

from . import layout as at
from .cards import kinds_in, nth_kind


def actors(m: Row, s: Row, t: Row) -> int:
    """Return a mask of the actors that may act: several seats at once, and the clock."""
    if s[at.PHASE] == at.OVER:
        return 0
    resting = i64(s[at.READY]) & i64(s[at.SPENT])
    if s[at.PHASE] == at.PULLED:
        resting = i64(s[at.LATE]) | i64(s[at.SPENT])
    return t[at.EVERYONE] & ~resting | t[at.TIMED] << CLOCK


def count_actions(t: Row) -> int:
    return t[at.ACTIONS]


def count_legal(m: Row, s: Row, t: Row, actor: int) -> int:
    return choose(m, s, t, t, actor, COUNT)


def choose(m: Row, s: Row, c: Row, t: Row, actor: int, k: int) -> int:
    phase = s[at.PHASE]
    if phase == at.OVER:
        return 0
    if actor == CLOCK:
        return only_one(k, t[at.TIMED], at.TIME_UP)
    ready = s[at.READY] >> actor & 1
    if phase == at.PREPARATION:
        return only_one(k, 1 - ready, at.SAY_READY)
    if phase == at.PLANE:
        if ready:  # a player who is ready can only take that back
            may_withdraw = s[at.WITHDRAWN + actor] < t[at.WITHDRAWALS]
            return only_one(k, 1 if may_withdraw else 0, at.WITHDRAW)
        return choose_words(s, c, t, actor, k)
    if phase == at.PULLED and s[at.LATE] >> actor & 1:
        return 0
    return choose_play(m, s, c, t, actor, k)


def only_one(k: int, count: int, action: int) -> int:
    return count if k == COUNT else action


def count_terms(t: Row) -> int:
    """Return the number of terms: to be in or out only of formations and the own solo."""
    return at.STANCES * (t[at.FORMATIONS] + 1) + (t[at.WORTH_MOST] + 1) * t[at.JUMPS_HERE]


def nth_term(t: Row, seat: int, k: int) -> int:
    own = t[at.FORMATIONS] + 1
    if k >= at.STANCES * own:
        return at.STANCES * t[at.JUMPS_HERE] + k - at.STANCES * own
    jump = seat if k % own == 0 else t[at.PLAYERS] + k % own - 1
    return k // own * t[at.JUMPS_HERE] + jump


def choose_words(s: Row, c: Row, t: Row, seat: int, k: int) -> int:
    """Return an action of the plane: to say ready, or a part of a promise."""
    draft, terms, addresses = i64(s[at.DRAFT + seat]), count_terms(t), 0
    if t[at.PROMISING] and s[at.BEGUN + seat] < t[at.PROMISES]:
        addresses = t[at.PLAYERS]
    promising = terms if draft else 0
    to = (draft >> at.DEAL_TO) - 2
    asking = terms if to >= 0 and draft & 255 == 0 else 0
    k = chosen(c, 1 + addresses + promising + asking, k)
    if k == COUNT:
        return 1 + addresses + promising + asking
    if k == 0:
        return at.SAY_READY
    k -= 1
    if k < addresses:
        return at.ADDRESSES + (k if k < seat else k + 1)
    k -= addresses
    if k < promising:
        return t[at.PROMISING_TERM] + nth_term(t, seat, k)
    return t[at.ASKING] + nth_term(t, to, k - promising)


def choose_play(m: Row, s: Row, c: Row, t: Row, seat: int, k: int) -> int:
    """Return a card on a jump where it can lie, or to be done; after PULL a card can still be laid, late."""
    pulled, hand, own, opened = s[at.PHASE] == at.PULLED, m[at.HAND + seat], t[at.OWN + seat], i64(s[at.OPENED])
    characters, jumpcards = kinds_in(hand, at.CHARACTER_KINDS), kinds_in(hand, at.JUMPCARD_KINDS)
    on_own = popc(characters) * popc(own)
    on_opened = popc(jumpcards) * popc(opened)
    done = 0 if pulled or s[at.READY] >> seat & 1 else 1
    k = chosen(c, on_own + on_opened + done, k)
    if k == COUNT:
        return on_own + on_opened + done
    first = t[at.LATE_PLAYS] if pulled else t[at.PLAYS]
    if k < on_own:
        standing = 0 if pulled else i64(s[at.STANDING + seat])
        jump = nth_own(own, standing, k // popc(characters))
        return first + at.CARDS * jump + nth_kind(characters, k % popc(characters))
    k -= on_own
    if k < on_opened:
        jump = nth_in_word(opened, k // popc(jumpcards))
        return first + at.CARDS * jump + nth_kind(jumpcards, k % popc(jumpcards))
    return at.SAY_DONE


def nth_own(own: int, standing: int, k: int) -> int:
    """Return the k-th jump for a character card: first those where the player has none yet."""
    free = popc(own & ~standing)
    return nth_in_word(own & ~standing, k) if k < free else nth_in_word(own & standing, k - free)
