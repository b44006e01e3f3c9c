"""The jury: worked examples, every branch, and an independent implementation of the rulebook's text."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jamboree.games.boogie.box.components import CARDS, NUMBER
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules.events import (
    CardsTurned,
    CharactersRemoved,
    DiceRolled,
    DifficultySet,
    FiguresRefused,
    JumpersCounted,
    JumprunScored,
    JumpScored,
)
from jamboree.games.boogie.rules.judging import points_each, read_jump

from ..table import events_of, finish, jury, lay, table


def test_example_formation() -> None:
    """Formation 3, four character cards of which three jump; four figures worth 12 and a +2; 15 against 14."""
    events = jury("1@3:sure 2@3:sure 3@3:maybe 4@3:bluff 1@3:3 2@3:4 3@3:4 4@3:1 2@3:+2", "4 4 4 3")
    assert events_of(events, DifficultySet) == [DifficultySet(Jump(3), 4, 14, 12, 56)]
    assert events_of(events, JumpScored) == [JumpScored(Jump(3), "success", [0, 1, 2], 12)]
    assert events_of(events, JumprunScored)[0].points == [12, 12, 12, 0]


def test_example_solo() -> None:
    """A solo with figures 1 and 2 and effects netting +1: 7 against 4 gives 3 points."""
    events = jury("1@s1:sure 1@s1:1 1@s1:2 2@s1:+3 1@s1:-2", "3 4")
    assert events_of(events, DifficultySet)[0].difficulty == 4
    assert events_of(events, JumpScored) == [JumpScored(Jump(1, 0), "success", [0], 3)]


def test_example_halving() -> None:
    """7 points halved are 3."""
    events = jury("1@3:sure 2@3:sure 1@3:4 1@3:3", "6 6")
    assert events_of(events, JumpersCounted)[0].verdict == "halved"
    assert events_of(events, JumpScored) == [JumpScored(Jump(3), "success", [0, 1], 3)]


@pytest.mark.parametrize(
    ("characters", "verdict", "who"),
    [
        ("1@2:sure 2@2:sure", "exact", [0, 1]),
        ("1@2:sure 2@2:sure 3@2:maybe", "exact", [0, 1]),  # the ? is ignored
        ("1@2:sure 2@2:sure 3@2:sure", "too many", []),
        ("1@2:sure 2@2:maybe", "exact", [0, 1]),
        ("1@2:maybe 2@2:maybe", "exact", [0, 1]),
        ("1@2:sure 2@2:maybe 3@2:maybe", "too many", []),
        ("1@2:maybe 2@2:maybe 3@2:maybe", "too many", []),
        ("1@2:sure", "halved", [0]),
        ("1@2:maybe", "halved", [0]),
        ("1@2:bluff 2@2:bluff", "nobody", []),
        ("1@2:sure 2@2:sure 3@2:bluff 4@2:bluff", "exact", [0, 1]),
        ("1@s1:sure", "exact", [0]),
        ("1@s1:maybe", "exact", [0]),
        ("1@s1:bluff", "nobody", []),
    ],
)
def test_who_jumps(characters: str, verdict: str, who: list[int]) -> None:
    counted = events_of(jury(characters), JumpersCounted)[0]
    assert (counted.verdict, counted.jumpers) == (verdict, who)


def test_a_roll_just_as_high_as_the_difficulty_is_enough() -> None:
    assert events_of(jury("1@s1:sure 1@s1:2", "2"), JumpScored)[0].result == "success"
    assert events_of(jury("1@s1:sure 1@s1:2", "1"), JumpScored) == [JumpScored(Jump(1, 0), "failure", [0], 0)]


def test_no_figures_is_said() -> None:
    events = jury("1@s1:sure 1@s1:-1")
    assert events_of(events, JumpScored) == [JumpScored(Jump(1, 0), "no figures", [0], 0)]
    assert not events_of(events, DiceRolled)


def test_more_than_six_dice() -> None:
    ones = " ".join(f"{seat}@2:{card}" for seat in (1, 2, 3, 4) for card in ("1", "2"))
    rolled = events_of(jury(f"1@2:sure 2@2:sure {ones}", "1 2 3 4 5 6 1 2"), DiceRolled)[0]
    assert rolled == DiceRolled(Jump(2), [1, 2, 3, 4, 5, 6, 1, 2], 24)


def test_the_story_of_a_jump_is_told_in_order() -> None:
    events = jury("1@s1:sure 2@2:sure 2@2:bluff 3@2:sure 1@s1:1 4@s1:5 3@2:2", "3 3")
    steps = [type(event) for event in events]
    roll = [JumpersCounted, DifficultySet, DiceRolled, JumpScored]
    assert steps[1:12] == [CardsTurned, FiguresRefused, *roll, CardsTurned, CharactersRemoved, *roll[:3]]


def test_cards_go_where_they_belong_after_the_jury() -> None:
    state = table(p1="6", p2="+1")
    before = state.deck.total
    lay(state, "1@2:sure 1@2:6 2@2:+1")
    finish(state, "1")
    assert (state.deck.total, state.discard.total) == (before, 2)
    assert state.discard.counts[NUMBER["6"]] == state.discard.counts[NUMBER["+1"]] == 1
    assert state.jumpmaster == 1
    assert state.hands == table().hands


def by_the_text(number: int, solo: bool, pile: list[tuple[int, str]], late: set[int]) -> dict[str, Any]:
    """Reference implementation: the rulebook line by line, on lists of words."""
    characters = [(seat, card) for seat, card in pile if card in ("sure", "maybe", "bluff")]
    laid = Counter(seat for seat, _ in characters)
    allowed = [(seat, card) for seat, card in characters if laid[seat] == 1 and seat not in late]
    sure = [seat for seat, card in allowed if card == "sure"]
    maybe = [seat for seat, card in allowed if card == "maybe"]
    jumpcards = [card for _, card in pile if card not in ("sure", "maybe", "bluff")]
    figures = [int(card) for card in jumpcards if card in "123456" and not (solo and card in "3456")]
    effects = [int(card) for card in jumpcards if card not in "123456"]
    found = {"dice": len(figures), "potential": sum(figures), "difficulty": sum(figures) + sum(effects), "half": False}
    if len(sure) > number:
        who = None
    elif len(sure) == number:
        who = sorted(sure)
    elif len(sure) + len(maybe) > number:
        who = None
    else:
        who = sorted(sure + maybe)
        found["half"] = len(who) < number
    return {**found, "who": who}


piles = st.lists(st.tuples(st.integers(0, 7), st.sampled_from(CARDS)), min_size=1, max_size=24)


@given(number=st.integers(1, 6), pile=piles, late=st.sets(st.integers(0, 7), max_size=3), eyes=st.integers(0, 60))
def test_the_jury_reads_as_the_text_does(number: int, pile: list[tuple[int, str]], late: set[int], eyes: int) -> None:
    jump = Jump(number, 0 if number == 1 else None)
    codes = tuple(seat << 4 | NUMBER[card] for seat, card in pile)
    ours = read_jump(jump, codes, sum(1 << seat for seat in late))
    text = by_the_text(number, number == 1, pile, late)
    assert (ours.dice, ours.potential, ours.difficulty) == (text["dice"], text["potential"], text["difficulty"])
    if text["who"] is None:
        assert ours.jumpers is None
        assert points_each(ours, eyes) == 0
        return
    assert ours.jumpers is not None
    assert [seat for seat in range(8) if ours.jumpers.seats >> seat & 1] == text["who"]
    assert ours.jumpers.halved == text["half"]
    full = text["potential"] if eyes >= text["difficulty"] else 0
    assert points_each(ours, eyes) == (full // 2 if text["half"] else full)
