"""The greedy player of Boogie Beasts: gathers jumpers by open promises, plays the cards that add most, lies at a given
rate, and trusts players who kept their promises.

The plan of a jumprun, made at its first card, is stored in the row from MEMORY on.
"""

from jamboree.core.twin.bits import Reals, Row, ctz, i64, nth_in_word, popc
from jamboree.core.twin.interface import CLOCK

from . import layout as at
from .cards import count_of, nth_card, size_of
from .evaluation import (
    add_card,
    begin_list,
    below,
    best_card,
    free_figures,
    pledged,
    pledged_on,
    pledges_of,
    set_aside,
    trusted,
    uniform,
)
from .jury import jump_of, worth_of

ALONE = 0.7  # how often a bot that heard nothing tries a formation with each of its ✓ cards
EMPTY_SOLO = 0.1  # how often it goes solo with nothing to show
MARGIN = 0.4  # points a card has to add, or it is kept for later
NOISE = 0.1
FIGURES_EACH = 3  # laid on a formation by promise, at most
WAIT, NOTHING = -1, -1


def decide(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals) -> int:
    if actor == CLOCK:
        return at.TIME_UP
    if s[at.PHASE] == at.PULLED or s[at.READY] >> actor & 1:
        return WAIT
    if s[at.PHASE] == at.PREPARATION:
        return at.SAY_READY
    return say(m, s, c, t, actor, scratch) if s[at.PHASE] == at.PLANE else lay_next(m, s, c, t, actor, scratch)


def sure_cards(t: Row) -> int:
    return count_of(t[at.CHARACTERS], at.SURE)


def say(m: Row, s: Row, c: Row, t: Row, me: int, scratch: Reals) -> int:
    """Make one promise after the other, then be ready."""
    if t[at.PROMISING] == 0:
        return at.SAY_READY
    to, asked, term = next_promise(m, s, c, t, me, scratch)
    return say_promise(s, t, me, to, asked, term)


def say_promise(s: Row, t: Row, me: int, to: int, asked: int, term: int) -> int:
    """Return the next part of a chosen promise: the recipient, the term asked in exchange, or the term."""
    if term == at.NO_TERM:
        return at.SAY_READY
    draft = i64(s[at.DRAFT + me])
    if draft == 0 or (draft >> at.DEAL_TO) - 2 != to:
        address = at.ADDRESSES + (t[at.PLAYERS] if to == at.TO_ALL else to)
        return address if s[at.BEGUN + me] < t[at.PROMISES] else at.SAY_READY
    return t[at.ASKING] + asked if asked != at.NO_TERM and draft & 255 == 0 else t[at.PROMISING_TERM] + term


def next_promise(m: Row, s: Row, c: Row, t: Row, me: int, scratch: Reals) -> tuple[int, int, int]:
    """Choose a promise: its recipient, the term asked in exchange, and its term; no term if nothing is left."""
    trust = trusted(s, t, me)
    pledges = pledged(s, t, me, trust)
    mine = pledges_of(t, pledges, me)
    for formation in range(t[at.FORMATIONS]):
        if mine >> formation & 1 and not said_figures(s, t, me, t[at.PLAYERS] + formation):
            worth = share(t, free_figures(m, s, t, me, scratch), popc(mine) < sure_cards(t))
            if worth > 0:
                worth = worth if worth < t[at.WORTH_MOST] else t[at.WORTH_MOST]
                place = (t[at.PLAYERS] + formation) * t[at.WORTH_MOST] + worth - 1
                return at.TO_ALL, at.NO_TERM, at.STANCES * t[at.JUMPS_HERE] + place
    wanted = wanted_formation(s, c, t, me, mine, trust, pledges) if popc(mine) < sure_cards(t) else NOTHING
    if wanted != NOTHING:
        return at.TO_ALL, at.NO_TERM, t[at.PLAYERS] + wanted
    return last_jumper(s, t, me, trust, pledges)


def said_figures(s: Row, t: Row, me: int, jump: int) -> bool:
    for promise in range(at.MOST_PROMISES * me, at.MOST_PROMISES * me + s[at.MADE + me]):
        term = i64(s[at.TERM + promise])
        if worth_of(t, term) > 0 and jump_of(t, term) == jump:
            return True
    return False


def share(t: Row, free: int, every_other: bool) -> int:
    """Return figures for a promise, the highest first, every other one, since formations still to come need some."""
    worth, place, taken = 0, 0, 0
    for card in range(at.FIGURES - 1, -1, -1):
        for _ in range(count_of(free, card)):
            if taken < FIGURES_EACH and not (every_other and place & 1):
                worth += t[at.VALUE + card]
                taken += 1
            place += 1
    return worth


def could_join(s: Row, t: Row, me: int, trust: int, pledges: int, formation: int) -> int:
    """Return the number of other players whose promises allow them to join a formation."""
    count, seats = 0, trust & ~(1 << me) & ~i64(s[at.READY]) & ~pledged_on(pledges, formation)
    while seats:
        count += 1 if popc(pledges_of(t, pledges, ctz(seats))) < sure_cards(t) else 0
        seats &= seats - 1
    return count


def wanted_formation(s: Row, c: Row, t: Row, me: int, mine: int, trust: int, pledges: int) -> int:
    """Choose a formation that lacks jumpers and can still get them; the one that lacks fewest first."""
    best, best_at = 0.0, NOTHING
    for formation in range(t[at.FORMATIONS]):
        number, said = t[at.NEEDED + t[at.PLAYERS] + formation], popc(pledged_on(pledges, formation))
        reach = said + 1 + could_join(s, t, me, trust, pledges, formation)
        if not mine >> formation & 1 and said < number <= reach:
            wish = (said + 1) / number * number**0.5 + NOISE * uniform(c)
            if wish >= best:
                best, best_at = wish, formation
    return best_at


def last_jumper(s: Row, t: Row, me: int, trust: int, pledges: int) -> tuple[int, int, int]:
    """Offer peace to a player in exchange for joining as the last jumper of a formation."""
    mine, harmless = pledges_of(t, pledges, me), (at.STANCES + t[at.WORTH_MOST]) * t[at.JUMPS_HERE]
    for formation in range(t[at.FORMATIONS]):
        on_it = pledged_on(pledges, formation)
        if mine >> formation & 1 and t[at.NEEDED + t[at.PLAYERS] + formation] - popc(on_it) == 1:
            seats = trust & ~on_it & ~i64(s[at.READY])
            while seats:
                seat = ctz(seats)
                seats &= seats - 1
                if popc(pledges_of(t, pledges, seat)) < sure_cards(t) and not has_said(s, me, harmless + seat):
                    return seat, t[at.PLAYERS] + formation, harmless + seat
    return at.TO_ALL, at.NO_TERM, at.NO_TERM


def has_said(s: Row, me: int, term: int) -> bool:
    for promise in range(at.MOST_PROMISES * me, at.MOST_PROMISES * me + s[at.MADE + me]):
        if s[at.TERM + promise] == term:
            return True
    return False


def lay_next(m: Row, s: Row, c: Row, t: Row, me: int, scratch: Reals) -> int:
    """Play the planned cards, then perhaps a harmful card on a rival's jump, then be done."""
    if s[at.PLANNED + me] != s[at.JUMPRUN] + 1:
        make_plan(m, s, c, t, me, scratch)
    planned = next_planned(m, s, me)
    return t[at.PLAYS] + planned if planned >= 0 else spite(m, s, c, t, me)


def next_planned(m: Row, s: Row, me: int) -> int:
    """Remove the first play of the plan that is still possible, and return it; -1 if there is none."""
    for place in range(at.PLAN + at.PLAN_MOST * me, at.PLAN + at.PLAN_MOST * (me + 1)):
        spot = i64(s[place]) - 1
        s[place] = 0
        if spot >= 0 and can_lay(m, s, me, spot // at.CARDS, spot % at.CARDS):
            return spot
    return -1


def can_lay(m: Row, s: Row, me: int, jump: int, card: int) -> bool:
    return count_of(m[at.HAND + me], card) > 0 and (card >= at.SURE or s[at.OPENED] >> jump & 1 == 1)


def make_plan(m: Row, s: Row, c: Row, t: Row, me: int, scratch: Reals) -> None:
    """Plan which promises to break, then character cards, then jumpcards."""
    s[at.LIES + me] = lied_about(s, c, t, me)
    plan_plays(m, s, c, t, me, scratch)


def plan_plays(m: Row, s: Row, c: Row, t: Row, me: int, scratch: Reals) -> None:
    """Plan the plays, given the promises to break."""
    trust = trusted(s, t, me)
    pledges, first = pledged(s, t, me, trust), at.PLAN + at.PLAN_MOST * me
    s[at.PLANNED + me] = s[at.JUMPRUN] + 1
    for place in range(first, first + at.PLAN_MOST):
        s[place] = 0
    plan_characters(s, c, t, me, pledges)
    scratch[at.ORDER_COUNT] = 0
    for place in range(first, first + at.PLAN_MOST):
        spot = i64(s[place]) - 1
        if spot >= 0 and spot % at.CARDS != at.BLUFF:
            begin_list(s, t, me, trust, pledges, spot // at.CARDS, scratch)
    hand = keep_word(m, s, t, me, trust, pledges, scratch)
    margin = MARGIN if s[at.JUMPRUN] < t[at.JUMPRUNS] - 1 else 0.0
    gain, card, jump = best_card(t, hand, scratch)
    while card >= 0 and gain > margin:
        add_card(t, jump, card, scratch)
        hand -= 1 << at.NIBBLE * card
        gain, card, jump = best_card(t, hand, scratch)
    end_plan(s, c, me, scratch)


def lied_about(s: Row, c: Row, t: Row, me: int) -> int:
    """Choose the jumps about which all promises are broken."""
    asked, lies = 0, 0
    for promise in range(at.MOST_PROMISES * me, at.MOST_PROMISES * me + s[at.MADE + me]):
        jump = jump_of(t, i64(s[at.TERM + promise]))
        if not asked >> jump & 1 and uniform(c) < t[at.LYING] / 1000:
            lies |= 1 << jump
        asked |= 1 << jump
    return lies


def add_play(s: Row, me: int, jump: int, card: int) -> None:
    """Append a play to the plan; a character card not on a jump that already has one of this player."""
    if card >= at.SURE and s[at.STANDING + me] >> jump & 1:
        return
    place = at.PLAN + at.PLAN_MOST * me
    while s[place] > 0:
        place += 1
    s[place] = 1 + at.CARDS * jump + card


def plan_characters(s: Row, c: Row, t: Row, me: int, pledges: int) -> None:
    """Mostly follow the promises; without any, try formations at random. The ❓ goes on the solo."""
    players, promised, sures, maybes = t[at.PLAYERS], pledges_of(t, pledges, me), 0, 0
    used = promised
    for formation in range(t[at.FORMATIONS]):
        if promised >> formation & 1:
            lie = s[at.LIES + me] >> players + formation & 1
            sures += 1 - lie
            add_play(s, me, players + formation, at.BLUFF if lie else at.SURE)
    if t[at.PROMISING] == 0:
        used |= try_formations(s, c, t, me)
        sures = popc(used)
    elif popc(promised) < sure_cards(t):
        lacking = first_lacking(t, pledges)
        if lacking >= 0 and not promised >> lacking & 1:
            maybes, used = 1, used | 1 << lacking
            add_play(s, me, players + lacking, at.MAYBE)
    if maybes == 0:
        add_play(s, me, me, at.MAYBE)
    elif sures < sure_cards(t):
        add_play(s, me, me, at.SURE)
    free = (1 << t[at.FORMATIONS]) - 1 & ~used
    if free and uniform(c) < t[at.BLUFFING] / 1000:
        add_play(s, me, players + nth_in_word(free, below(c, popc(free))), at.BLUFF)


def try_formations(s: Row, c: Row, t: Row, me: int) -> int:
    """Sample as many formations as there are ✓ cards, and play most of them."""
    pool, left, sampled, used = 0x76543210, t[at.FORMATIONS], 0, 0
    count = sure_cards(t) if sure_cards(t) < left else left
    for number in range(count):
        place = below(c, left)
        drawn = pool >> 4 * place & 15
        left -= 1
        pool = pool & ~(15 << 4 * place) | (pool >> 4 * left & 15) << 4 * place
        sampled |= drawn << 4 * number
    for number in range(count):
        formation = sampled >> 4 * number & 15
        if uniform(c) < ALONE:
            used |= 1 << formation
            add_play(s, me, t[at.PLAYERS] + formation, at.SURE)
    return used


def first_lacking(t: Row, pledges: int) -> int:
    """Return the first formation with some, but not enough, jumpers."""
    for formation in range(t[at.FORMATIONS]):
        if 0 < popc(pledged_on(pledges, formation)) < t[at.NEEDED + t[at.PLAYERS] + formation]:
            return formation
    return NOTHING


def keep_word(m: Row, s: Row, t: Row, me: int, trust: int, pledges: int, scratch: Reals) -> int:
    """Plan the promised figures, unless that was a lie; return the other harmless cards."""
    hand, free = m[at.HAND + me] & at.JUMPCARD_BITS & ~t[at.HARMFUL], m[at.HAND + me] & at.FIGURE_BITS
    for promise in range(at.MOST_PROMISES * me, at.MOST_PROMISES * me + s[at.MADE + me]):
        term = i64(s[at.TERM + promise])
        cards, jump = set_aside(m, s, t, me, promise, free, scratch), jump_of(t, term)
        free -= cards
        if worth_of(t, term) > 0 and not s[at.LIES + me] >> jump & 1:
            begin_list(s, t, me, trust, pledges, jump, scratch)
            hand -= cards
            for card in range(at.FIGURES - 1, -1, -1):
                for _ in range(count_of(cards, card)):
                    add_card(t, jump, card, scratch)
    return hand


def end_plan(s: Row, c: Row, me: int, scratch: Reals) -> None:
    """Mostly leave the solo if it has no figures; then add the jumpcards, jump by jump."""
    solo = 0
    for place in range(i64(scratch[at.ORDER_COUNT])):
        if i64(scratch[at.ORDER + place]) == me:
            solo = i64(scratch[at.CHOSEN_COUNT + me])
    if solo == 0 and uniform(c) >= EMPTY_SOLO:
        leave_out(s, me)
    for place in range(i64(scratch[at.ORDER_COUNT])):
        jump = i64(scratch[at.ORDER + place])
        cards = i64(scratch[at.CHOSEN + jump])
        for _ in range(i64(scratch[at.CHOSEN_COUNT + jump])):
            add_play(s, me, jump, cards & 15)
            cards >>= at.NIBBLE


def leave_out(s: Row, me: int) -> None:
    """Remove the player's solo from the plan."""
    first = at.PLAN + at.PLAN_MOST * me
    kept = first
    for place in range(first, first + at.PLAN_MOST):
        spot = s[place]
        s[place] = 0
        if spot > 0 and (spot - 1) // at.CARDS != me:
            s[kept] = spot
            kept += 1


def spite(m: Row, s: Row, c: Row, t: Row, me: int) -> int:
    """Make a rival's jump harder, except where a promise that is meant forbids it."""
    harm = m[at.HAND + me] & t[at.HARMFUL]
    if harm == 0 or uniform(c) >= t[at.SPITING] / 1000:
        return at.SAY_DONE
    spared, harmless = 0, (at.STANCES + t[at.WORTH_MOST]) * t[at.JUMPS_HERE]
    for promise in range(at.MOST_PROMISES * me, at.MOST_PROMISES * me + s[at.MADE + me]):
        if s[at.TERM + promise] >= harmless:
            spared |= 1 << jump_of(t, i64(s[at.TERM + promise]))
    exposed = i64(s[at.OPENED]) & ~i64(s[at.STANDING + me]) & ~(spared & ~i64(s[at.LIES + me]))
    if exposed == 0:
        return at.SAY_DONE
    card = nth_card(harm, below(c, size_of(harm)))
    return t[at.PLAYS] + at.CARDS * nth_in_word(exposed, below(c, popc(exposed))) + card
