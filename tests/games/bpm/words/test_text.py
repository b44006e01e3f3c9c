"""Positions as text: drawings can be parsed, and invalid ones are rejected with a clear reason."""

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.errors import JamboreeError
from jamboree.core.game import Eye
from jamboree.core.kit.drawing import BadDrawing
from jamboree.games.bpm.rules.state import State

from ..table import BPM, a_sample, parse_drawing, position


def play_steps(seed: int, seats: int, steps: int, sample: int) -> State:
    """Play so many random steps."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BPM.setup(seats, a_sample(sample), chance)
    for _ in range(steps):
        if actors := BPM.to_act(state):
            actor = rng.choice(sorted(actors, key=str))
            BPM.apply(state, actor, rng.choice(BPM.legal(state, actor)).action, chance)
    return state


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 150), st.integers(0, 2))
def test_what_every_viewer_sees_is_drawn_and_read_again(seed: int, seats: int, steps: int, sample: int) -> None:
    state = play_steps(seed, seats, steps, sample)
    for viewer in (*range(seats), None, Eye.ALL):
        view = BPM.view(state, viewer)
        assert BPM.words.parse(BPM.words.draw(view)) == view


def test_a_whole_drawing() -> None:
    drawing = """\
songs: house
viewer: 1
seats: 2
options: hypemaster
round: 4 song
first: 2
turn: 1
order: 2 1
at: 1
hype: two-step
used: slow-burn mosh-pit any-request two-step
under: 1 power-cut, 2 ?
left: 1 1
on: a1 b1
gone: r^ yv
played: 1 2 3 4 5 6
seat 1: tokens 6; superfans r^ gv; quest red; hand 7 8 9 10; aside 11 12; song 13; changes 3
seat 2: tokens 7; superfans b<; quest ?; hand ? 4; aside ? 2; song 14
floor:
r^1 b<  g>
   o
y^  rv2 r>
g^1 --  --
"""
    view = BPM.words.parse(drawing)
    assert BPM.words.draw(view) == drawing
    assert view.ball == "a1"
    assert view.hop == "a2"
    assert [under.card for under in view.under] == ["power-cut", None]
    assert [spot.cell for spot in view.floor if spot.fan_of == 0] == ["a1", "a3"]
    assert view.deck == 60 - 6 - 4 - 4 - 2 - 2 - 2


def test_a_small_drawing_is_enough() -> None:
    view = parse_drawing("""
        seat 1: song red hop
        floor:
        r^  b<
        y^  rv2
    """)
    assert (view.round, view.phase, view.turn, view.moves, view.places) == (1, "song", 0, 1, 1)
    assert view.tokens == [8, 7]


SOUND = """
    round: 3 song
    turn: 1
    hype: slow-burn
    seat 1: tokens 7; superfans r^; quest red; hand 1 2; aside 3 4; song 5
    floor:
    r^1 b<  g>
       o
    y^  rv2 r>
"""


@pytest.mark.parametrize(
    ("sound", "broken", "why"),
    [
        ("    floor:\n", "", "there is no line 'floor:'"),
        ("turn: 1", "turn: 1\n    turn: 2", "is here twice"),
        ("turn: 1", "hello", "'hello' is not a line of a drawing"),
        ("turn: 1", "mood: blue", "'mood' is not a line of this drawing"),
        ("turn: 1", "seat 3: tokens 1", "'seat 3' is not a line of this drawing"),
        ("turn: 1", "seats: 5", "the number of seats can't be '5'"),
        ("turn: 1", "turn: 3", "a seat can't be '3'"),
        ("turn: 1", "viewer: nobody", "'nobody' is not a viewer"),
        ("turn: 1", "options: cheating", "'cheating' is not an option"),
        ("turn: 1", "left: 1", "'left:' wants 2 numbers, not 1"),
        ("turn: 1", "on: z9", "'z9' is not a place on this floor"),
        ("turn: 1", "at: 7", "the place in the order can't be '7'"),
        ("turn: 1", "used: polka", "'polka' is not a Hype card"),
        ("turn: 1", "gone: x^", "'x^' is not a dancer"),
        ("turn: 1", "played: 61", "the number of a song can't be '61'"),
        ("round: 3 song", "round: 99 song", "the round can't be '99'"),
        ("round: 3 song", "round: 3 nap", "'nap' is not a phase"),
        ("tokens 7", "tokens 9", "tokens can't be '9'"),
        ("tokens 7", "mood 9", "'mood' is not a part of seat 1"),
        ("quest red", "quest pink", "'pink' is not a quest"),
        ("quest red", "quest yellow", "two players have the same quest"),
        ("aside 3 4", "aside 3 1", "a song is in two places"),
        ("turn: 1", "used: mosh-pit mosh-pit", "the cards do not add up: no mosh-pit left"),
        ("superfans r^", "superfans r^ r^ r^ r^ r^", "more red forward dancers than in the box"),
        ("b<  g>", "b<  g>  y^", "the rows of the floor have to be equally long"),
        ("b<  g>", "b<  g?", "'g?' is neither a dancer like"),
        ("b<  g>", "b<  g>9", "a seat can't be '9'"),
        ("       o\n    y^  rv2 r>\n", "    y^  rv2 r>\n       o\n", "the ball does not lie between four dancers"),
    ],
)
def test_what_can_not_be_read_is_explained(sound: str, broken: str, why: str) -> None:
    parse_drawing(SOUND)
    assert sound in SOUND
    with pytest.raises(BadDrawing) as caught:
        parse_drawing(SOUND.replace(sound, broken))
    assert why in str(caught.value)


@given(st.text(alphabet="seat 12:;rf^v<>-o\nhand?", max_size=120))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(JamboreeError):
        BPM.words.parse(text)


def test_positions_of_tests_can_be_played_on() -> None:
    state = position(SOUND)
    assert BPM.legal(state, 0)
