"""What the all-seeing eye imagines is a position that can come up, hands of the last deck included."""

import random

import pytest

from jamboree.bots import RandomBot
from jamboree.core.chance import Seeded
from jamboree.core.game import Eye
from jamboree.core.play import Match, play
from jamboree.games.boogie import game
from jamboree.games.boogie.box.components import COPIES
from jamboree.games.boogie.rules.state import State
from jamboree.games.boogie.visibility.card_counting import split_old
from jamboree.games.boogie.visibility.views import counts_of


def positions(seats: int) -> list[State]:
    match = Match(game, seats, game.info.options(), Seeded(5))
    kept: list[State] = []
    match.listeners.append(lambda *_: kept.append(match.state.clone()))
    play(match, [RandomBot(seat) for seat in range(seats)], random.Random(1))
    return kept


@pytest.mark.parametrize("seats", [3, 8])
def test_every_card_is_somewhere_once(seats: int) -> None:
    decks = set()
    for state in positions(seats)[::7]:
        imagined = game.imagine(game.view(state, Eye.ALL), Seeded(1))
        decks.add(state.era_deck)
        assert imagined.deck == state.deck
        assert imagined.hands == state.hands
        old = [counts_of(hand) for hand in imagined.era_hands]
        assert [sum(hand) for hand in old] == [sum(counts_of(hand)) for hand in state.era_hands]
        together = [sum(kind) for kind in zip(counts_of(state.era_deck), *old, strict=True)]
        assert together == list(COPIES)
        for seat in range(seats):  # what a seat of that position imagines can come up too
            again = game.imagine(game.view(imagined, seat), Seeded(2))
            assert game.census(again) == game.census(state)
    assert len(decks) > (seats > 3), "with eight players the deck is made anew"


def test_hands_change_cards_until_all_kinds_are_used() -> None:
    none = [0] * (len(COPIES) - 2)
    first, second = [1, 1, *none], [1, 0, *none]
    assert split_old([first, second], [1, 1], [1, 1, *none]) == [[0, 1, *none], [1, 0, *none]]
