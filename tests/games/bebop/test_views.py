"""What viewers see of a position and of events, and what they can conclude from it."""

import random
from collections import Counter
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.errors import Illegal
from jamboree.core.game import Eye, Preview, Viewer
from jamboree.games.bebop.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DrawFromBag,
    KeepDice,
    Pass,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)
from jamboree.games.bebop.board import load
from jamboree.games.bebop.dice import DICE, Die
from jamboree.games.bebop.events import (
    AnyEvent,
    DieDrawn,
    DieRerolled,
    DieTaken,
    FamilyScored,
    FeatureScored,
    GameEnded,
    MajorityScored,
    SeatBooked,
    SeatClaimed,
    StagePerformed,
)
from jamboree.games.bebop.restore import restore
from jamboree.games.bebop.setup import Options
from jamboree.games.bebop.state import State
from jamboree.games.bebop.views import HandBelief

from .guesses import Hands, posterior
from .table import BEBOP, BILLIE, ELLA, LOUIS, act, every, offered, only, position

viewers = pytest.mark.parametrize("viewer", [BILLIE, LOUIS, None, Eye.ALL])

SCREENS = """
    options: hidden
    seat 1: hand rk gb yp
    seat 2: hand ak ab ap
    queue: gk pb yk rp
    map:
    .     1.    2.    .     Ak
"""
OPEN = SCREENS.replace("options: hidden\n", "")


def dice_seen(state: State, viewer: Viewer) -> list[bool]:
    return [hand.dice is not None for hand in BEBOP.view(state, viewer).hands]


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [(BILLIE, [True, False]), (LOUIS, [False, True]), (None, [False, False]), (Eye.ALL, [True, True])],
)
def test_behind_screens_everybody_sees_the_own_dice_only(viewer: Viewer, seen: list[bool]) -> None:
    assert dice_seen(position(SCREENS), viewer) == seen


@viewers
def test_open_hands_are_seen_by_all(viewer: Viewer) -> None:
    assert dice_seen(position(OPEN), viewer) == [True, True]


@viewers
def test_how_many_dice_are_in_a_hand_is_public(viewer: Viewer) -> None:
    assert [hand.count for hand in BEBOP.view(position(SCREENS), viewer).hands] == [3, 3]


def test_ruling_secret_reroll() -> None:
    """The others learn that a die was rerolled, not which, nor its face."""
    state = position(SCREENS)
    act(state, ClaimSeat("basic", "a1"))
    rolled = only(act(state, RerollDie(1), "keys"), DieRerolled)
    assert BEBOP.witness(rolled, BILLIE) == DieRerolled(BILLIE, True, Die("green", "brass"), Die("green", "keys"))
    assert BEBOP.witness(rolled, Eye.ALL) == rolled
    for other in (LOUIS, None):
        assert BEBOP.witness(rolled, other) == DieRerolled(BILLIE, True, None, None)


@pytest.mark.parametrize(("drawing", "stream"), [(SCREENS, "hidden"), (OPEN, "open")])
def test_secret_rolls_and_draws_come_from_the_hidden_stream(drawing: str, stream: str) -> None:
    state, chance = position(drawing), Recorded(Seeded(1))
    story = [ClaimSeat("basic", "a1"), RerollDie(0), BookSeat(0, "a3"), DrawFromBag()]
    for action in story:
        BEBOP.apply(state, state.turn, action, chance)
    assert [pick.stream for pick in chance.picks] == [stream] * 3  # the reroll, the draw, its roll


def test_the_queue_is_refilled_before_all_eyes() -> None:
    state, chance = position(SCREENS), Recorded(Seeded(1))
    for action in (BookSeat(0, "a2"), TakeFromQueue(0)):
        BEBOP.apply(state, state.turn, action, chance)
    assert [pick.stream for pick in chance.picks] == ["open", "open"]


def test_an_open_reroll_is_seen_by_all() -> None:
    state = position(OPEN)
    act(state, ClaimSeat("basic", "a1"))
    rolled = only(act(state, RerollDie(1), "keys"), DieRerolled)
    assert BEBOP.witness(rolled, LOUIS) == rolled


def test_ruling_queue_die_known() -> None:
    """A die taken from the queue was public and is known; a die drawn from the bag is not."""
    state = position(SCREENS)
    act(state, BookSeat(0, "a2"))
    taken = only(act(state, TakeFromQueue(1), "green", "keys"), DieTaken)
    assert BEBOP.witness(taken, LOUIS) == taken
    assert beliefs(state, BILLIE) == {"purple brass": 1.0}
    act(state, BookSeat(0, "a3"))
    drawn = only(act(state, DrawFromBag(), "red", "keys"), DieDrawn)
    assert BEBOP.witness(drawn, BILLIE) == DieDrawn(LOUIS, True, None)
    assert beliefs(state, LOUIS) == {"": 1.0}


def beliefs(state: State, seat: int) -> dict[str, float]:
    """Write what is known of a hand as text, with the weight of each way to know it."""
    return {_words(belief): round(belief.weight, 6) for belief in BEBOP.view(state, None).hands[seat].beliefs}


def _words(belief: HandBelief) -> str:
    return ", ".join(f"{die.colour} {die.face or '?'}" for die in belief.known)


def test_a_secret_reroll_may_have_changed_a_known_die() -> None:
    state = position(SCREENS.replace("hand rk gb yp", "hand rk gb yp; known rk=1.0"))
    act(state, ClaimSeat("basic", "a1"))
    act(state, RerollDie(1), "keys")
    assert beliefs(state, BILLIE) == {"red ?": round(1 / 3, 6), "red keys": round(2 / 3, 6)}


def test_a_booked_die_may_have_been_the_known_one() -> None:
    state = position(SCREENS.replace("hand rk gb yp", "hand rk gb yp; known rk=1.0"))
    act(state, BookSeat(0, "a2"))
    # one die in three was the known one; the two others would have shown keys one time in three
    assert beliefs(state, BILLIE) == {"": 0.6, "red keys": 0.4}


def test_another_colour_booked_leaves_the_known_die() -> None:
    state = position(SCREENS.replace("hand rk gb yp", "hand rk gb yp; known rk=1.0"))
    act(state, BookSeat(1, "a2"))
    assert beliefs(state, BILLIE) == {"red keys": 1.0}


def test_open_hands_leave_nothing_to_guess() -> None:
    state = position(OPEN)
    act(state, BookSeat(0, "a2"))
    act(state, TakeFromQueue(1), "green", "keys")
    assert [hand.beliefs for hand in BEBOP.view(state, BILLIE).hands] == [[], []]


def test_ruling_bag_not_shown() -> None:
    """How many dice are in the bag is seen, not their colours: other hidden dice, same view."""
    one, other = position(SCREENS), position(SCREENS.replace("ak ab ap", "gk gb gp"))
    assert one.bag.counts != other.bag.counts
    assert BEBOP.view(one, BILLIE) == BEBOP.view(other, BILLIE)
    assert BEBOP.view(one, None) == BEBOP.view(other, None)
    assert BEBOP.view(one, LOUIS) != BEBOP.view(other, LOUIS)


def test_supplies_are_public() -> None:
    supplies = BEBOP.view(position(SCREENS.replace("2.    .", "2V    .")), BILLIE).supplies
    assert supplies[LOUIS].specials == ["double", "backstage", "insta", "boot"]


@viewers
def test_what_is_not_secret_is_witnessed_by_all(viewer: Viewer) -> None:
    state = position(SCREENS)
    for event in act(state, BookSeat(0, "a2")):
        assert BEBOP.witness(event, viewer) == event


def preview(state: State, action: AnyAction, viewer: Viewer = BILLIE) -> Preview:
    return BEBOP.preview(BEBOP.view(state, viewer), action)


def kinds(looked: Preview) -> list[type]:
    return [type(event) for event in looked.events]


def test_preview_of_a_claim() -> None:
    looked = preview(position(SCREENS), ClaimSeat("basic", "a1"))
    assert looked == Preview([SeatClaimed(BILLIE, "basic", "a1", False)], [0, 0], False)


def test_preview_of_family_points() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    2.rk  .     Ak
    """)
    looked = preview(state, BookSeat(0, "a1"))
    assert (looked.points, looked.chance_follows) == ([2, 0], False)
    assert only(looked.events, FamilyScored).points == 2
    assert state.family_points == [0, 0]


def test_preview_of_a_stage_with_a_tie() -> None:
    state = position("""
        seat 1: hand gk
        map:
        1.    Ak    2.rk
    """)
    looked = preview(state, BookSeat(0, "a1"))
    assert (looked.points, looked.chance_follows) == ([3, 3], False)
    assert kinds(looked) == [SeatBooked, StagePerformed, FeatureScored]


def test_preview_stops_where_the_order_of_stages_is_to_be_chosen() -> None:
    state = position("""
        seat 1: hand gk
        map:
        2.rk  Ak    1.    Bk    1.yb
    """)
    looked = preview(state, BookSeat(0, "a3"))
    assert (kinds(looked), looked.points, looked.chance_follows) == ([SeatBooked], [0, 0], False)
    act(state, BookSeat(0, "a3"))
    assert preview(state, PerformStage("B")).points == [10, 3]
    assert preview(state, PerformStage("A")).points == [9, 3]


TAKING = """
    turn: 1 take a die
    queue: gk gk gk gk
    {bag}
    map:
    1.rk  .     Ak
"""


def test_preview_of_what_is_left_to_chance() -> None:
    state = position(TAKING.format(bag="passed:"))
    assert preview(state, DrawFromBag()) == Preview([], [0, 0], True)
    taken = DieTaken(BILLIE, 0, Die("green", "keys"))
    assert preview(state, TakeFromQueue(0)) == Preview([taken], [0, 0], True)


@pytest.mark.parametrize(
    ("viewer", "key"), [(LOUIS, "not-your-turn"), (None, "only-watching"), (Eye.ALL, "only-watching")]
)
def test_only_who_is_to_act_can_look_ahead(viewer: Viewer, key: str) -> None:
    with pytest.raises(Illegal) as refused:
        preview(position(SCREENS), ClaimSeat("basic", "a1"), viewer)
    assert refused.value.key == key


def test_with_three_open_seats_the_question_is_which_to_book() -> None:
    state = position("""
        seat 1: hand gk
        map:
        1.    1.    1.    .     Ak
    """)
    assert "Three of your seats are open" in BEBOP.words.question(BEBOP.view(state, BILLIE), "en")


def test_preview_of_a_die_taken_when_the_bag_is_empty() -> None:
    assert not preview(position(TAKING.format(bag="bag: 0")), TakeFromQueue(0)).chance_follows


def test_preview_of_a_reroll() -> None:
    state = position(SCREENS)
    act(state, ClaimSeat("basic", "a1"))
    assert preview(state, RerollDie(0)) == Preview([], [0, 0], True)
    assert not preview(state, KeepDice()).chance_follows


def test_preview_of_the_last_booking_counts_the_majorities() -> None:
    state = position("""
        seat 1: tokens 0 2 0 0; supply 0; hand rb
        seat 2: supply 0
        map:
        1.    2.rk  .     Ak
    """)
    looked = preview(state, BookSeat(0, "a1"))
    assert looked.points == [1 + 2, 0]
    assert isinstance(looked.events[-1], GameEnded)
    assert every(looked.events, MajorityScored)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(0, 150), st.booleans())
def test_previews_come_true(seed: int, players: int, steps: int, hidden: bool) -> None:
    """What a preview shows happens: all of it, and nothing more unless chance follows."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BEBOP.setup(players, Options(load("point-city").source, hidden_hands=hidden), chance)
    for _ in range(steps):
        if not BEBOP.to_act(state):
            return
        action, events, before = rng.choice(offered(state)), list[AnyEvent](), BEBOP.scores(state)
        looked = preview(state, action, state.turn)
        assert BEBOP.why_not(BEBOP.view(state, state.turn), action) is None
        BEBOP.apply(state, state.turn, action, chance, events.append)
        assert looked.events == events[: len(looked.events)]
        if not looked.chance_follows:
            assert looked.events == events
            assert looked.points == [after - one for after, one in zip(BEBOP.scores(state), before, strict=True)]


@pytest.mark.parametrize("action", [ClaimSeat("basic", "a1"), BookSeat(2, "a2")])
def test_why_not_has_nothing_against_what_is_legal(action: AnyAction) -> None:
    state = position(SCREENS)
    assert BEBOP.why_not(BEBOP.view(state, BILLIE), action) is None


def test_why_not_for_who_is_not_to_act() -> None:
    refusal = BEBOP.why_not(BEBOP.view(position(SCREENS), LOUIS), Pass())
    assert refusal is not None
    assert refusal.key == "not-your-turn"


@pytest.mark.parametrize("action", [DrawFromBag(), TakeFromQueue(0)])
def test_why_not_lets_chance_be(action: AnyAction) -> None:
    state = position(TAKING.format(bag="passed:"))
    assert BEBOP.why_not(BEBOP.view(state, BILLIE), action) is None


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
    return [BEBOP.witness(event, viewer) for event in events]


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
