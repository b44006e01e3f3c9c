"""Determinization by importance sampling: fills hidden hands and face-down cards consistently with a view.

A card in a hidden hand is old (held when the deck was last made) or fresh (drawn from it since); a card that the jury
turned may have been either. Histories are sampled card by card, and one is chosen by weight.
"""

from jamboree.core.twin.bits import Row, i64, larger
from jamboree.core.twin.chance import pick

from . import layout as at
from .cards import count_of, draw, pile_of, size_of

HISTORIES = 8  # samples from which one is chosen
FINE = 1 << 30  # resolution of weights
SLOT_MASK = (1 << at.SLOT) - 1


def imagine(m: Row, s: Row, c: Row, t: Row, guesses: Row) -> None:
    """Deal the hidden jumpcards of each seat, and leave the rest in the deck."""
    old, fresh, old_slots, fresh_slots = likely(c, guesses)
    for seat in range(t[at.PLAYERS]):
        if guesses[at.HIDDEN] >> seat & 1:
            cards = t[at.CHARACTERS]
            for _ in range(old_slots >> at.SLOT * seat & SLOT_MASK):
                one = 1 << at.NIBBLE * draw(c, old, size_of(old))
                old, cards = old - one, cards + one
            for _ in range(fresh_slots >> at.SLOT * seat & SLOT_MASK):
                one = 1 << at.NIBBLE * draw(c, fresh, size_of(fresh))
                fresh, cards = fresh - one, cards + one
            spread(m, s, c, t, guesses, seat, cards)
    m[at.DECK] = fresh
    s[at.DECK_TOTAL] = size_of(fresh)


def likely(c: Row, guesses: Row) -> tuple[int, int, int, int]:
    """Sample histories and choose one by its weight; without old cards there is only one."""
    old, fresh, old_slots, fresh_slots, weights = 0, 0, 0, 0, 0.0
    while weights == 0.0:
        for _ in range(HISTORIES if guesses[at.OLD] else 1):
            found = history(c, guesses)
            weights += found[4]
            if found[4] > 0.0 and pick(c, FINE) * weights < found[4] * FINE:
                old, fresh, old_slots, fresh_slots = found[0], found[1], found[2], found[3]
    return old, fresh, old_slots, fresh_slots


def history(c: Row, guesses: Row) -> tuple[int, int, int, int, float]:
    """Sample for each card that the jury turned whether it was old or fresh; return the remaining cards and the
    weight."""
    old, old_slots = guesses[at.OLD], guesses[at.OLD_SLOTS]
    fresh, fresh_slots = guesses[at.FRESH], guesses[at.FRESH_SLOTS]
    old_total, fresh_total, weight = size_of(old), size_of(fresh), 1.0
    for place in range(at.TURNED_CARDS, at.TURNED_CARDS + guesses[at.TURNED]):
        seat, card = guesses[place] // at.CARDS, guesses[place] % at.CARDS
        olds, freshes = old_slots >> at.SLOT * seat & SLOT_MASK, fresh_slots >> at.SLOT * seat & SLOT_MASK
        as_old = olds * count_of(old, card) * larger(fresh_total, 1)
        as_fresh = freshes * count_of(fresh, card) * larger(old_total, 1)
        weight *= (as_old + as_fresh) / (larger(old_total, 1) * larger(fresh_total, 1) * (olds + freshes))
        if as_old + as_fresh == 0:
            break
        if pick(c, as_old + as_fresh) < as_old:
            old, old_total = old - (1 << at.NIBBLE * card), old_total - 1
            old_slots -= 1 << at.SLOT * seat
        else:
            fresh, fresh_total = fresh - (1 << at.NIBBLE * card), fresh_total - 1
            fresh_slots -= 1 << at.SLOT * seat
    return old, fresh, old_slots, fresh_slots, weight


def spread(m: Row, s: Row, c: Row, t: Row, guesses: Row, seat: int, cards: int) -> None:
    """Place a seat's cards where it laid some face down; the rest stays in hand."""
    for jump in range(t[at.JUMPS_HERE]):
        laid = guesses[at.LAID + jump * t[at.PLAYERS] + seat]
        for number in range(laid // 16 + laid % 16):
            one = 1 << at.NIBBLE * any_card(c, cards, number < laid // 16)
            m[pile_of(t, jump, seat)] += one
            cards -= one
    if s[at.LATE_PLAY + seat] > 0:
        late = i64(s[at.LATE_PLAY + seat]) - 1
        card = any_card(c, cards, late % at.CARDS >= at.SURE)
        s[at.LATE_PLAY + seat] = 1 + late // at.CARDS * at.CARDS + card
        cards -= 1 << at.NIBBLE * card
    m[at.HAND + seat] = cards


def any_card(c: Row, cards: int, character: bool) -> int:
    if character:
        return at.SURE + draw(c, cards >> at.CHARACTER, size_of(cards >> at.CHARACTER))
    return draw(c, cards & at.JUMPCARD_BITS, size_of(cards & at.JUMPCARD_BITS))
