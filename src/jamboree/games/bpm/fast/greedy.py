"""The greedy player of BPM: completes or prepares lines, blocks others, and regards its quest.

It evaluates the floor after its own song, as if nothing changed until combos.
"""

from jamboree.core.twin.bits import Reals, Row, ctz, i64, popc
from jamboree.core.twin.chance import COUNTER, random_at
from jamboree.core.twin.choosing import nth_legal

from . import layout as at
from .combos import bonus_fans
from .evaluation import (
    UNCHANGED,
    WORST,
    asked_for,
    begin_evaluation,
    best_play,
    conditions_of,
    lay_fans,
    weight,
    without,
    worth,
)
from .floor import free_dancers, lines_of
from .legal import count_legal, finish_id
from .rounds import welcome_spots
from .songs import song_of

NOISE = 0.05  # by which equal choices may differ
UNIT = 1.0 / (1 << 32)


def decide(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals) -> int:
    if s[at.SEALED + actor] != at.NONE:
        return -1
    if count_legal(m, s, t, actor) == 1:
        return nth_legal(m, s, t, actor, 0)
    return choose_greedily(m, s, c, t, actor, scratch)


def choose_greedily(m: Row, s: Row, c: Row, t: Row, actor: int, scratch: Reals) -> int:
    """Return the id of an action if there are several."""
    phase, conditions = s[at.PHASE], conditions_of(s, t, i64(s[at.CARD]))
    if phase == at.SETLIST:
        return worst_pair(m, s, c, t, actor, scratch)
    if phase == at.CUE:
        begin_evaluation(m, t, conditions, actor, True, scratch)
        return at.CUES + best_song(m, s, c, t, conditions, actor, scratch)
    if phase == at.SONG_PHASE:
        begin_evaluation(m, t, conditions, actor, False, scratch)
        return best_play(m, s, t, conditions, actor, song_of(s, t, actor), False, scratch)[1]
    if phase == at.HYPE:
        return t[at.HYPE_IDS] + best_card(m, s, c, t, actor, scratch)
    if phase == at.WELCOME:
        begin_evaluation(m, t, conditions, actor, False, scratch)
        cells, least = welcome_spots(m, s, t, actor), scratch[UNCHANGED]
        return best_cell(m, c, t, conditions, actor, actor, cells, least, scratch)
    if phase == at.GIFT:
        owner, cells = i64(s[at.ORDER + s[at.AT]]), free_dancers(m)
        lay_fans(m, t, scratch)
        return best_cell(m, c, t, conditions, actor, owner, cells, WORST, scratch)
    return best_fan(m, s, c, t, conditions, actor, scratch)


def whim(c: Row) -> float:
    c[COUNTER] += 1
    return NOISE * (random_at(c, c[COUNTER]) * UNIT)


def worst_pair(m: Row, s: Row, c: Row, t: Row, seat: int, scratch: Reals) -> int:
    """Choose the two songs to discard: those that fit the floor least or resemble other songs in hand."""
    kinds, liking = 0, weight(t, seat, at.COLOUR_USE) / 100
    on_break, same = weight(t, seat, at.BREAK_COST) / 100, weight(t, seat, at.SAME_COST) / 100
    for slot in range(at.HAND_MOST):
        song = t[at.SONG + s[at.HAND + at.HAND_MOST * seat + slot]] & 15
        use = liking * popc(m[at.COLOUR + (song & 3)]) - on_break * (1 if song >> 2 == at.BREAK else 0)
        scratch[slot] = use - same * (kinds >> song & 1) + whim(c)
        kinds |= 1 << song
    best, choice, pair = -WORST, 0, 0
    for first in range(at.HAND_MOST - 1):
        for second in range(first + 1, at.HAND_MOST):
            if scratch[first] + scratch[second] < best:
                best, choice = scratch[first] + scratch[second], pair
            pair += 1
    return choice


def best_card(m: Row, s: Row, c: Row, t: Row, seat: int, scratch: Reals) -> int:
    """Choose the Hype card under which the player's fans are worth most."""
    best, choice = WORST, 0
    lay_fans(m, t, scratch)
    for place in range(2):
        card = i64(s[at.DRAWN + place])
        bends = at.BENDS + at.FIELDS * (card + 1)
        found = worth(t, conditions_of(s, t, card), seat, seat, 0, free_dancers(m), False, scratch)
        found = found + weight(t, seat, at.CARD_USE) / 100 * (t[bends + at.PLACEMENTS] + t[bends + at.SWAPS]) + whim(c)
        if found > best:
            best, choice = found, place
    return choice


def best_song(m: Row, s: Row, c: Row, t: Row, conditions: int, seat: int, scratch: Reals) -> int:
    """Cue the song that would be best if it were played at once."""
    best, choice, kinds = WORST, 0, 0
    for slot in range(s[at.SONGS_HELD + seat]):
        song = t[at.SONG + s[at.HAND + at.HAND_MOST * seat + slot]] & 15
        if kinds >> song & 1 == 0:
            kinds |= 1 << song
            found = best_play(m, s, t, conditions, seat, song, True, scratch)[0] + whim(c)
            if found > best:
                best, choice = found, slot
    return choice


def best_cell(
    m: Row, c: Row, t: Row, conditions: int, seat: int, owner: int, cells: int, least: float, scratch: Reals
) -> int:
    """Place a token where it is worth most to this player, whoever owns it; decline if no cell is good enough."""
    best, empty, action = least, free_dancers(m), finish_id(t) + 1
    while cells:
        cell = ctz(cells)
        cells &= cells - 1
        found = worth(t, conditions, seat, owner, 1 << cell, empty & ~(1 << cell), False, scratch) + whim(c)
        if found > best:
            best, action = found, t[at.SEND_IDS] + at.PLACE_BLOCK * t[at.CELLS] + cell
    return action


def best_fan(m: Row, s: Row, c: Row, t: Row, conditions: int, seat: int, scratch: Reals) -> int:
    """Choose a fan: to give up, the least useful one; as a superfan, one that the quest asks for or that lines need
    least; to stay, a useful one that the quest does not ask for."""
    phase, best, choice, block = s[at.PHASE], WORST, 0, at.RECOVER_BLOCK
    cells = lines = m[at.FANS + seat]
    if phase == at.BONUS:
        cells, block = bonus_fans(m, s, t, seat), at.SUPERFAN_BLOCK
    elif phase == at.STAY:
        cells = lines = lines_of(m, s, t, seat)
        block = at.KEEP_BLOCK
    while cells:
        cell = ctz(cells)
        cells &= cells - 1
        gone = lines & ~(1 << cell) if phase == at.STAY else 1 << cell
        asked = 0 if phase == at.RECOVER else asked_for(s, t, seat, gone)
        found = without(m, t, conditions, seat, gone, scratch) + asked + whim(c)
        if found > best:
            best, choice = found, cell
    return t[at.SEND_IDS] + block * t[at.CELLS] + choice
