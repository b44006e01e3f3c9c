"""Multisets of cards in a word, four bits for each kind."""

from jamboree.core.twin.bits import Row, nth_in_word
from jamboree.core.twin.chance import pick

from . import layout as at

BYTES = 0x0F0F0F0F0F0F0F0F


def count_of(cards: int, card: int) -> int:
    return cards >> at.NIBBLE * card & 15


def size_of(cards: int) -> int:
    """Return the number of cards, at most 254: counts are added as digits to the base 256."""
    return ((cards & BYTES) + (cards >> at.NIBBLE & BYTES)) % 255


def kinds_in(cards: int, kinds: int) -> int:
    """Return the kinds that are present, each as its lowest bit."""
    spread = cards | cards >> 1
    return (spread | spread >> 2) & kinds


def nth_kind(kinds: int, k: int) -> int:
    return nth_in_word(kinds, k) // at.NIBBLE


def nth_card(cards: int, k: int) -> int:
    """Return the kind of the k-th card, with cards sorted by kind."""
    card = 0
    while k >= cards & 15 and card < at.CARDS - 1:  # a damaged row may have none
        k -= cards & 15
        cards >>= at.NIBBLE
        card += 1
    return card


def draw(c: Row, cards: int, total: int) -> int:
    """Return the kind of a random card."""
    return nth_card(cards, pick(c, total))


def pile_of(t: Row, jump: int, seat: int) -> int:
    """Return the index of a player's pile on a jump."""
    return at.PILE + jump * t[at.PLAYERS] + seat
