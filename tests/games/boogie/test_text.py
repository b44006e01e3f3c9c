"""Positions as text, choices and pictures."""

import pytest

from jamboree.core.game import Eye
from jamboree.core.words import Choice
from jamboree.games.boogie import actions as a
from jamboree.games.boogie.jumps import Jump
from jamboree.games.boogie.reading import BadPosition

from .table import BOOGIE, finish, lay, promise, table

DRAWN = """\
viewer: 2
seats: 3
time: untimed
promises: on
jumprun: 1 jump
jumpmaster: 1
ready:
late:
points:
deck: 90
discard:
last deck: 1:12 2:12 3:10 4:8 5:6 6:4 +1:6 +2:6 +3:6 -1:5 -2:5 -3:5 0:8
held then: 0 0 0
own then:
seat 1: hidden 1 7; withdrew 0; honesty 0 0 0; shown; talk -
seat 2: hand 4 sure sure maybe bluff bluff bluff bluff bluff; withdrew 0; honesty 0 0 0; shown; talk 0
seat 3: hidden 0 8; withdrew 0; honesty 0 0 0; shown; talk -
plays: 1@2:character 2@2:+1
promised:
jury late:
jury late cards:
jury promises:
"""


def test_a_position_is_drawn() -> None:
    state = table(3, p1="3", p2="4 +1")
    lay(state, "1@2:sure 2@2:+1")
    assert BOOGIE.words.draw(BOOGIE.view(state, 1)) == DRAWN


def test_a_drawn_position_is_read() -> None:
    state = table(3, p1="3", p2="4 +1")
    lay(state, "1@2:sure 2@2:+1")
    assert BOOGIE.words.parse(DRAWN) == BOOGIE.view(state, 1)


def test_a_jury_is_drawn_and_read() -> None:
    state = table(phase="plane")
    promise(state, "1>2 harmless@s2 for sure@3")
    promise(state, "2>all figures5@3")
    for seat in range(4):
        BOOGIE.apply(state, seat, a.SayReady(), None)
    lay(state, "1@3:sure 2@3:maybe 2@3:6 3@s3:bluff")
    finish(state, "6")
    view = BOOGIE.view(state, Eye.ALL)
    drawn = BOOGIE.words.draw(view)
    assert "jury jump 3: 1:sure 2:maybe | 2:6 | 6" in drawn
    assert "jury promises: 1>2 harmless@s2 for sure@3 = void; 2>all figures5@3 = kept" in drawn
    assert BOOGIE.words.parse(drawn) == view


@pytest.mark.parametrize(("right", "wrong"), [("seats: 3", "seats: three"), ("2@2:+1", "2@2"), ("deck: 90\n", "")])
def test_what_is_no_position_is_said_to_be_none(right: str, wrong: str) -> None:
    with pytest.raises(BadPosition):
        BOOGIE.words.parse(DRAWN.replace(right, wrong))


def test_choices_are_grouped_by_card() -> None:
    view = BOOGIE.view(table(p1="3"), 0)
    assert BOOGIE.words.choice(a.PlayCard("3", Jump(2)), view, "en") == Choice("Lay 3 on", "the 2")
    assert BOOGIE.words.choice(a.PlayCard("sure", Jump(1, 0)), view, "en") == Choice("Lay ✓ on", "my solo")
    assert BOOGIE.words.choice(a.PlayCard("-1", Jump(1, 1)), view, "nl") == Choice("Leg −1 op", "de solo van Hond")
    figures = a.Promise(a.Term("figures", Jump(3), 7))
    assert BOOGIE.words.choice(figures, view, "en") == Choice("I promise: figures on the 3 worth at least", "7")


def test_all_choices_of_a_moment_differ() -> None:
    state = table(5, p1="1 2 6 +1 -1 0")
    lay(state, "1@2:sure 2@s2:sure 3@4:bluff")
    view = BOOGIE.view(state, 0)
    choices = [BOOGIE.words.choice(offer.action, view, "en") for offer in BOOGIE.legal(state, 0)]
    assert len(set(choices)) == len(choices)


def test_the_sky_is_painted_with_piles_and_odds() -> None:
    state = table(p1="3 3 3 5")
    lay(state, "1@2:sure 2@2:bluff 1@2:3 1@2:3 1@2:3 1@2:5 2@2:+3")
    lines = BOOGIE.words.paint(BOOGIE.view(state, 0), ["Ann", "Bob", "Cleo", "Dirk"], "en")
    painted = ["".join(span.text for span in line) for line in lines]
    (sky,) = [line for line in painted if line.startswith("  Formation 2")]
    assert "1  1⚑ 4▪" in sky
    assert "2  1⚑ 1▪" in sky
    assert "yours: ✓ 3 3 3 5  by themselves 4 dice against 14: 56 %" in sky
    assert max(map(len, painted)) < 120
