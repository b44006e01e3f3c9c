"""Determinizations that only BPM's twin needs: songs of a deal in which the deck was reshuffled."""

from collections import Counter
from typing import Any

import pytest

from jamboree.core.chance import Bag, Seeded
from jamboree.core.kit.events import NO_EVENTS
from jamboree.core.twin.chance import CHANCE, seed
from jamboree.fast import load, sources
from jamboree.games import find
from jamboree.games.bpm.rules import setlist
from jamboree.games.bpm.rules.state import CUE

from .test_seen import differs_by_chance

DRAWN = 1500


def reshuffled_in_mid_deal() -> Any:
    """Deal an extra round with two songs left, to three players."""
    game = find("bpm")
    state = game.setup(3, game.info.options(), Seeded(3))
    rest = [song for song, count in enumerate(state.deck.counts) if count]
    state.deck = Bag.of(state.deck.kinds, [song in rest[:2] for song in range(len(state.deck.kinds))])
    state.aside = [hand[:2] for hand in state.hands]
    state.played = (*rest[2:], *(song for hand in state.hands for song in hand[2:]))
    state.hands, state.round, state.phase, state.card = [()] * 3, 9, CUE, 1
    setlist.deal_one_each(state, Seeded(5), NO_EVENTS)
    assert state.early.bit_count() == 2
    return state


@pytest.mark.parametrize("seat", range(3))
def test_reshuffled_songs_are_as_likely_as_in_the_reference(seat: int) -> None:
    game, bridge, twin = find("bpm"), sources.bridge("bpm"), load("bpm", "python")
    state, chance, compared = reshuffled_in_mid_deal(), Seeded(7), 0
    view = game.view(state, seat)
    table, masks, smalls, guesses = bridge.unknown(view)
    theirs, ours = list[list[int]](), list[list[int]]()
    for number in range(DRAWN):
        m, s, c = masks[:], smalls[:], [0] * CHANCE
        seed(c, 1, number)
        twin.imagine(m, s, c, table, guesses)
        ours.append([*s, *m])
        row = bridge.row_of(game.imagine(view, chance))
        theirs.append([*row[1], *row[0]])
    for at in range(len(ours[0])):
        counts = Counter(row[at] for row in theirs), Counter(row[at] for row in ours)
        compared += differs_by_chance(*counts, f"seat {seat}, {at}")
    assert compared >= 2
