"""What viewers see of a position and of events, and what they can conclude from it."""

import pytest

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.game import Eye, Viewer
from jamboree.games.bebop.box.dice import Die
from jamboree.games.bebop.rules.actions import (
    BookSeat,
    ClaimSeat,
    DrawFromBag,
    RerollDie,
    TakeFromQueue,
)
from jamboree.games.bebop.rules.events import (
    DieDrawn,
    DieRerolled,
    DieTaken,
)
from jamboree.games.bebop.rules.state import State
from jamboree.games.bebop.visibility.views import HandBelief

from ..table import BEBOP, BILLIE, LOUIS, SCREENS, act, only, position

viewers = pytest.mark.parametrize("viewer", [BILLIE, LOUIS, None, Eye.ALL])

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
