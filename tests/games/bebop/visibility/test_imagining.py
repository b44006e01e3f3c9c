"""What is imagined behind the screens: it fits what was seen, and is as frequent as it is likely."""

import random
from collections import Counter
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.game import Eye, Viewer
from jamboree.games.bebop.box.board import load
from jamboree.games.bebop.box.dice import DICE
from jamboree.games.bebop.rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DrawFromBag,
    KeepDice,
    RerollDie,
    TakeFromQueue,
)
from jamboree.games.bebop.rules.events import (
    AnyEvent,
)
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.state import State
from jamboree.games.bebop.visibility.restore import restore

from ..table import BEBOP, BILLIE, ELLA, LOUIS, act, offered, position
from .guesses import Hands, posterior


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 200), st.booleans())
def test_a_view_of_everything_is_a_whole_position(seed: int, players: int, steps: int, star: bool) -> None:
    rng, chance = random.Random(seed), Seeded(seed)
    state = BEBOP.setup(players, Options(load("longchain").source, star), chance)
    for _ in range(steps):
        if BEBOP.to_act(state):
            BEBOP.apply(state, state.turn, rng.choice(offered(state)), chance)
    view = BEBOP.view(state, Eye.ALL)
    again = restore(view)
    assert BEBOP.view(again, Eye.ALL) == view
    assert BEBOP.census(again) == BEBOP.census(state)
    assert list(BEBOP.legal(again, again.turn)) == list(BEBOP.legal(state, state.turn))


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 200))
def test_what_is_imagined_looks_the_same(seed: int, players: int, steps: int) -> None:
    rng, chance = random.Random(seed), Seeded(seed)
    state = BEBOP.setup(players, Options(hidden_hands=True), chance)
    for _ in range(steps):
        if BEBOP.to_act(state):
            BEBOP.apply(state, state.turn, rng.choice(offered(state)), chance)
    for viewer in (*range(players), None):
        view = BEBOP.view(state, viewer)
        imagined = BEBOP.imagine(view, chance)
        assert BEBOP.view(imagined, viewer) == view
        assert BEBOP.census(imagined) == BEBOP.census(state)


def late_in_the_game(hand: str) -> State:
    """Two players: 26 dice are on the board and most green, aqua and purple ones gone. Billie has stopped."""
    seats = ["1."] * 11 + ["1D", "1S"] + ["2."] * 11 + ["2V", "2S"]
    colours = "g" * 8 + "a" * 8 + "p" * 6 + "r" * 3 + "y"
    booked = "  ".join(f"{seat}{colour}k" for seat, colour in zip(seats, colours, strict=True))
    return position(f"""
        options: hidden
        turn: 2
        seat 1: hand pk rb yk; supply 0
        seat 2: hand {hand}; supply 9 d
        queue: rk yb yp rk
        map:
        {booked}
           2I    .     .     .     .     Ak    .
    """)


def three_at_the_table() -> State:
    """Louis and Ella have two dice each behind their screens; Billie has stopped."""
    return position("""
        seats: 3
        options: hidden
        turn: 2
        seat 1: hand rk; supply 0
        seat 2: hand rk gk; supply 9
        seat 3: hand rb yk; supply 9
        queue: rk rk rb yb yb
        map:
        1.rk  1.rk  1.rb  1.gb  2.    3.    .     .     .     .     Ak    .
    """)


Story = list[tuple[AnyAction, tuple[str, ...]]]
TAKE_RED: Story = [(BookSeat(2, "b1"), ()), (TakeFromQueue(0), ("yellow", "brass"))]
REROLL: Story = [(ClaimSeat("basic", "b2"), ()), (RerollDie(2), ("brass",))]
BOOK_RED: Story = [(BookSeat(2, "b2"), ())]
DRAW: Story = [(DrawFromBag(), ("yellow", "keys"))]
TWO_PLAYERS = {
    "nothing known": [],
    "taken from the queue": TAKE_RED,
    "taken, then a secret reroll": TAKE_RED + REROLL,
    "taken, then a booking that may have been it": [
        *TAKE_RED,
        (ClaimSeat("basic", "b2"), ()),
        (KeepDice(), ()),
        *BOOK_RED,
    ],
    "taken, rerolled, then a booking of its colour": TAKE_RED + REROLL + BOOK_RED,
    "and then a draw and another reroll": [
        *(TAKE_RED + REROLL + BOOK_RED + DRAW),
        (ClaimSeat("basic", "b3"), ()),
        (RerollDie(0), ("keys",)),
    ],
    "two taken, one rerolled, one booked": [
        *TAKE_RED,
        (ClaimSeat("basic", "b2"), ()),
        (KeepDice(), ()),
        (BookSeat(0, "b2"), ()),
        (TakeFromQueue(3), ("red", "keys")),
        (ClaimSeat("double", "b3"), ()),
        (ClaimSeat("basic", "b4"), ()),
        (RerollDie(1), ("brass",)),
        (RerollDie(2), ("brass",)),
        (BookSeat(1, "b3"), ()),
    ],
}
THREE_PLAYERS: Story = [
    (BookSeat(0, "a5"), ()),
    (TakeFromQueue(0), ("green", "keys")),
    (BookSeat(0, "a6"), ()),
    (TakeFromQueue(2), ("red", "keys")),
    (ClaimSeat("basic", "a7"), ()),
    (RerollDie(1), ("brass",)),
    (ClaimSeat("basic", "a8"), ()),
    (KeepDice(), ()),
    (BookSeat(1, "a7"), ()),
    (DrawFromBag(), ("red", "keys")),
    (BookSeat(1, "a8"), ()),
]


def told(state: State, story: Story, viewer: Viewer) -> list[AnyEvent]:
    """Play a story and list it as a viewer witnesses it."""
    events = [event for action, values in story for event in act(state, action, *values)]
    witnessed = (BEBOP.witness(event, viewer) for event in events)
    return [event for event in witnessed if event is not None]


def imagined_hands(state: State, viewer: Viewer, samples: int) -> Counter[Hands]:
    view, chance, found = BEBOP.view(state, viewer), Seeded(2024), Counter[Hands]()
    for _ in range(samples):
        hands = BEBOP.imagine(view, chance).hands
        found[
            tuple(
                tuple(sorted((DICE[die] for die in hand), key=lambda die: (die.colour, die.face)))
                if view.hands[seat].dice is None
                else ()
                for seat, hand in enumerate(hands)
            )
        ] += 1
    return found


def compare(expected: dict[Hands, float], found: Counter[Hands]) -> None:
    """Compare hand by hand, then over all hands together."""
    samples = found.total()
    assert set(found) <= set(expected), "a hand that can't be"
    for hands, chance in expected.items():
        mean = samples * chance
        assert abs(found[hands] - mean) < 5 * sqrt(mean) + 2, (hands, found[hands], mean)
    common = {hands: chance for hands, chance in expected.items() if samples * chance >= 5}
    squares = sum((found[hands] - samples * chance) ** 2 / (samples * chance) for hands, chance in common.items())
    assert squares < len(common) + 5 * sqrt(2 * len(common))


@pytest.mark.parametrize("name", TWO_PLAYERS)
def test_imagined_hands_are_as_frequent_as_they_are_likely(name: str) -> None:
    state = late_in_the_game("rk yb rk")
    start = BEBOP.view(state, BILLIE)
    events = told(state, TWO_PLAYERS[name], BILLIE)
    compare(posterior(start, events), imagined_hands(state, BILLIE, 8000))


@pytest.mark.parametrize("viewer", [BILLIE, LOUIS, ELLA])
def test_imagined_hands_of_two_hidden_opponents(viewer: int) -> None:
    state = three_at_the_table()
    start = BEBOP.view(state, viewer)
    events = told(state, THREE_PLAYERS, viewer)
    compare(posterior(start, events), imagined_hands(state, viewer, 8000))
