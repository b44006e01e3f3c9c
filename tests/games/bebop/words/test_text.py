"""Positions as text: drawings can be parsed, and invalid ones are rejected with a clear reason."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.errors import JamboreeError
from jamboree.core.game import Eye
from jamboree.core.kit.drawing import BadDrawing
from jamboree.core.words import Choice
from jamboree.games.bebop.box.board import festivals, load
from jamboree.games.bebop.rules.actions import BookSeat, TakeFromQueue
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.state import State

from ..boards import edit_board
from ..table import BEBOP, complete_drawing, parse_drawing, position

BOARDS = [load(festival).source for festival in festivals()]
OWN_BOARDS = [
    edit_board("vanillaville", ("id: vanillaville", "id: my-own")),
    edit_board("vanillaville", ("id: vanillaville", "id: crlf")).replace("\n", "\r\n"),
    edit_board("cramped-valley", ("id: cramped-valley", "id: no-end")).rstrip("\n"),
    edit_board("vanillaville", ("id: vanillaville", "id: odd\n# \x0b \u2028 map:\n#map:")),
]


def play_steps(seed: int, players: int, steps: int, options: Options) -> State:
    """Play a number of random steps."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BEBOP.setup(players, options, chance)
    for _ in range(steps):
        if BEBOP.to_act(state):
            BEBOP.apply(state, state.turn, rng.choice(BEBOP.legal(state, state.turn)).action, chance)
    return state


options = st.builds(Options, board=st.sampled_from(BOARDS + OWN_BOARDS), star=st.booleans(), hidden_hands=st.booleans())


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 300), options)
def test_what_every_viewer_sees_is_drawn_and_read_again(seed: int, players: int, steps: int, table: Options) -> None:
    state = play_steps(seed, players, steps, table)
    for viewer in (*range(players), None, Eye.ALL):
        view = BEBOP.view(state, viewer)
        assert BEBOP.words.parse(BEBOP.words.draw(view)) == view


def test_a_whole_drawing() -> None:
    drawing = """
        viewer: 1
        seats: 2
        options: star hidden
        turn: 1 perform
        pending: 1 rerolls, seat -, stages A C
        passed: 2
        rating: 7 5 0
        box: 1 1 1 0 0 1
        queue: gk -- rb yp
        bag: 35
        banners: red a1
        paid: B 4 2
        seat 1: points 3 4 0; tokens 1 0 0 1; supply 8 vsi; hand rk gb; known -=1.0
        seat 2: points 0 2 0; tokens 0 0 2 0; supply 10 vdit; hidden 2; known rk=0.25 rk+g?=0.75
        map:
           1.rk  1Drb  AK    .
        =yp   2.gk  *     B-    2T
           Ck    Cb    1.    .
    """
    view = parse_drawing(drawing)
    assert BEBOP.words.draw(view) == complete_drawing(drawing).rstrip() + "\n"
    assert view.points[0].stages == 4
    assert [stage.tokens == [] for stage in view.stages] == [False, True, False]
    assert [stage.paid for stage in view.stages] == [[], [4, 2], []]
    assert [tile.tile for tile in view.tiles if tile.face_down] == ["double", "boot"]
    assert [(die.colour, die.face) for die in view.hands[1].beliefs[1].known] == [("red", "keys"), ("green", None)]


SOUND = """
    options: hidden
    turn: 1 turn
    queue: gk gk gk gk
    banners: red a1
    seat 1: points 0 0 0; supply 9 vdst; hand rk gb; known rk=1.0
    map:
       1.rk  1.rb  Ak    .
    =yp   2.gk  *     B-    1i
"""


@pytest.mark.parametrize(
    ("sound", "broken", "why"),
    [
        ("    map:\n", "", "there is no line 'map:' with the board drawn under it"),
        ("turn: 1 turn", "turn: 1 turn\n    turn: 2", "'turn: 2' is here twice"),
        ("turn: 1 turn", "hello", "'hello' is not a line of a drawing"),
        ("turn: 1 turn", "mood: blue", "'mood' is not a line of this drawing"),
        ("turn: 1 turn", "seat 3: hand rk", "'seat 3' is not a line of this drawing"),
        ("turn: 1 turn", "seats: 5", "the number of seats can't be '5'"),
        ("turn: 1 turn", "seats: two", "the number of seats can't be 'two'"),
        ("turn: 1 turn", "turn: 3 turn", "a seat can't be '3'"),
        ("turn: 1 turn", "turn:", "a seat can't be ''"),
        ("turn: 1 turn", "turn: 1 lunch", "'lunch' is not a phase"),
        ("turn: 1 turn", "turn: 1 reroll", "'pending:' has to count the rerolls"),
        ("turn: 1 turn", "turn: 1 perform", "'pending:' has to name the stages"),
        ("turn: 1 turn", "turn: 1 book this seat", "'pending:' has to name the open seat"),
        ("turn: 1 turn", "pending: some", "'pending:' reads like"),
        ("turn: 1 turn", "pending: 9 rerolls, seat -, stages -", "the number of rerolls can't be '9'"),
        ("turn: 1 turn", "pending: 0 rerolls, seat z9, stages -", "'z9' is not a hex in play"),
        ("turn: 1 turn", "pending: 0 rerolls, seat -, stages Z", "'Z' is not a stage"),
        ("turn: 1 turn", "pending: 0 rerolls, seat -, stages B", "has performed already"),
        ("turn: 1 turn", "passed: 7", "a seat can't be '7'"),
        ("turn: 1 turn", "viewer: nobody", "'nobody' is not a viewer"),
        ("turn: 1 turn", "viewer: 2", "seat 1: this viewer does not see the hand"),
        ("turn: 1 turn", "seat 2: hidden 3", "seat 2: this viewer sees the hand"),
        ("options: hidden", "options: cheating", "'cheating' is not an option"),
        ("options: hidden", "passed:", "hands are open, so there is nothing to guess"),
        ("turn: 1 turn", "rating: 1 2", "'rating:' wants 3 numbers, not 2"),
        ("turn: 1 turn", "rating: 1 2 -3", "'rating:' can't be '-3'"),
        ("turn: 1 turn", "box: 1 2 3", "'box:' wants 6 numbers, not 3"),
        ("turn: 1 turn", "bag: 7", "'7' is not what the bag can hold"),
        ("gk gk gk gk", "gk gk", "'queue:' has 2 places, not 4"),
        ("gk gk gk gk", "gk gk gk xx", "'xx' is not a die"),
        ("gk gk gk gk", "gk gk gk g", "'g' is not a die"),
        ("gk gk gk gk", "gk gk gk gkb", "'gkb' is not a die"),
        ("banners: red a1", "banners: red", "a banner is a colour and a hex"),
        ("banners: red a1", "banners: pink a1", "'pink' is not a colour"),
        ("banners: red a1", "banners: green b2", "there is no green family on b2"),
        ("banners: red a1", "banners: red q1", "'q1' is not a hex in play"),
        ("banners: red a1", "paid: A 1 2", "'A' is not a stage that has performed"),
        ("banners: red a1", "paid: B 1", "what a stage has paid wants 2 numbers, not 1"),
        ("banners: red a1", "paid: B 1 2,  , B 1 2", "'' is not a stage that has performed"),
        ("points 0 0 0", "points 1", "points wants 3 numbers, not 1"),
        ("points 0 0 0", "tokens 1 2 3", "tokens wants 4 numbers, not 3"),
        ("points 0 0 0", "luck 7", "'luck' is not a part of seat 1"),
        ("points 0 0 0", "points 1 2 x", "points can't be 'x'"),
        ("supply 9 vdst", "supply", "basic seats wants 1 number, not 0"),
        ("supply 9 vdst", "supply 9 vq", "'q' is not a special"),
        ("supply 9 vdst", "supply many", "basic seats can't be 'many'"),
        ("hand rk gb", "hand rk gb yp ak", "seat 1 has more than 3 dice in hand"),
        ("hand rk gb", "hand rk gz", "'gz' is not a die"),
        ("known rk=1.0", "known rk", "'rk' is not a way to know a hand"),
        ("known rk=1.0", "known rk=nan", "'rk=nan' is not a way to know a hand"),
        ("known rk=1.0", "known rk=1.2.3", "'rk=1.2.3' is not a way to know a hand"),
        ("known rk=1.0", "known rk+rk+rk+rk=1.0", "is not a way to know a hand"),
        ("known rk=1.0", "known r=1.0", "'r' is not a known die"),
        ("known rk=1.0", "known zk=1.0", "'z' is not a colour"),
        ("known rk=1.0", "known rz=1.0", "'z' is not a face"),
        ("=yp   2.gk", "=rp   2.gk", "'=rp' on b1 should be '=yp', or a seat"),
        ("=yp   2.gk", ".     2.gk", "'.' on b1 should be '=yp', or a seat"),
        ("=yp   2.gk", "2.gk  2.gk", "a seat of that kind does not belong on b1"),
        ("*     B-", ".     B-", "'.' on b3 should be '*', or a seat"),
        ("*     B-", "1.    B-", "a seat of that kind does not belong on b3"),
        ("*     B-", "*     1.", "a seat of that kind does not belong on b4"),
        ("*     B-", "*     B?", "'B?' is not a space of stage B, like 'Bk', 'BK' or 'B-'"),
        ("*     B-", "*     Ck", "'Ck' is not a space of stage B"),
        ("*     B-", "*     B", "'B' is not a space of stage B"),
        ("Ak    .", "Ak    Ak", "'Ak' on a4 should be '.', or a seat"),
        ("Ak    .", "Ak", "hex a4 is not drawn"),
        ("Ak    .", "Ak    .     .", "row 1 of the map has '.' where there is no hex"),
        ("Ak    .", "Ak    1.x", "'1.x' on a4 should be '.', or a seat"),
        ("2.gk", "3.gk", "the owner of a seat can't be '3'"),
        ("2.gk", "0.gk", "the owner of a seat can't be '0'"),
        ("2.gk", "2xgk", "'x' is not a kind of seat"),
        ("2.gk", "2.zz", "'zz' is not a die"),
        ("2.gk  *     B-    1i", "1igk  *     B-    1i", "player 1 has more seats marked 'i' than there are"),
    ],
)
def test_a_broken_drawing_is_refused_with_its_reason(sound: str, broken: str, why: str) -> None:
    assert sound in SOUND
    board = BEBOP.view(position(SOUND), None).board
    with pytest.raises(BadDrawing) as caught:
        parse_drawing(SOUND.replace(sound, broken, 1), board)
    assert why in str(caught.value)


def test_more_dice_than_the_box_has() -> None:
    crowd = "  ".join(["1.rk"] * 10)
    with pytest.raises(BadDrawing, match="there are more red dice than in the box"):
        parse_drawing(f"map:\n{crowd}  Ak")


def test_a_stage_that_has_half_performed() -> None:
    with pytest.raises(BadDrawing, match="stage A has performed on some of its spaces only"):
        parse_drawing("map:\n.     Ak    A-")


@pytest.mark.parametrize("text", ["", "\n", "map:", "map:\n", "board: atlantis\nmap:\n", "festival:\n| id: x\nmap:\n"])
def test_what_is_no_drawing_at_all(text: str) -> None:
    with pytest.raises(JamboreeError, match=r"\w+"):
        BEBOP.words.parse(text)


def read_or_refuse(text: str) -> None:
    """Parse a text and use the view in every way; only JamboreeError may be raised."""
    try:
        view = BEBOP.words.parse(text)
    except JamboreeError as error:
        assert str(error)
        assert "\n" not in str(error)
        return
    assert BEBOP.words.parse(BEBOP.words.draw(view)) == view


EARLY = play_steps(3, 2, 40, Options(star=True))
DRAWINGS = [complete_drawing(SOUND), *(BEBOP.words.draw(BEBOP.view(EARLY, viewer)) for viewer in (0, 1, None))]


@settings(max_examples=300)
@given(st.data())
def test_a_drawing_with_random_edits_is_read_or_refused(data: st.DataObject) -> None:
    text = (
        complete_drawing(SOUND)
        if data.draw(st.booleans())
        else BEBOP.words.draw(BEBOP.view(EARLY, data.draw(st.integers(0, 1))))
    )
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(at, min(len(text), at + 3)))
        text = text[:at] + data.draw(st.text(alphabet=" .*-:;=+?,12359ABkbprgvdsitVTé\n", max_size=3)) + text[end:]
    read_or_refuse(text)


@given(st.text(max_size=200))
@example("map:\n1")
@example("turn: ²\nmap:\n.")
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refuse(text)
    read_or_refuse(f"{text}\nmap:\n")


@settings(max_examples=200)
@given(st.lists(st.sampled_from(complete_drawing(SOUND).split("\n")), max_size=60))
def test_lines_left_out_or_mixed_up_are_read_or_refused(lines: list[str]) -> None:
    read_or_refuse("\n".join(lines))


ASKED = {
    frozenset({"ClaimSeat", "BookSeat"}): ("Claim a seat or book a seat?",),
    frozenset({"ClaimSeat"}): ("Which seat do you claim, and where?",),
    frozenset({"BookSeat"}): (
        "Which of your open seats do you book?",
        "Three of your seats are open: which do you book?",
    ),
    frozenset({"Pass"}): ("Nothing to claim and nothing to book: you pass.",),
}


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 400), options)
def test_a_turn_is_asked_about_what_is_possible(seed: int, players: int, steps: int, table: Options) -> None:
    state = play_steps(seed, players, steps, table)
    view = BEBOP.view(state, state.turn)
    if view.phase == "turn":
        legal = frozenset(type(offer.action).__name__ for offer in BEBOP.legal(state, state.turn))
        assert BEBOP.words.question(view, "en") in ASKED[legal]


def test_questions_choices_and_sentences() -> None:
    view = parse_drawing(SOUND)
    assert BEBOP.words.question(view, "en") == "Claim a seat or book a seat?"
    assert BEBOP.words.choice(BookSeat(1, "b5"), view, (), "en") == Choice("Book: green brass", "b5")
    assert BEBOP.words.choice(TakeFromQueue(0), view, (), "nl") == Choice("Uit de wachtrij", "toetsen in groen")
