"""The course of the game: turns, passing, stopping, and the end."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jamboree.core.chance import Seeded
from jamboree.core.errors import Illegal
from jamboree.core.game import dump
from jamboree.games.bebop.box.board import load
from jamboree.games.bebop.rules.actions import (
    BookSeat,
    ClaimSeat,
    DeclineClaim,
    DrawFromBag,
    KeepDice,
    Pass,
    RerollDie,
)
from jamboree.games.bebop.rules.events import (
    AnyEvent,
    FamilyScored,
    FeatureScored,
    GameEnded,
    MajorityScored,
    SeatFinished,
    SeatPassed,
)
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.state import State

from ..table import BEBOP, BILLIE, ELLA, LOUIS, act, events_of, offered, only_event, phase, position, refused


def test_play_goes_round_clockwise() -> None:
    state = position("""
        seats: 3
        turn: 2
        map:
        .     .     .     .     Ak
    """)
    for seat, hex in [(LOUIS, "a1"), (ELLA, "a2"), (BILLIE, "a3"), (LOUIS, "a4")]:
        assert BEBOP.to_act(state) == {seat}
        act(state, ClaimSeat("basic", hex))


def test_on_a_turn_a_player_claims_or_books() -> None:
    state = position("""
        seat 1: hand rk; supply 1
        map:
        1.    .     Ak
    """)
    assert offered(state) == [ClaimSeat("basic", "a2"), BookSeat(0, "a1")]


def test_who_waits_has_nothing_to_choose() -> None:
    state = position("""
        map:
        .     .     Ak
    """)
    assert list(BEBOP.legal(state, LOUIS)) == []


def test_a_player_stops_when_all_seats_are_placed_and_booked() -> None:
    state = position("""
        seats: 3
        seat 1: hand rk; supply 0
        seat 2: supply 0
        map:
        1.    .     Ak    .
    """)
    events = act(state, BookSeat(0, "a1"))
    assert only_event(events, SeatFinished) == SeatFinished(BILLIE)
    assert state.turn == ELLA  # Louis stopped before
    act(state, ClaimSeat("basic", "a2"))
    assert state.turn == ELLA


def test_a_seat_still_in_the_supply_keeps_a_player_going() -> None:
    state = position("""
        seat 1: hand rk; supply 0 v
        map:
        1.    .     Ak
    """)
    assert events_of(act(state, BookSeat(0, "a1")), SeatFinished) == []


def test_the_game_ends_when_everybody_has_stopped() -> None:
    state = position("""
        seat 1: hand rk; supply 0
        seat 2: supply 0
        map:
        1.    .     Ak
    """)
    events = act(state, BookSeat(0, "a1"))
    assert isinstance(events[-1], GameEnded)
    assert BEBOP.to_act(state) == frozenset()


STUCK = """
    seats: 3
    seat 1: hand rk; supply 1 s
    seat 2: hand gk; supply 0
    seat 3: hand yk; supply 2
    queue: gk gk gk gk gk
    map:
    2.    Ak    1.gk  3.gk
"""


def test_ruling_passing() -> None:
    """A player who can neither claim nor book passes, and plays on when a hex opens up."""
    state = position(STUCK)
    assert offered(state) == [Pass()]
    assert act(state, Pass()) == [SeatPassed(BILLIE)]
    assert state.turn == LOUIS
    act(state, BookSeat(0, "a1"))  # the stage performs
    assert (state.turn, offered(state)) == (ELLA, [Pass()])
    act(state, Pass())
    assert state.turn == BILLIE
    assert offered(state) == [ClaimSeat("backstage", "a2")]


def test_passing_is_only_for_those_who_cannot_act() -> None:
    state = position("""
        seat 1: hand rk; supply 0
        seat 2: hand gk
        map:
        1.    .     Ak    .
    """)
    assert refused(state, Pass()).key == "can-book"
    act(state, BookSeat(0, "a1"))
    assert refused(state, Pass()).key == "can-claim"


def test_open_seats_without_dice_are_no_reason_to_stay() -> None:
    state = position("""
        seat 1: supply 0
        map:
        1.    .     Ak
    """)
    assert offered(state) == [Pass()]
    assert act(state, Pass()) == [SeatPassed(BILLIE)]


def test_ruling_all_passed() -> None:
    """When all who have not stopped have passed since the last claim or booking, the game ends."""
    state = position(STUCK)
    act(state, Pass())
    act(state, BookSeat(0, "a1"))
    act(state, Pass())
    act(state, ClaimSeat("backstage", "a2"))
    act(state, KeepDice())
    act(state, Pass())
    assert state.turn == BILLIE  # a claim came since her own pass
    act(state, BookSeat(0, "a2"))
    act(state, DrawFromBag(), "red", "keys")
    act(state, Pass())
    events = act(state, Pass())
    assert [type(event) for event in events if not isinstance(event, MajorityScored)] == [SeatPassed, GameEnded]
    assert phase(state) == "over"


def test_a_pass_of_everybody_at_once_ends_the_game() -> None:
    state = position("""
        seats: 4
        turn: 3
        passed: 2
        seat 2: supply 0
        seat 1: supply 1
        seat 3: supply 1
        seat 4: supply 0
        map:
        1.rk  Ak
    """)
    act(state, Pass())
    assert state.turn == BILLIE
    assert isinstance(act(state, Pass())[-1], GameEnded)


def test_rerolls_of_a_turn_end_with_it() -> None:
    state = position("""
        seat 1: hand rk
        seat 2: hand gk
        map:
        .     .     .     .     Ak
    """)
    act(state, ClaimSeat("double", "a1"))
    act(state, DeclineClaim())
    act(state, RerollDie(0), "brass")
    assert (state.turn, state.rerolls) == (LOUIS, 0)


def play_steps(seed: int, festival: str, players: int, steps: int, **options: bool) -> State:
    """Play so many random steps of a game."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BEBOP.setup(players, Options(board=load(festival).source, **options), chance)
    for _ in range(steps):
        if not BEBOP.to_act(state):
            break
        BEBOP.apply(state, state.turn, rng.choice(BEBOP.legal(state, state.turn)).action, chance)
    return state


@settings(max_examples=30)
@given(
    st.integers(0, 10**6),
    st.sampled_from(["cramped-valley", "longchain", "point-city"]),
    st.integers(2, 4),
    st.integers(0, 250),
)
def test_what_is_offered_is_what_is_allowed(seed: int, festival: str, players: int, steps: int) -> None:
    """Try every action there is: those on offer can be done, all others are refused and change nothing."""
    state = play_steps(seed, festival, players, steps)
    on_offer, before = set(offered(state)), dump(state)
    for action in BEBOP.actions(state):
        twin = state.clone()
        try:
            BEBOP.apply(twin, state.turn, action, Seeded(1))
        except Illegal:
            assert action not in on_offer
            assert dump(twin) == before
        else:
            assert action in on_offer
    assert dump(state) == before


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from(["vanillaville", "point-city"]), st.integers(2, 4), st.booleans())
def test_every_point_is_told(seed: int, festival: str, players: int, star: bool) -> None:
    """Add up the points of all events of a random game: they are the scores."""
    rng, chance = random.Random(seed), Seeded(seed)
    state, points = BEBOP.setup(players, Options(load(festival).source, star), chance), [0] * players
    events: list[AnyEvent] = []
    while BEBOP.to_act(state):
        events.clear()
        BEBOP.apply(state, state.turn, rng.choice(BEBOP.legal(state, state.turn)).action, chance, events.append)
        for event in events:
            if isinstance(event, FamilyScored):
                points[event.seat] += event.points
            elif isinstance(event, FeatureScored):
                for winner in event.winners:
                    points[winner] += event.points
            elif isinstance(event, MajorityScored):
                points = [one + more for one, more in zip(points, event.points, strict=True)]
        assert tuple(points) == BEBOP.scores(state)
    assert all(BEBOP.census(state).values())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_come_to_an_end(players: int) -> None:
    for seed in range(5):
        assert BEBOP.to_act(play_steps(seed, "cramped-valley", players, 5000)) == frozenset()
