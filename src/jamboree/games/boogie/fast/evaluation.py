"""Evaluation for the greedy player of Boogie Beasts: trust, pledges, and the value of cards on jumps."""

from jamboree.core.twin.bits import Reals, Row, ctz, i64, popc
from jamboree.core.twin.chance import COUNTER, random_at

from . import layout as at
from .cards import count_of, kinds_in, pile_of, size_of
from .jury import jump_of, weigh, worth_of
from .seen import TALLY_MASK, heard, told

TRUSTED = 0.6  # of the promises of a player whose word counts
GOODWILL = 2  # promises everybody is taken to have kept before the first
PER_DIE = 3  # worth of a figure others are expected to lay
UNSAID = 3  # worth of the figures a jumper is expected to lay without saying so
UNIT = 1.0 / (1 << 32)
WORST = -1e9
ODDS_UNIT = 1.0 / (1 << 62)


def uniform(c: Row) -> float:
    c[COUNTER] += 1
    return random_at(c, c[COUNTER]) * UNIT


def below(c: Row, n: int) -> int:
    """Return a random index below n, as `random.Random` computes it from 53 bits."""
    c[COUNTER] += 1
    return (random_at(c, c[COUNTER]) << 21) % n


def trusted(s: Row, t: Row, me: int) -> int:
    """Return the players who kept most of the promises that this player saw judged, as a mask."""
    found = 1 << me
    for seat in range(t[at.PLAYERS]):
        tally = told(s, t, seat, me)
        kept, broken = tally & TALLY_MASK, tally >> at.TALLY & TALLY_MASK
        if (kept + GOODWILL) / (kept + broken + GOODWILL) >= TRUSTED:
            found |= 1 << seat
    return found


def pledged(s: Row, t: Row, me: int, trust: int) -> int:
    """Return the trusted players who promised to join each formation for sure: eight bits for each formation."""
    found = 0
    for seat in range(t[at.PLAYERS]):
        for promise in range(at.MOST_PROMISES * seat, at.MOST_PROMISES * seat + s[at.MADE + seat]):
            term = i64(s[at.TERM + promise])
            if t[at.PLAYERS] <= term < t[at.JUMPS_HERE] and heard(i64(s[at.DEAL + promise]), seat, me):
                found |= (trust & 1 << seat) << 8 * (term - t[at.PLAYERS])
    return found


def pledged_on(pledges: int, formation: int) -> int:
    return pledges >> 8 * formation & 255


def pledges_of(t: Row, pledges: int, seat: int) -> int:
    """Return the formations that a player promised to join, as a mask."""
    found = 0
    for formation in range(t[at.FORMATIONS]):
        found |= (pledges >> 8 * formation + seat & 1) << formation
    return found


def from_others(s: Row, t: Row, me: int, trust: int, pledges: int, formation: int) -> tuple[int, int]:
    """Estimate the dice and the difficulty that the other jumpers bring to a formation."""
    silent, total = t[at.NEEDED + t[at.PLAYERS] + formation] - 1, 0
    for seat in range(t[at.PLAYERS]):
        most = 0
        if seat != me and trust >> seat & 1:
            for promise in range(at.MOST_PROMISES * seat, at.MOST_PROMISES * seat + s[at.MADE + seat]):
                term = i64(s[at.TERM + promise])
                worth = worth_of(t, term)
                if worth > most and jump_of(t, term) == t[at.PLAYERS] + formation:
                    most = worth if heard(i64(s[at.DEAL + promise]), seat, me) else most
        total += most
        silent -= 1 if most > 0 else 0
    if silent > 0 and pledged_on(pledges, formation) == 0:
        total += UNSAID * silent
    return (total + PER_DIE - 1) // PER_DIE, total


def comes_about(t: Row, me: int, pledges: int, formation: int) -> float:
    """Estimate the probability that a formation gets its number of jumpers, this player among them."""
    others = popc(pledged_on(pledges, formation) & ~(1 << me))
    if others == t[at.NEEDED + t[at.PLAYERS] + formation] - 1:
        return 0.8
    return 0.25 if others > 0 else 0.3


def laid_worth(m: Row, t: Row, me: int, jump: int) -> int:
    """Return the sum of the figures that this player has laid on a jump."""
    return weigh(t, m[pile_of(t, jump, me)] & at.FIGURE_BITS)[1]


def least_worth(t: Row, figures: int, worth: int, scratch: Reals) -> int:
    """Choose figures of at least a given sum, with the smallest excess and the fewest cards; all, if their sum is
    lower."""
    all_worth = weigh(t, figures)[1]
    if worth <= 0 or worth >= all_worth:
        return 0 if worth <= 0 else figures
    for total in range(1, all_worth + 1):
        scratch[at.SUMS + total] = -1.0
    scratch[at.SUMS] = 0.0
    for card in range(at.FIGURES - 1, -1, -1):
        for _ in range(count_of(figures, card)):
            for total in range(all_worth - t[at.VALUE + card], -1, -1):
                with_card = i64(scratch[at.SUMS + total]) + (1 << at.NIBBLE * card)
                there = i64(scratch[at.SUMS + total + t[at.VALUE + card]])
                if scratch[at.SUMS + total] >= 0.0 and (there < 0 or size_of(with_card) < size_of(there)):
                    scratch[at.SUMS + total + t[at.VALUE + card]] = 1.0 * with_card
    while scratch[at.SUMS + worth] < 0.0:
        worth += 1
    return i64(scratch[at.SUMS + worth])


def free_figures(m: Row, s: Row, t: Row, me: int, scratch: Reals) -> int:
    """Return the figures in hand that no promise needs; promises choose theirs in the order they were made."""
    free = m[at.HAND + me] & at.FIGURE_BITS
    for promise in range(at.MOST_PROMISES * me, at.MOST_PROMISES * me + s[at.MADE + me]):
        free -= set_aside(m, s, t, me, promise, free, scratch)
    return free


def set_aside(m: Row, s: Row, t: Row, me: int, promise: int, free: int, scratch: Reals) -> int:
    """Choose figures for a promise of figures."""
    term = i64(s[at.TERM + promise])
    worth = worth_of(t, term)
    return least_worth(t, free, worth - laid_worth(m, t, me, jump_of(t, term)), scratch) if worth > 0 else 0


def odds(t: Row, dice: int, difficulty: int) -> float:
    """Return the probability that a number of dice totals at least a difficulty."""
    if difficulty > t[at.DICE] * dice:
        return 0.0
    row = at.ODDS + 3 * dice * dice - 2 * dice
    return t[row + (difficulty if difficulty > 0 else 0)] * ODDS_UNIT


def begin_list(s: Row, t: Row, me: int, trust: int, pledges: int, jump: int, scratch: Reals) -> None:
    """Start the list of cards for a jump, unless there is one: the cards of others, and the probability that it takes
    place."""
    count = i64(scratch[at.ORDER_COUNT])
    for place in range(count):
        if i64(scratch[at.ORDER + place]) == jump:
            return
    dice, total, likely_jump = 0, 0, 1.0
    if jump >= t[at.PLAYERS]:
        dice, total = from_others(s, t, me, trust, pledges, jump - t[at.PLAYERS])
        likely_jump = comes_about(t, me, pledges, jump - t[at.PLAYERS])
    scratch[at.ORDER + count], scratch[at.ORDER_COUNT] = jump, count + 1
    scratch[at.CHOSEN + jump], scratch[at.CHOSEN_COUNT + jump], scratch[at.LIKELY + jump] = 0, 0, likely_jump
    scratch[at.ITS_DICE + jump] = dice
    scratch[at.ITS_DIFFICULTY + jump] = scratch[at.ITS_POTENTIAL + jump] = total


def add_card(t: Row, jump: int, card: int, scratch: Reals) -> None:
    """Add a card to the list of a jump."""
    scratch[at.CHOSEN + jump] += card << at.NIBBLE * i64(scratch[at.CHOSEN_COUNT + jump])
    scratch[at.CHOSEN_COUNT + jump] += 1
    value = t[at.VALUE + card]
    scratch[at.ITS_DIFFICULTY + jump] += value
    if card < at.FIGURES and (jump >= t[at.PLAYERS] or value <= t[at.SOLO_MOST]):
        scratch[at.ITS_DICE + jump] += 1
        scratch[at.ITS_POTENTIAL + jump] += value


def best_card(t: Row, hand: int, scratch: Reals) -> tuple[float, int, int]:
    """Return the card of a hand that adds most to one of the jumps, its gain, and the jump; of equals the first by
    name."""
    best, best_at, best_jump = WORST, -1, -1
    for place in range(i64(scratch[at.ORDER_COUNT])):
        jump = i64(scratch[at.ORDER + place])
        dice, difficulty = i64(scratch[at.ITS_DICE + jump]), i64(scratch[at.ITS_DIFFICULTY + jump])
        potential, likely_jump = scratch[at.ITS_POTENTIAL + jump], scratch[at.LIKELY + jump]
        before, kinds = likely_jump * potential * odds(t, dice, difficulty), kinds_in(hand, at.JUMPCARD_KINDS)
        while kinds:
            card = ctz(kinds) // at.NIBBLE
            kinds &= kinds - 1
            value = t[at.VALUE + card]
            if jump < t[at.PLAYERS] and value > t[at.SOLO_MOST]:
                continue
            die = 1 if card < at.FIGURES else 0
            after = likely_jump * (potential + die * value) * odds(t, dice + die, difficulty + value)
            if after - before > best or (after - before == best and goes_before(t, card, jump, best_at, best_jump)):
                best, best_at, best_jump = after - before, card, jump
    return best, best_at, best_jump


def goes_before(t: Row, card: int, jump: int, other: int, other_jump: int) -> bool:
    """Compare two cards of equal gain by name, then by the jump's number."""
    if t[at.NAME + card] != t[at.NAME + other]:
        return t[at.NAME + card] > t[at.NAME + other]
    return t[at.NEEDED + jump] > t[at.NEEDED + other_jump]
