"""Exact probabilities of rolls, from the distribution of sums of dice."""

from collections.abc import Iterable
from functools import lru_cache

from .components import BOX, FIGURES, SOLO_FIGURES, SURE, VALUES


@lru_cache(maxsize=128)
def ways(dice: int) -> tuple[int, ...]:
    """Return the number of rolls for each total."""
    if dice == 0:
        return (1,)
    fewer = ways(dice - 1)
    totals = [0] * (dice * BOX.dice + 1)
    for total, count in enumerate(fewer):
        for eyes in range(1, BOX.dice + 1):
            totals[total + eyes] += count
    return tuple(totals)


@lru_cache(maxsize=4096)
def reaches(dice: int, difficulty: int) -> float:
    """Return the probability that the dice total at least the difficulty."""
    rolls: int = BOX.dice**dice
    return sum(ways(dice)[max(difficulty, 0) :]) / rolls


def percent(dice: int, difficulty: int) -> int:
    """Round the probability to a whole percentage; 0 and 100 only if certain."""
    chance = reaches(dice, difficulty)
    return round(chance * 100) if chance in (0, 1) else min(99, max(1, round(chance * 100)))


def weigh(cards: Iterable[int], solo: bool) -> tuple[int, int]:
    """Return the number of dice and the difficulty that these cards alone make on a jump."""
    counted = [card for card in cards if card < SURE and not (solo and SOLO_FIGURES <= card < FIGURES)]
    return sum(card < FIGURES for card in counted), sum(VALUES[card] for card in counted)
