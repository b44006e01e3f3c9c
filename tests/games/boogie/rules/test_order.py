"""Order independence: the same cards laid in another order give the same jury."""

import random
from typing import Any

import pytest

from jamboree.core.chance import Chance, Seeded
from jamboree.core.game import Eye
from jamboree.games.boogie.rules.actions import SayDone

from ..table import BOOGIE, lay, table

CHARACTERS = "1@2:sure 2@2:maybe 3@3:sure 4@3:sure 5@3:maybe 1@s1:maybe 2@s2:sure 2@s2:bluff 4@4:bluff 3@4:sure"
JUMPCARDS = "1@2:3 5@2:+2 2@2:1 3@3:5 4@3:4 1@3:-3 2@s1:+1 1@s1:2 1@s1:5 5@s2:0 3@4:6 4@4:1"


def play_cards(order: list[str], done: list[int]) -> tuple[list[Any], Any]:
    state = table(5)
    events = list[Any]()
    chance = Seeded(4)
    lay(state, " ".join(order))
    for seat in done:
        events.clear()
        BOOGIE.apply(state, seat, SayDone(), chance, events.append)
    return events[1:], BOOGIE.view(state, Eye.ALL)


@pytest.mark.parametrize("seed", range(20))
def test_arrival_order_makes_no_difference(seed: int) -> None:
    rng = random.Random(seed)
    characters = CHARACTERS.split()
    jumpcards = JUMPCARDS.split()
    done = list(range(5))
    expected = play_cards(characters + jumpcards, done)
    rng.shuffle(characters)
    rng.shuffle(jumpcards)
    rng.shuffle(done)
    assert play_cards(characters + jumpcards, done) == expected


def test_chance_is_asked_for_dice_alone() -> None:
    class Asked(Chance):
        def index(self, n: int, seen_by: int) -> int:
            assert (n, seen_by) == (6, -1)
            return 0

    state = table(5)
    lay(state, f"{CHARACTERS} {JUMPCARDS}")
    for seat in range(5):
        BOOGIE.apply(state, seat, SayDone(), Asked())
