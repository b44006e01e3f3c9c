"""Book a seat: families, banners, and the new die."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.geometry import groups
from jamboree.games.bebop.box.board import load
from jamboree.games.bebop.box.dice import Die
from jamboree.games.bebop.rules.actions import BookSeat, DrawFromBag, TakeFromQueue
from jamboree.games.bebop.rules.events import (
    AnyEvent,
    BannerMoved,
    DieDrawn,
    DieTaken,
    FamilyScored,
    QueueRefilled,
    SeatBooked,
)
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.state import NO_DIE

from ..table import (
    BEBOP,
    BILLIE,
    LOUIS,
    act,
    events_of,
    offered,
    only_event,
    parse_drawing,
    phase,
    position,
    refused,
    scores,
    shows,
)


def test_a_die_goes_on_any_open_seat_of_ones_own() -> None:
    state = position("""
        seat 1: hand rk gb
        seat 2: hand yk
        map:
        1.    1v    2.    1.rk  .     Ak
    """)
    bookings = [action for action in offered(state) if isinstance(action, BookSeat)]
    assert bookings == [BookSeat(die, hex) for die in (0, 1) for hex in ("a1", "a2")]
    assert only_event(act(state, BookSeat(1, "a2")), SeatBooked) == SeatBooked(BILLIE, "a2", Die("green", "brass"))
    shows(state, "1.    1vgb  2.    1.rk  .     Ak")


def test_example_red_keys_family_of_three() -> None:
    """Louis places a red keys die next to a red family: it now has three red keys, so he scores three points."""
    state = position("""
        turn: 2
        seat 2: hand rk
        map:
        1.rk  1.rb  2.    2.gk
           2.rk  .     Ak
    """)
    scored = only_event(act(state, BookSeat(0, "a3")), FamilyScored)
    assert (scored.points, scored.matching) == (3, ["a1", "a3", "b1"])
    assert scored.family == ["a1", "a2", "a3", "b1"]
    assert scores(state) == (0, 3)


def test_a_die_alone_is_no_family() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    2.gk  2.rk  Ak
    """)
    assert events_of(act(state, BookSeat(0, "a1")), FamilyScored) == []
    assert scores(state) == (0, 0)


def test_a_family_without_another_matching_face_scores_the_new_die() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    2.rb  2.rp  Ak
    """)
    assert only_event(act(state, BookSeat(0, "a1")), FamilyScored).points == 1


def test_a_die_can_join_two_families_into_one() -> None:
    state = position("""
        seat 1: hand rk
        map:
        2.rk  2.rk  1.    1.rk  2.rb  Ak
    """)
    scored = only_event(act(state, BookSeat(0, "a3")), FamilyScored)
    assert (scored.points, len(scored.family)) == (4, 5)


def test_preprinted_dice_join_connect_and_count_in_families() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    =rk   2.rk  Ak
    """)
    scored = only_event(act(state, BookSeat(0, "a1")), FamilyScored)
    assert (scored.points, scored.family) == (3, ["a1", "a2", "a3"])


def test_the_largest_family_gets_the_banner() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    2.rb  .     Ak
    """)
    assert only_event(act(state, BookSeat(0, "a1")), BannerMoved) == BannerMoved("red", ["a1", "a2"])
    assert [family.banner for family in BEBOP.view(state, None).families] == [True]


def test_a_smaller_family_does_not_get_the_banner() -> None:
    state = position("""
        seat 1: hand rk
        banners: red a4
        map:
        1.    2.rb  .     2.rb  2.rb  2.rb  Ak
    """)
    assert events_of(act(state, BookSeat(0, "a1")), BannerMoved) == []
    assert _bannered(state) == {"red": ["a4", "a5", "a6"]}


def test_a_family_that_ties_for_largest_takes_the_banner() -> None:
    state = position("""
        seat 1: hand rk
        banners: red a4
        map:
        1.    2.rb  .     2.rb  2.rb  Ak
    """)
    assert only_event(act(state, BookSeat(0, "a1")), BannerMoved).family == ["a1", "a2"]
    assert _bannered(state) == {"red": ["a1", "a2"]}


def test_a_growing_bannered_family_keeps_its_banner() -> None:
    state = position("""
        seat 1: hand rk
        banners: red a2, green a5
        map:
        1.    2.rb  2.rp  .     2.gb  2.gk  Ak
    """)
    assert events_of(act(state, BookSeat(0, "a1")), BannerMoved) == []
    assert _bannered(state) == {"red": ["a1", "a2", "a3"], "green": ["a5", "a6"]}


def _bannered(state: object) -> dict[str, list[str]]:
    families = BEBOP.view(state, None).families  # type: ignore[arg-type]
    return {family.colour: family.hexes for family in families if family.banner}


QUEUE = """
    seat 1: hand rk
    queue: gk ab pp --
    map:
    1.    .     Ak
"""


def test_after_a_booking_a_new_die_is_taken() -> None:
    state = position(QUEUE)
    act(state, BookSeat(0, "a1"))
    assert phase(state) == "take a die"
    assert offered(state) == [TakeFromQueue(0), TakeFromQueue(1), TakeFromQueue(2), DrawFromBag()]


def test_a_die_from_the_queue_is_not_rolled_and_its_place_is_filled() -> None:
    state = position(QUEUE)
    act(state, BookSeat(0, "a1"))
    events = act(state, TakeFromQueue(1), "yellow", "brass")
    assert events == [
        DieTaken(BILLIE, 1, Die("aqua", "brass")),
        QueueRefilled(1, Die("yellow", "brass")),
    ]
    view = BEBOP.view(state, BILLIE)
    assert view.hands[BILLIE].dice == [Die("aqua", "brass")]
    assert view.queue == [Die("green", "keys"), Die("yellow", "brass"), Die("purple", "percussion"), None]
    assert state.turn == LOUIS


def test_a_die_from_the_bag_is_rolled_and_the_queue_stays() -> None:
    state = position(QUEUE)
    before, bag = list(state.queue), state.bag.total
    act(state, BookSeat(0, "a1"))
    assert act(state, DrawFromBag(), "red", "percussion") == [DieDrawn(BILLIE, False, Die("red", "percussion"))]
    assert (state.queue, state.bag.total) == (before, bag - 1)


def test_without_seats_in_the_supply_no_new_die_is_taken() -> None:
    state = position("""
        seat 1: hand rk gk; supply 0
        queue: gk gk gk gk
        map:
        1.    1.    .     Ak
    """)
    act(state, BookSeat(0, "a1"))
    assert (state.turn, phase(state), len(state.hands[BILLIE])) == (LOUIS, "turn", 1)


def test_one_special_left_in_the_supply_is_a_seat() -> None:
    state = position("""
        seat 1: hand rk gk; supply 0 v
        map:
        1.    1.    .     Ak
    """)
    act(state, BookSeat(0, "a1"))
    assert phase(state) == "take a die"


def test_ruling_empty_bag() -> None:
    """The queue is not refilled; take from what there is; if there is nothing, take nothing."""
    state = position("""
        seat 1: hand rk gk
        seat 2: hand yk
        queue: gk -- -- --
        bag: 0
        map:
        1.    1.    2.    .     Ak
    """)
    act(state, BookSeat(0, "a1"))
    assert offered(state) == [TakeFromQueue(0)]
    assert refused(state, DrawFromBag()).key == "bag-empty"
    assert events_of(act(state, TakeFromQueue(0)), QueueRefilled) == []
    assert state.queue == [NO_DIE] * 4
    act(state, BookSeat(0, "a3"))
    assert (state.turn, state.hands[LOUIS]) == (BILLIE, ())


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from(["vanillaville", "point-city"]), st.integers(2, 4))
def test_families_are_kept_as_the_board_shows_them(seed: int, festival: str, players: int) -> None:
    """Search the groups and points anew after every booking of a random game."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BEBOP.setup(players, Options(board=load(festival).source), chance)
    while BEBOP.to_act(state):
        events: list[AnyEvent] = []
        action = rng.choice(BEBOP.legal(state, state.turn)).action
        BEBOP.apply(state, state.turn, action, chance, events.append)
        for event in events_of(events, FamilyScored):
            assert event.points == len(event.matching)
            assert len(event.family) >= 2
        for colour, mask in enumerate(state.colours):
            found = groups(mask, state.ground.near)
            assert sorted(state.families[colour]) == sorted(found)
            largest = max((group.bit_count() for group in found), default=0)
            banner = state.banners[colour]
            assert (largest >= 2) == (banner >= 0)
            assert banner < 0 or state.family_at(colour, banner).bit_count() == largest


@pytest.mark.parametrize("viewer", ["1", "2"])
def test_the_colour_of_a_die_drawn_behind_the_screen_is_hidden(viewer: str) -> None:
    drawing = QUEUE.replace("seat 1: hand rk", "options: hidden\n    seat 1: hand rk")
    state = position(drawing)
    act(state, BookSeat(0, "a1"))
    (event,) = act(state, DrawFromBag(), "red", "percussion")
    assert event == DieDrawn(BILLIE, True, Die("red", "percussion"))
    witnessed = BEBOP.witness(event, int(viewer) - 1)
    assert witnessed == (event if viewer == "1" else DieDrawn(BILLIE, True, None))


def test_a_drawing_leaves_what_it_does_not_name_at_its_beginning() -> None:
    view = parse_drawing(QUEUE)
    assert (view.rating, view.supplies[LOUIS].basic, view.bag) == ([7, 7, 7], 11, 45 - 3 - 1)
