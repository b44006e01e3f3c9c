"""Positions as text, choices and pictures."""

import random
import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from jamboree.core.chance import Seeded
from jamboree.core.errors import JamboreeError
from jamboree.core.game import Eye
from jamboree.core.kit.drawing import BadDrawing
from jamboree.core.play import WAIT
from jamboree.core.words import LANGUAGES, Choice
from jamboree.games.boogie.bots.players import BOTS
from jamboree.games.boogie.box.jumps import Jump
from jamboree.games.boogie.rules import actions as a
from jamboree.games.boogie.rules import events as e
from jamboree.games.boogie.rules.setup import Options

from ..table import BOOGIE, finish, lay, promise, table

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


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ("viewer: 2", "viewer: 4", "'4' is not a viewer"),
        ("viewer: 2", "viewer: nobody", "'nobody' is not a viewer"),
        ("viewer: 2", "viewer: spectator", "the hand of player 2 is seen by its owner alone"),
        ("seats: 3", "seats: three", "the number of seats can't be 'three'"),
        ("seats: 3", "seats: 9", "the number of seats can't be '9'"),
        ("seats: 3", "seats: 4", "there is no line 'seat 4'"),
        ("seats: 3", "seats 3", "'seats 3' is not a line of a drawing"),
        ("seats: 3", "seats: 3\nseats: 3", "'seats: 3' is here twice"),
        ("seats: 3", "seats: 3\nmood: good", "'mood' is not a line of this drawing"),
        ("time: untimed", "time: 180", "time wants 2 numbers, not 1"),
        ("time: untimed", "time: 0 60", "a plane without time is 'untimed'"),
        ("promises: on", "promises: some", "'some' is not on or off"),
        ("1 jump", "1 lunch", "'lunch' is not a phase"),
        ("1 jump", "1", "'' is not a phase"),
        ("1 jump", "5 jump", "the jumprun can't be '5'"),
        ("jumpmaster: 1", "jumpmaster: 0", "a seat can't be '0'"),
        ("ready:", "ready: 4", "a seat can't be '4'"),
        ("ready:", "ready: 2 1", "'ready' names players in their order, each once"),
        ("points:", "points: 1 2", "points wants 3 numbers, not 2"),
        ("points:", "points: 1 2 3 / 1 1 1 / 0 0 0 / 0 0 0 / 0 0 0", "there are more points than jumpruns"),
        ("deck: 90\n", "", "there is no line 'deck'"),
        ("discard:", "discard: 7:1", "'7' is not a jumpcard"),
        ("discard:", "discard: 6:5", "the number of cards '6' can't be '5'"),
        ("discard:", "discard: 6:1 6:1", "'6' is counted twice"),
        ("own then:", "own then: -", "'own then' is what a player held"),
        ("withdrew 0", "withdrew 3", "withdrew can't be '3'"),
        ("withdrew 0; ", "", "a player's line has the parts hidden, withdrew"),
        ("hidden 1 7", "hand 3", "the hand of player 1 is seen by its owner alone"),
        ("hand 4 sure", "hand 4 what", "'what' is not a card"),
        ("hand 4 sure", "hand 4 maybe", "a hand has more cards than there are of a kind"),
        ("talk 0", "talk 7", "the number of promises begun can't be '7'"),
        ("talk 0", "talk -", "the talk of player 2 is known to that player alone"),
        ("talk 0", "talk 1 >all for sure@2", "an exchange is between two"),
        ("talk 0", "talk 1 >2", "nobody promises anything to themselves"),
        ("2@2:+1", "2@2", "'' is not a card"),
        ("2@2:+1", "2@3:+1", "'3' is not a jump of a table for 3"),
        ("2@2:+1", "2@s4:+1", "'s4' is not a jump of a table for 3"),
        ("2@2:+1", "2@s1:bluff", "'2@s1': that solo is another player's"),
        ("2@2:+1", "2@2:card", "only the player who laid it sees a face"),
        ("1@2:character", "1@2:sure", "only the player who laid it sees a face"),
        ("promised:", "promised: 1>all", "'' is nothing to promise"),
        ("promised:", "promised: 1>all hope@2", "'hope@2' is nothing to promise"),
        ("promised:", "promised: 1>all figures13@2", "'figures13@2' is nothing to promise"),
        ("promised:", "promised: 1>all sure@s2", "'sure@s2': that solo is another player's"),
        ("jury late cards:", "jury late cards: 1@2:sure", "'sure' is not a late card"),
        ("jury promises:", "jury promises: 1>all sure@2 = fine", "'fine' is not a verdict"),
        ("jury promises:", "jury jump 2: 1:sure | 1:3\njury promises:", "'jury jump 2' has three parts"),
        ("jury promises:", "jury jump 2: 1:3 | | \njury promises:", "'3' is not a card that belongs here"),
        ("jury promises:", "jury jump 2: 1:sure | 1:3 | 7\njury promises:", "a die can't be '7'"),
        ("jury promises:", "jury jump 2: 1:sure | 1:3 |\njury promises:", "has a die for each figure"),
    ],
)
def test_what_is_no_position_is_refused_with_its_reason(right: str, wrong: str, why: str) -> None:
    assert right in DRAWN
    with pytest.raises(BadDrawing) as caught:
        BOOGIE.words.parse(DRAWN.replace(right, wrong, 1))
    assert why in str(caught.value)


def play_steps(seats: int, steps: int, seed: int) -> Any:
    """Let bots play a number of steps."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BOOGIE.setup(seats, Options(pace="standard"), chance)
    bots = [BOTS["greedy"](seat) for seat in range(seats)]
    for _ in range(steps):
        seat = rng.choice(range(seats))
        action = bots[seat].choose(BOOGIE.view(state, seat), [])
        if action is not WAIT:
            BOOGIE.apply(state, seat, action, chance)
    return state


def read_or_refuse(text: str) -> None:
    """Parse a text; it either raises JamboreeError or gives a position that can be drawn again."""
    try:
        view = BOOGIE.words.parse(text)
    except JamboreeError as error:
        assert str(error)
        assert "\n" not in str(error)
        return
    assert BOOGIE.words.parse(BOOGIE.words.draw(view)) == view


POSITIONS = [
    BOOGIE.words.draw(BOOGIE.view(state, viewer))
    for state in (play_steps(4, steps, seed=steps) for steps in (30, 60, 90, 200))
    for viewer in (1, None, Eye.ALL)
]


def test_the_positions_to_edit_have_all_there_is() -> None:
    together = "\n".join(POSITIONS)
    assert all(mark in together for mark in (" plane", " jump", "1>all ", "jury jump s", "@2:", " = kept"))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_position_with_random_edits_is_read_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(POSITIONS))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(len(text), at + 3)))
        text = text[:at] + data.draw(st.text(alphabet=" @:;>|/!=-+0123459sfuré²\n", max_size=3)) + text[end:]
    read_or_refuse(text)


@settings(deadline=None)
@given(st.text(max_size=200))
@example("seats: ²")
@example("seats: 3\nviewer: 1_0")
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)
    read_or_refuse(f"{text}\n{DRAWN}")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(POSITIONS), st.randoms(use_true_random=False), st.integers(0, 4))
def test_lines_left_out_or_mixed_up_are_read_or_refused(text: str, rng: random.Random, fewer: int) -> None:
    lines = text.split("\n")
    rng.shuffle(lines)
    read_or_refuse("\n".join(lines[fewer:]))


def test_choices_are_grouped_by_card() -> None:
    view = BOOGIE.view(table(p1="3"), 0)
    assert BOOGIE.words.choice(a.PlayCard("3", Jump(2)), view, (), "en") == Choice("Lay a 3 on", "the 2", " ")
    assert BOOGIE.words.choice(a.PlayCard("sure", Jump(1, 0)), view, (), "en") == Choice("Lay a ✓ on", "my solo", " ")
    names = ["Ann", "Bob", "Cleo", "Dirk"]
    spoiling = BOOGIE.words.choice(a.PlayCard("-1", Jump(1, 1)), view, names, "nl")
    assert spoiling == Choice("Leg een −1 op", "solo Bob (Hond)", " ")
    figures = a.Promise(a.Term("figures", Jump(3), 7))
    assert BOOGIE.words.choice(figures, view, (), "en").title == "I promise: figures on the 3 worth at least 7"


BARE = re.compile(r"(?<!\()\?(?=[\s,;:])")  # a question mark that stands where a word should


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_maybe_is_never_a_mere_question_mark_within_a_sentence(lang: str) -> None:
    four = Jump(4)
    view = BOOGIE.view(table(p1="3"), 0)
    names = ["Ann", "Bob", "Cleo", "Dirk"]
    texts = [
        BOOGIE.words.choice(a.PlayCard("maybe", four), view, names, lang).title,
        BOOGIE.words.choice(a.Promise(a.Term("maybe", four, 0)), view, names, lang).title,
        BOOGIE.words.sentence(e.CardLaid(0, four, character=True, card="maybe", done_withdrawn=False), names, lang),
        BOOGIE.words.sentence(e.CardsTurned(four, [e.Turned(0, "maybe")], [e.Turned(1, "3")]), names, lang),
        BOOGIE.words.sentence(e.JumpersCounted(four, [0, 1], [2], "too many", []), names, lang),
    ]
    assert [sentence for sentence in texts if BARE.search(sentence)] == []
    assert texts[0] == {"en": "Lay a maybe (?) on the 4", "nl": "Leg een misschien (?) op de 4"}[lang]


def test_all_choices_of_a_moment_differ() -> None:
    state = table(5, p1="1 2 6 +1 -1 0")
    lay(state, "1@2:sure 2@s2:sure 3@4:bluff")
    view = BOOGIE.view(state, 0)
    choices = [BOOGIE.words.choice(offer.action, view, ["Ann"] * 5, "en") for offer in BOOGIE.legal(state, 0)]
    assert len(set(choices)) == len(choices)


def test_the_sky_is_painted_with_piles_and_odds() -> None:
    state = table(p1="3 3 3 5")
    lay(state, "1@2:sure 2@2:bluff 1@2:3 1@2:3 1@2:3 1@2:5 2@2:+3")
    lines = BOOGIE.words.paint(BOOGIE.view(state, 0), ["Ann", "Bob", "Cleo", "Dirk"], "en")
    painted = ["".join(span.text for span in line) for line in lines]
    (sky,) = [line for line in painted if line.startswith("  Formation 2")]
    assert "1  1⚑ 4▪" in sky
    assert "2  1⚑ 1▪" in sky
    assert "yours: ✓ 3 3 3 5  by themselves 4 dice against 14: 56%" in sky
    assert max(map(len, painted)) < 120


def painted_jury(marks: str, dice: str = "", lang: str = "en") -> list[str]:
    state = table()
    lay(state, marks)
    finish(state, dice)
    lines = BOOGIE.words.paint(BOOGIE.view(state, 0), ["Ann", "Bob", "Cleo", "Dirk"], lang)
    return ["".join(span.text for span in line) for line in lines]


@pytest.mark.parametrize(
    ("marks", "dice", "result"),
    [
        ("1@2:sure 2@2:sure 1@2:4", "5", "Ann, Bob: 4 each (5 against 4)"),
        ("1@2:sure 1@2:4", "5", "too few, half: Ann: 2 (5 against 4)"),
        ("1@3:sure 2@3:sure 1@3:4", "5", "too few, half: Ann, Bob: 2 each (5 against 4)"),
        ("2@s2:sure 2@s2:2", "5", "Bob: 2 (5 against 2)"),
        ("2@s2:sure", "", "nothing to score, not one figure: Bob"),
        ("1@2:sure 2@2:sure 1@2:-1", "", "nothing to score, not one figure: Ann, Bob"),
        ("1@2:sure 2@2:sure 3@2:sure", "", "too many jumpers"),
        ("1@2:bluff", "", "nobody jumped"),
    ],
)
def test_the_last_jury_is_painted(marks: str, dice: str, result: str) -> None:
    (line,) = [line for line in painted_jury(marks, dice) if line.startswith(("  Formation", "  Solo"))]
    assert line.endswith(f"  {result}")


def test_players_are_told_and_offered_by_name_and_animal() -> None:
    names = ["Ann", "Bob", "Cleo", "Dirk"]
    state = table(phase="plane")
    promise(state, "1>3 harmless@s3")
    view = BOOGIE.view(state, 0)
    assert BOOGIE.words.choice(a.PromiseTo(2), view, names, "en").target == "Cleo (Giraffe)"
    painted = ["".join(span.text for span in line) for line in BOOGIE.words.paint(view, names, "en")]
    assert "  Ann (Frog) → Cleo (Giraffe): nothing harmful on solo Cleo (Giraffe)" in painted
    made = e.PromiseMade(0, 2, a.Term("harmless", Jump(1, 2)), None)
    rendered = "Ann (Frog) promises Cleo (Giraffe) to lay nothing harmful on the solo of Cleo (Giraffe)."
    assert BOOGIE.words.sentence(made, names, "en") == f"In private, {rendered}"
    assert any(line.startswith("  Solo Bob (Dog)") for line in painted_jury("2@s2:sure"))


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_players_fit_into_80_columns(lang: str) -> None:
    view = BOOGIE.view(table(8, phase="pulled"), 0)
    view.late.append(5)
    view.hands[5] = replace(view.hands[5], jumpcards=20)
    view.honesty[5] = replace(view.honesty[5], kept=10, broken=10)
    view.points.append([100] * 8)
    names = [f"Name{number} that goes on" for number in range(8)]
    painted = ["".join(span.text for span in line) for line in BOOGIE.words.paint(view, names, lang)]
    (sixth,) = [line for line in painted if "Name5" in line and "✗10" in line]
    assert max(len(line) for line in painted) <= 80, sixth
    assert "✓10 ✗10" in sixth
