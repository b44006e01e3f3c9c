"""The jury: every jump is turned and scored, promises are judged, and the next jumprun is prepared."""

from jamboree.core.twin.bits import Row, ctz, i64, popc
from jamboree.core.twin.chance import pick

from . import layout as at
from .cards import count_of, pile_of


def hold_jury(m: Row, s: Row, c: Row, t: Row) -> None:
    """Turn and score jump by jump, judge the promises, clear the table, and move the jumpmaster."""
    players = t[at.PLAYERS]
    for turn in range(t[at.JUMPS_HERE]):  # solos from the jumpmaster leftwards, then formations by number
        jump = (i64(s[at.JUMPMASTER]) + turn) % players if turn < players else turn
        if s[at.OPENED] >> jump & 1:
            score_jump(m, s, c, t, jump)
    for seat in range(players):
        for promise in range(s[at.MADE + seat]):
            judge(m, s, t, seat, at.MOST_PROMISES * seat + promise)
    clear_table(m, s, t)
    next_jumprun(s, t)


def stances(m: Row, s: Row, t: Row, jump: int) -> tuple[int, int]:
    """Return the seats that take part in a jump with ✓ and with ❓, as masks. Two or more character cards of one
    player: all of them come off; those of a late player come off every jump."""
    sure, maybe = 0, 0
    for seat in range(t[at.PLAYERS]):
        characters = m[pile_of(t, jump, seat)] >> at.CHARACTER
        if characters == at.ONLY_SURE:
            sure |= 1 << seat
        elif characters == at.ONLY_MAYBE:
            maybe |= 1 << seat
    return sure & ~i64(s[at.LATE]), maybe & ~i64(s[at.LATE])


def jumpers(required: int, sure: int, maybe: int) -> int:
    """Return the seats that take part in this jump; none if it fails."""
    if popc(sure) > required:  # too many sure jumpers
        return 0
    if popc(sure) == required:  # the others are ignored
        return sure
    both = sure | maybe  # too few: the maybes count too
    return 0 if popc(both) > required else both


def score_jump(m: Row, s: Row, c: Row, t: Row, jump: int) -> None:
    """Score a jump, with a die for each figure if it takes place. All jumpcards count, whoever played them."""
    sure, maybe = stances(m, s, t, jump)
    who = jumpers(t[at.NEEDED + jump], sure, maybe)
    if who == 0:
        return
    dice, potential, difficulty = weigh(t, turned(m, t, jump))
    total = 0
    for _ in range(dice):  # a jump that takes place always rolls, even when the result is certain
        total += 1 + pick(c, t[at.DICE])
    if dice == 0 or total < difficulty:
        return
    points = potential // 2 if popc(who) < t[at.NEEDED + jump] else potential  # too few: half of it, rounded down
    while who:
        s[at.SCORE + ctz(who)] += points
        who &= who - 1


def turned(m: Row, t: Row, jump: int) -> int:
    """Return the jumpcards on a jump. Figures 3 to 6 on a solo are not allowed: discarded, no effect."""
    cards = 0
    for seat in range(t[at.PLAYERS]):
        cards += m[pile_of(t, jump, seat)] & at.JUMPCARD_BITS
    return cards & ~t[at.REFUSED] if jump < t[at.PLAYERS] else cards


def weigh(t: Row, cards: int) -> tuple[int, int, int]:
    """Dice: the number of figures. Potential: the sum of figures. Difficulty: figures and effects."""
    dice, potential, difficulty = 0, 0, 0
    while cards:
        card = ctz(cards) // at.NIBBLE
        count = count_of(cards, card)
        cards ^= count << at.NIBBLE * card
        difficulty += count * t[at.VALUE + card]
        if card < at.FIGURES:
            dice += count
            potential += count * t[at.VALUE + card]
    return dice, potential, difficulty


def judge(m: Row, s: Row, t: Row, seat: int, promise: int) -> None:
    """Count a promise as kept, broken or void; it is void, too, when the other side of an exchange failed."""
    deal, verdict = i64(s[at.DEAL + promise]), at.KEPT
    to, asked = (deal >> at.DEAL_TO) - 2, (deal & 255) - 1
    if asked != at.NO_TERM and judge_term(m, s, t, to, asked) != at.KEPT:
        verdict = at.VOID
    else:
        verdict = judge_term(m, s, t, seat, i64(s[at.TERM + promise]))
    tally = at.TOLD_ALL + seat if to == at.TO_ALL else at.TOLD_ONE + at.SEATS * seat + to
    s[tally] += 1 << at.TALLY * verdict


def judge_term(m: Row, s: Row, t: Row, seat: int, term: int) -> int:
    """Judge one side of a promise by what its maker laid; it is void when its jump never came about."""
    jump = jump_of(t, term)
    sure, maybe = stances(m, s, t, jump)
    if sure | maybe == 0:  # nobody was there to jump
        return at.VOID
    stance, worth, cards = term // t[at.JUMPS_HERE], worth_of(t, term), m[pile_of(t, jump, seat)]
    if stance == 0:
        kept = sure >> seat & 1 == 1
    elif stance == 1:
        kept = maybe >> seat & 1 == 1
    elif stance == 2:
        kept = (sure | maybe) >> seat & 1 == 0
    elif worth > 0:
        kept = weigh(t, cards & at.FIGURE_BITS & ~(t[at.REFUSED] if jump < t[at.PLAYERS] else 0))[1] >= worth
    else:  # harmful: a positive effect
        kept = cards & t[at.HARMFUL] == 0
    return at.KEPT if kept else at.BROKEN


def jump_of(t: Row, term: int) -> int:
    """Return the jump that a term is about."""
    jumps = t[at.JUMPS_HERE]
    if worth_of(t, term) > 0:
        return (term - at.STANCES * jumps) // t[at.WORTH_MOST]
    return term % jumps if term < at.STANCES * jumps else term - (at.STANCES + t[at.WORTH_MOST]) * jumps


def worth_of(t: Row, term: int) -> int:
    """Return the minimum figures that a term promises; 0 for other terms."""
    place = term - at.STANCES * t[at.JUMPS_HERE]
    return 1 + place % t[at.WORTH_MOST] if 0 <= place < t[at.WORTH_MOST] * t[at.JUMPS_HERE] else 0


def clear_table(m: Row, s: Row, t: Row) -> None:
    """Played jumpcards are discarded, character cards return."""
    for jump in range(t[at.JUMPS_HERE]):
        for seat in range(t[at.PLAYERS] if s[at.OPENED] >> jump & 1 else 0):
            m[at.DISCARD] += m[pile_of(t, jump, seat)] & at.JUMPCARD_BITS
            m[pile_of(t, jump, seat)] = 0
    for seat in range(t[at.PLAYERS]):
        if s[at.LATE_PLAY + seat]:
            m[at.DISCARD] += 1 << at.NIBBLE * ((i64(s[at.LATE_PLAY + seat]) - 1) % at.CARDS) & at.JUMPCARD_BITS
        m[at.HAND + seat] = m[at.HAND + seat] & at.JUMPCARD_BITS | t[at.CHARACTERS]
        for promise in range(at.MOST_PROMISES * seat, at.MOST_PROMISES * seat + s[at.MADE + seat]):
            s[at.TERM + promise] = 0
            s[at.DEAL + promise] = 0
        s[at.STANDING + seat] = 0
        s[at.LATE_PLAY + seat] = 0
        s[at.BEGUN + seat] = 0
        s[at.MADE + seat] = 0
    s[at.OPENED] = 0
    s[at.LATE] = 0


def next_jumprun(s: Row, t: Row) -> None:
    """The player to the left of the jumpmaster becomes the new one; after the fourth jumprun the game is over."""
    s[at.READY] = 0
    s[at.SPENT] = t[at.EVERYONE]
    if s[at.JUMPRUN] == t[at.JUMPRUNS] - 1:
        s[at.PHASE] = at.OVER
    else:
        s[at.PHASE] = at.PREPARATION
        s[at.JUMPRUN] += 1
        s[at.JUMPMASTER] = (i64(s[at.JUMPMASTER]) + 1) % t[at.PLAYERS]
