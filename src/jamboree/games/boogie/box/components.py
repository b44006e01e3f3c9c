"""What is in the box, read once from data/components.toml.

A card is a small number: the jumpcards as the file lists them, figures first, and then the three character cards.
"""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

DATA = Path(__file__).parent / "data"


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is limited at the table."""

    pause: int
    told_card: float
    told_jump: float
    told_most: int
    pulled: int
    withdrawals: int
    promises: int
    worth_max: int


class Components(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    animals: tuple[str, ...]
    minutes: tuple[int, int]
    formations: tuple[int, ...]
    jumpruns: int
    dice: int
    dealt: int
    hand_max: int
    full_hand: int
    solo_max: int
    characters: dict[str, int]
    figures: dict[str, int]
    effects: dict[str, int]
    limits: Limits


BOX = msgspec.convert(tomllib.loads((DATA / "components.toml").read_text("utf-8")), Components)

FEWEST, MOST = 3, len(BOX.animals)
JUMPCARDS = (*BOX.figures, *BOX.effects)
CHARACTERS = tuple(BOX.characters)
CARDS = JUMPCARDS + CHARACTERS
COPIES = (*BOX.figures.values(), *BOX.effects.values())
NUMBER = {card: number for number, card in enumerate(CARDS)}
VALUES = tuple(int(card) for card in JUMPCARDS)

FIGURES = len(BOX.figures)  # figures are the cards below this number
SURE, MAYBE, BLUFF = (NUMBER[card] for card in ("sure", "maybe", "bluff"))
SOLO_FIGURES = sum(1 for figure in BOX.figures if int(figure) <= BOX.solo_max)
EYES = tuple(str(eyes) for eyes in range(1, BOX.dice + 1))

JUMPCARD_MASK = (1 << len(JUMPCARDS)) - 1
CHARACTER_MASK = (1 << len(CARDS)) - 1 - JUMPCARD_MASK

NIBBLE = 4  # a hand is one number, four bits for each kind of card
ONE = tuple(1 << NIBBLE * card for card in range(len(CARDS)))
JUMPCARD_BITS = (1 << NIBBLE * len(JUMPCARDS)) - 1
ALL_CHARACTERS = sum(ONE[NUMBER[card]] * count for card, count in BOX.characters.items())


def count_of(hand: int, card: int) -> int:
    return hand >> NIBBLE * card & 15


def cards_in(hand: int) -> list[int]:
    """List the cards of a hand, equal ones one after the other."""
    return [card for card in range(len(CARDS)) for _ in range(count_of(hand, card))]


def kinds_in(hand: int) -> int:
    """Give the mask of the kinds a hand holds."""
    return sum(1 << card for card in range(len(CARDS)) if count_of(hand, card))


@lru_cache(maxsize=4096)
def size_of(hand: int) -> int:
    """Count the jumpcards of a hand."""
    return sum(count_of(hand, card) for card in range(len(JUMPCARDS)))


@lru_cache(maxsize=4096)
def jumpcards_of(hand: int) -> tuple[int, ...]:
    """Count the jumpcards of a hand by kind."""
    return tuple(count_of(hand, card) for card in range(len(JUMPCARDS)))


def hand_of(counts: Sequence[int]) -> int:
    return sum(ONE[card] * count for card, count in enumerate(counts))
