"""The Hype cards as data, and the deck they come from."""

from pathlib import Path

import pytest

from jamboree.core.chance import Seeded
from jamboree.games import bpm
from jamboree.games.bpm.box.cards import BENDS, BY_ROUND, CARD_NUMBER, CARDS, HYPE, PLAIN
from jamboree.games.bpm.box.room import room
from jamboree.games.bpm.rules.setup import Options

from ..table import BPM


def icons(round: int) -> set[str]:
    return {HYPE.cards[CARDS[card]].icon for card in BY_ROUND[round - 1]}


def test_the_deck_of_eight() -> None:
    bonus = [any(BENDS[card].bonus for card in cards) for cards in BY_ROUND]
    assert [icons(round) for round in range(1, 9)] == [{"Y"}] * 3 + [{"ball"}] + [{"X"}] * 4
    assert bonus == [False, False, True, False, True, True, True, True]
    assert [len(cards) for cards in BY_ROUND] == [6, 6, 8, 1, 10, 10, 10, 10]


def test_nineteen_cards() -> None:
    assert len(CARDS) == 19
    assert sum(card.icon == "Y" for card in HYPE.cards.values()) == 8
    assert sum(card.icon == "X" for card in HYPE.cards.values()) == 10


@pytest.mark.parametrize("card", CARDS)
def test_every_card_bends_something(card: str) -> None:
    assert BENDS[CARD_NUMBER[card]] != PLAIN


@pytest.mark.parametrize("card", CARDS)
def test_every_card_plays_to_the_end_of_its_round(card: str) -> None:
    """Whatever happens by chance under a card, the round comes to its end."""
    for seed in range(6):
        chance, state = Seeded(seed), BPM.setup(2 + seed % 3, Options(), Seeded(seed))
        numbers = Seeded(seed + 100)
        while state.round < 6 and BPM.to_act(state):
            actor = sorted(BPM.to_act(state), key=str)[0]
            offers = BPM.legal(state, actor)
            BPM.apply(state, actor, offers[numbers.index(len(offers), 0)].action, chance)
            if state.round in (1, 5):
                state.card = CARD_NUMBER[card]
        assert state.round == 6


def test_no_rule_asks_for_a_card_by_name() -> None:
    """Cards are data: no chapter names one; areas share some of their names."""
    areas = set(room(4, 5).areas)
    for path in Path(bpm.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        assert not [card for card in CARDS if f'"{card}"' in text and card not in areas], path.name
