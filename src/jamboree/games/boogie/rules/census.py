"""Census: counts every component of the box, which no action may change."""

from collections import Counter
from collections.abc import Mapping

from ..box.components import BOX, CARDS, CHARACTERS, JUMPCARDS, SURE, cards_in
from .state import State, read_play


def census(state: State) -> Mapping[str, int]:
    """Count all jumpcards, the characters of each animal, and formations."""
    counted = Counter(dict.fromkeys(JUMPCARDS, 0))
    for bag in (state.deck, state.discard):
        counted.update(dict(zip(JUMPCARDS, bag.counts, strict=True)))
    for seat, hand in enumerate(state.hands):
        counted.update(_name(seat, card) for card in cards_in(hand))
    for code in state.plays:
        _, seat, card, _ = read_play(code)
        counted[_name(seat, card)] += 1
    for animal in BOX.animals[state.seats :]:  # in the box, all game long
        counted.update({f"{animal} {card}": BOX.characters[card] for card in CHARACTERS})
    counted["formations"] = len(BOX.formations)
    return counted


def _name(seat: int, card: int) -> str:
    return CARDS[card] if card < SURE else f"{BOX.animals[seat]} {CARDS[card]}"
