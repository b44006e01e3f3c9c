"""Census: counts every component of the box, which no action may change."""

from collections import Counter
from collections.abc import Mapping

from ..box.cards import CARDS
from ..box.dancers import LABELS
from .setup import QUEST_LABELS
from .state import NONE, State


def census(state: State) -> Mapping[str, int]:
    return _dancers(state) + _tokens(state) + _songs(state) + _hype(state) + _quests(state)


def _dancers(state: State) -> Counter[str]:
    """Count dancers on the floor, in both piles, and with players."""
    counted = Counter(LABELS[dancer] for dancer in state.floor if dancer != NONE)
    for counts in (state.pile.counts, state.gone, *state.superfans):
        counted.update(dict(zip(LABELS, counts, strict=True)))
    return counted


def _tokens(state: State) -> Counter[str]:
    """Count each player's tokens, on the floor and at home; no dancer has two."""
    counted = {f"tokens of {seat}": state.tokens[seat] + fans.bit_count() for seat, fans in enumerate(state.fans)}
    on_floor = sum(fans.bit_count() for fans in state.fans)
    counted["dancers with two tokens, or tokens on none"] = on_floor - (state.taken & state.present).bit_count()
    return Counter(counted)


def _songs(state: State) -> Counter[str]:
    labels = state.crate.labels
    counted = Counter(dict(zip(labels, state.deck.counts, strict=True)))
    for songs in (state.played, state.playing, *state.hands, *state.aside):
        counted.update(labels[song] for song in songs if song != NONE)
    return counted


def _hype(state: State) -> Counter[str]:
    """Count Hype cards; the deck of an extra round is made of used ones."""
    counted = Counter(dict(zip(CARDS, state.hype_box.counts, strict=True)))
    counted.update(CARDS[card] for card in state.used)
    if not state.is_extra:
        counted.update(CARDS[card] for card in state.drawn)
        for layer in state.hype.layers:
            counted.update(dict(zip(CARDS, layer.counts, strict=True)))
    return counted


def _quests(state: State) -> Counter[str]:
    counted = Counter(dict(zip(QUEST_LABELS, state.spare_quests.counts, strict=True)))
    counted.update(QUEST_LABELS[quest] for quest in state.quests if quest != NONE)
    return counted
