"""Boogie Beasts: hidden hands at the last reshuffle have the same weights in twin and reference."""

import random
from typing import Any

import pytest

from jamboree.core.chance import Seeded
from jamboree.fast import sources
from jamboree.games import find
from jamboree.games.boogie.box.components import size_of
from jamboree.games.boogie.rules.actions import PlayCard, SayDone, SayReady
from jamboree.games.boogie.rules.state import JUMP, PLANE

from .test_seen import compare, imagined, in_parts

DRAWN = 1000
KEPT = 3  # jumpcards that players do not lay


def after_a_reshuffle(seats: int, number: int) -> Any:
    """Find a plane with cards from before the deck was made, and some that the jury turned since."""
    game, rng, chance = find("boogie"), random.Random(number), Seeded(number)
    state = game.setup(seats, game.info.options(), chance)
    while not (state.phase == PLANE and any(state.era_hands[1:]) and any(state.shown)):
        seat = rng.choice([seat for seat in range(seats) if not state.ready >> seat & 1])
        plays = [offer.action for offer in game.legal(state, seat) if isinstance(offer.action, PlayCard)]
        done = not plays or size_of(state.hands[seat]) <= KEPT
        action = SayReady() if state.phase != JUMP else SayDone() if done else rng.choice(plays)
        game.apply(state, seat, action, chance)
    return game.view(state, 0)


@pytest.mark.parametrize(("seats", "number"), [(7, 1), (6, 2)])
def test_old_cards_have_the_weights_of_the_reference(seats: int, number: int) -> None:
    game, bridge = find("boogie"), sources.bridge("boogie")
    view, chance = after_a_reshuffle(seats, number), Seeded(number)
    theirs = in_parts(*zip(*(bridge.row_of(game.imagine(view, chance)) for _ in range(DRAWN)), strict=True))
    ours = in_parts(*imagined("boogie", view, number)[:2])
    assert compare(theirs, ours, f"{seats} players") > 20
