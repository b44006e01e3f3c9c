"""Boogie Beasts: beliefs about face-down cards, from promises and honesty."""

from typing import Any

import numpy as np

from jamboree.core.twin.chance import CHANCE
from jamboree.fast import load, sources
from jamboree.games.boogie.fast import layout as at
from jamboree.games.boogie.rules.state import State
from tests.games.boogie.table import BOOGIE, Options, all_ready, lay, promise, table

DRAWN = 600
ME, ONE, OTHER = 0, 1, 2


def believed(state: Any, jump: int, seat: int) -> Any:
    """Sample many determinizations with the first player's beliefs; return the share of each card of a seat."""
    bridge, twin = sources.bridge("boogie"), load("boogie", "python")
    t, masks, smalls, guesses = bridge.unknown(BOOGIE.view(state, ME))
    laid = np.zeros(at.CARDS)
    for world in range(DRAWN):
        m, s, c = [0] * at.MASKS, [0] * at.SMALLS, [0] * CHANCE
        twin.draw_world(masks, smalls, t, guesses, m, s, c, 7, world, ME, 1)
        assert twin.sound(m, s, t)
        own = [m[twin.pile_of(t, each, ME)] for each in range(t[at.JUMPS_HERE])]
        assert own == [masks[twin.pile_of(t, each, ME)] for each in range(t[at.JUMPS_HERE])]
        pile = m[twin.pile_of(t, jump, seat)]
        laid += [pile >> at.NIBBLE * card & 15 for card in range(at.CARDS)]
    return laid / laid.sum()


def formation(number: int, seats: int = 4) -> int:
    return seats + number - 2


def characters(shares: Any) -> Any:
    here = shares[at.SURE :]
    return here / here.sum()


def a_jump(said: str, laid: str, tally: tuple[int, int, int] = (0, 0, 0)) -> State:
    """Set up a jump on which the second player made a promise, with a record of kept and broken ones."""
    state = table(phase="plane", p1="1 2 +1", p2="1 2 3 +1 +2", p3="1 2 3 +3", p4="1 2 3")
    state.jumprun, state.told_all[ONE] = 1 if any(tally) else 0, tally
    promise(state, said)
    all_ready(state)
    lay(state, laid)
    return state


def test_promised_cards_are_the_most_likely() -> None:
    state = a_jump("2>all sure@3", "2@3:bluff 3@3:sure")
    sure, _, bluff = characters(believed(state, formation(3), ONE))
    assert sure > 0.7 and bluff < 0.25
    sure, _, bluff = characters(believed(state, formation(3), OTHER))  # who said nothing, and is nearly alone
    assert sure < 0.4 < bluff


def test_a_liars_promise_weighs_less() -> None:
    sure, _, bluff = characters(believed(a_jump("2>all sure@3", "2@3:bluff", (0, 6, 0)), formation(3), ONE))
    assert 0.4 < sure < 0.65 and bluff > 0.3


def test_promises_to_others_have_no_weight() -> None:
    sure, *_ = characters(believed(a_jump("2>3 sure@3", "2@3:bluff"), formation(3), ONE))
    assert sure < 0.4


def test_jumpcards_help_on_the_own_jump_and_harm_on_others() -> None:
    state = a_jump("2>all sure@3", "1@s1:sure 2@3:sure 2@3:1 2@3:2 2@s1:+1")
    harmful = [
        card
        for card in range(at.JUMPCARDS)
        if sources.bridge("boogie").table(4, Options())[at.HARMFUL] >> 4 * card & 15
    ]
    own, others = believed(state, formation(3), ONE), believed(state, ME, ONE)
    assert own[harmful].sum() < 0.1 < 0.5 < others[harmful].sum()  # a fifth of the box would be by chance


def test_without_played_cards_there_is_no_belief() -> None:
    """On the plane cards are imagined as they are without beliefs."""
    state = table(phase="plane", p1="1 2", p2="1 2", p3="1 2", p4="1 2")
    twin = load("boogie", "python")
    t, masks, smalls, guesses = sources.bridge("boogie").unknown(BOOGIE.view(state, ME))
    rows = []
    for believing in range(2):
        m, s, c = [0] * at.MASKS, [0] * at.SMALLS, [0] * CHANCE
        twin.draw_world(masks, smalls, t, guesses, m, s, c, 7, 1, ME, believing)
        rows.append((m, s))
    assert rows[0] == rows[1]
