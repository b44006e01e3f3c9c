"""Claim a seat: where tiles go, what the special seats do, and the reroll afterwards."""

import pytest

from jamboree.core.game import Eye
from jamboree.games.bebop.box.components import SPECIALS
from jamboree.games.bebop.box.dice import Die
from jamboree.games.bebop.rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DeclineBooking,
    DeclineClaim,
    DrawFromBag,
    KeepDice,
    RerollDie,
    TakeFromQueue,
)
from jamboree.games.bebop.rules.events import DieDrawn, DieRerolled, FamilyScored, SeatBooked, SeatBooted, SeatClaimed
from jamboree.games.bebop.rules.state import State

from ..table import BEBOP, BILLIE, LOUIS, act, events_of, offered, only_event, phase, position, refused, scores, shows


def places(state: State, tile: str, face_down: bool = False) -> str:
    """List the hexes where a tile may go."""
    claims = [action for action in offered(state) if isinstance(action, ClaimSeat)]
    return " ".join(sorted(claim.hex for claim in claims if (claim.tile, claim.face_down) == (tile, face_down)))


def square() -> State:
    return position("""
        seat 1: hand rk gb yp
        seat 2: hand ak
        map:
           .     *     Ak
        .     2.    .     .
           B-    .     1.rk
    """)


def test_a_basic_seat_goes_on_any_empty_normal_hex() -> None:
    state = square()
    assert places(state, "basic") == "a1 b1 b3 b4 c2"
    assert only_event(act(state, ClaimSeat("basic", "b3")), SeatClaimed) == SeatClaimed(BILLIE, "basic", "b3", False)
    assert state.basics[BILLIE] == 9
    shows(
        state,
        """
           .     *     Ak
        .     2.    1.    .
           B-    .     1.rk
        """,
    )


@pytest.mark.parametrize("tile", SPECIALS)
def test_any_special_may_lie_face_down_as_a_basic_seat(tile: str) -> None:
    state = square()
    assert places(state, tile, face_down=True) == "a1 b1 b3 b4 c2"
    act(state, ClaimSeat(tile, "b3", face_down=True))
    assert phase(state) == "reroll"  # no power is used
    assert refused(state, ClaimSeat("basic", "b4")).key == "not-now.reroll"


def test_where_each_special_goes_face_up() -> None:
    state = square()
    assert places(state, "vip") == "a2"
    assert places(state, "backstage") == "c1"
    assert places(state, "double") == "a1 b1 b3 b4 c2"
    assert places(state, "insta") == "a1 b1 b3 b4 c2"
    assert places(state, "boot") == "a1 b1 b2 b3 b4 c2"  # b2 is another player's open seat


def test_a_vip_hex_takes_nothing_but_a_vip_seat() -> None:
    state = square()
    on_it = [action for action in offered(state) if isinstance(action, ClaimSeat) and action.hex == "a2"]
    assert on_it == [ClaimSeat("vip", "a2")]


def test_three_open_seats_are_the_limit() -> None:
    state = position("""
        seat 1: hand rk
        seat 2: hand ak
        map:
        1.    1.    1v    .     Ak
    """)
    assert offered(state) == [BookSeat(0, "a1"), BookSeat(0, "a2"), BookSeat(0, "a3")]
    assert refused(state, ClaimSeat("basic", "a4")).key == "three-open"


def test_a_seat_with_a_die_is_not_open() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    1.    1.gb  .     Ak
    """)
    act(state, ClaimSeat("basic", "a4"))
    shows(state, "1.    1.    1.gb  1.    Ak")


def test_after_a_claim_one_die_may_be_rerolled() -> None:
    state = square()
    act(state, ClaimSeat("basic", "b3"))
    assert offered(state) == [RerollDie(0), RerollDie(1), RerollDie(2), KeepDice()]
    rolled = only_event(act(state, RerollDie(1), "percussion"), DieRerolled)
    assert (rolled.before, rolled.after) == (Die("green", "brass"), Die("green", "percussion"))
    assert state.turn == LOUIS


def test_the_reroll_is_optional() -> None:
    state = square()
    hand = state.hands[BILLIE]
    act(state, ClaimSeat("basic", "b3"))
    act(state, KeepDice())
    assert (state.hands[BILLIE], state.turn) == (hand, LOUIS)


def test_only_a_claim_brings_a_reroll() -> None:
    state = position("""
        seat 1: hand rk gb yp
        queue: rk rk rk rk
        map:
        1.    .     Ak
    """)
    act(state, BookSeat(0, "a1"))
    act(state, DrawFromBag(), "green", "keys")
    assert (state.turn, phase(state)) == (LOUIS, "turn")


def test_a_double_claim_allows_another_claim_at_once() -> None:
    state = square()
    act(state, ClaimSeat("double", "b1"))
    assert (state.turn, phase(state)) == (BILLIE, "claim again")
    assert places(state, "basic") == "a1 b3 b4 c2"
    act(state, ClaimSeat("vip", "a2"))
    act(state, RerollDie(0), "brass")
    act(state, RerollDie(1), "brass")  # each of the two claims has its own
    assert state.turn == LOUIS


def test_a_double_claim_respects_the_three_open_seats() -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    1.    .     .     Ak
    """)
    act(state, ClaimSeat("double", "a3"))
    assert phase(state) == "reroll"


def test_the_second_claim_may_be_an_insta_book() -> None:
    state = position("""
        seat 1: hand rk rb
        queue: gk gk gk gk
        map:
        .     .     .     Ak
    """)
    act(state, ClaimSeat("double", "a1"))
    act(state, ClaimSeat("insta", "a2"))
    act(state, BookSeat(0, "a2"))
    act(state, DrawFromBag(), "red", "keys")
    act(state, RerollDie(0), "keys")
    act(state, KeepDice())
    assert state.turn == LOUIS
    shows(state, "1d    1irk  .     Ak")


def test_an_insta_book_is_booked_at_once_and_in_full() -> None:
    state = position("""
        seat 1: hand rk gb
        queue: gk gk gk gk
        map:
        .     2.rk  1.    Ak
           2.    .     .
    """)
    act(state, ClaimSeat("insta", "a1"))
    assert phase(state) == "book this seat"
    assert offered(state) == [BookSeat(0, "a1"), BookSeat(1, "a1"), DeclineBooking()]
    events = act(state, BookSeat(0, "a1"))
    assert (only_event(events, SeatBooked).hex, only_event(events, FamilyScored).points) == ("a1", 2)
    act(state, TakeFromQueue(2), "aqua", "brass")
    assert phase(state) == "reroll"
    act(state, KeepDice())
    assert (state.turn, scores(state)) == (LOUIS, (2, 0))


def test_the_insta_book_die_goes_on_that_very_seat() -> None:
    state = position("""
        seat 1: hand rk gb
        map:
        .     2.rk  1.    Ak
    """)
    act(state, ClaimSeat("insta", "a1"))
    assert refused(state, BookSeat(0, "a3")).key == "insta-this-seat"


def test_after_an_insta_book_that_was_the_last_seat_no_die_is_taken() -> None:
    state = position("""
        seat 1: hand rk gb; supply 0 i
        queue: gk gk gk gk
        map:
        .     2.rk  1.    Ak
    """)
    act(state, ClaimSeat("insta", "a1"))
    act(state, BookSeat(0, "a1"))
    assert phase(state) == "reroll", "the supply is empty, so there is nothing to take a die for"
    assert len(state.hands[BILLIE]) == 1


def test_the_boot_replaces_an_open_seat_of_another_player() -> None:
    state = square()
    events = act(state, ClaimSeat("boot", "b2"))
    assert only_event(events, SeatBooted) == SeatBooted(BILLIE, LOUIS, "basic", "b2")
    assert (state.basics[LOUIS], state.open[LOUIS]) == (11, 0)
    shows(
        state,
        """
           .     *     Ak
        .     1t    .     .
           B-    .     1.rk
        """,
    )


def test_the_boot_need_not_boot() -> None:
    state = square()
    assert events_of(act(state, ClaimSeat("boot", "b1")), SeatBooted) == []
    assert state.open[LOUIS]


@pytest.mark.parametrize("tile", ["double", "insta", "boot", "vip", "backstage"])
def test_a_booted_special_goes_back_with_all_its_powers(tile: str) -> None:
    """Louis's special lies face down or up on a normal hex; booted, it is in his supply again."""
    mark = {"double": "2d", "insta": "2i", "boot": "2T", "vip": "2V", "backstage": "2S"}[tile]
    state = position(f"""
        seat 1: hand rk
        seat 2: hand gk
        map:
        {mark}    .     .     *     Ak    .     B-
    """)
    assert tile not in BEBOP.view(state, Eye.ALL).supplies[LOUIS].specials
    act(state, ClaimSeat("boot", "a1"))
    act(state, KeepDice())
    assert places(state, tile)  # face up again


def test_a_double_claim_can_be_used_again_after_a_boot() -> None:
    state = position("""
        seat 1: hand rk
        seat 2: hand gk
        map:
        2d    .     .     Ak
    """)
    act(state, ClaimSeat("boot", "a1"))
    act(state, KeepDice())
    act(state, ClaimSeat("double", "a2"))
    assert phase(state) == "claim again"


@pytest.mark.parametrize(
    ("hex", "why"),
    [
        ("a1", "boot-own"),
        ("a2", "boot-boot"),
        ("a3", "boot-special"),  # a VIP seat on its VIP hex
        ("a4", "occupied"),  # dice are never booted
        ("a5", "occupied"),  # nor are preprinted ones
    ],
)
def test_what_cannot_be_booted(hex: str, why: str) -> None:
    state = position("""
        seat 1: hand rk
        map:
        1.    2t    2v    2.rk  =gb   Ak
    """)
    assert refused(state, ClaimSeat("boot", hex)).key == why
    assert places(state, "boot") == ""


def test_a_backstage_pass_on_a_stage_cannot_be_booted() -> None:
    state = position("""
        turn: 2
        seat 1: hand rk
        seat 2: hand gk
        map:
        A-    .     .
    """)
    act(state, ClaimSeat("backstage", "a1"))
    act(state, KeepDice())
    assert refused(state, ClaimSeat("boot", "a1")).key == "boot-special"


def test_ruling_claim_order() -> None:
    """Place, then the special's effect to its end, then this claim's reroll: also one claim inside another."""
    state = position("""
        seat 1: hand rk gb
        queue: yk yk yk yk
        map:
        .     .     .     Ak
    """)
    act(state, ClaimSeat("double", "a1"))
    act(state, ClaimSeat("insta", "a2"))
    act(state, BookSeat(0, "a2"))
    act(state, TakeFromQueue(0), "aqua", "keys")
    assert [phase(state), state.rerolls] == ["reroll", 2]
    act(state, RerollDie(1), "brass")  # the die just taken can be rerolled
    assert [phase(state), state.rerolls] == ["reroll", 1]
    act(state, KeepDice())
    assert state.turn == LOUIS


@pytest.mark.parametrize(
    ("tile", "no"),
    [("double", DeclineClaim()), ("insta", DeclineBooking())],
)
def test_ruling_follow_ups_are_optional(tile: str, no: AnyAction) -> None:
    state = square()
    act(state, ClaimSeat(tile, "b1"))
    assert no in offered(state)
    act(state, no)
    assert phase(state) == "reroll"  # the claim's own reroll still comes
    assert KeepDice() in offered(state)


def test_ruling_the_impossible_is_not_offered() -> None:
    """No room for a second claim, no die for the Insta-Book, no die to reroll: the turn goes on."""
    no_room = position("""
        seat 1: hand rk; supply 0 d
        map:
        .     .     Ak
    """)
    act(no_room, ClaimSeat("double", "a1"))
    assert phase(no_room) == "reroll"
    no_dice = position("""
        map:
        .     .     Ak
    """)
    act(no_dice, ClaimSeat("insta", "a1"))
    assert (no_dice.turn, phase(no_dice)) == (LOUIS, "turn")


@pytest.mark.parametrize(
    ("tile", "no", "power"),
    [("double", DeclineClaim(), "claim again"), ("insta", DeclineBooking(), "book this seat")],
)
def test_ruling_declined_special(tile: str, no: AnyAction, power: str) -> None:
    """Declined, it is an ordinary open seat; booted, it regains its power."""
    state = position("""
        seat 1: hand rk
        seat 2: hand gk
        map:
        .     .     .     Ak
    """)
    act(state, ClaimSeat(tile, "a1"))
    act(state, no)
    act(state, KeepDice())
    assert state.open[BILLIE]
    act(state, ClaimSeat("boot", "a1"))
    act(state, KeepDice())
    act(state, ClaimSeat(tile, "a2"))
    assert phase(state) == power


def test_ruling_boot_by_place_and_facing() -> None:
    """A special lying face down on a normal hex is a basic seat: even a Boot can be booted then."""
    state = position("""
        seats: 3
        seat 1: hand rk
        map:
        2T    2V    2S    3v    3t    Ak
    """)
    assert places(state, "boot") == "a1 a2 a3"

    for face_down, bootable in ((False, ""), (True, "a1")):
        state = position("""
            turn: 2
            seat 1: hand rk; supply 0 t
            map:
            .     Ak
        """)
        act(state, ClaimSeat("boot", "a1", face_down))
        assert places(state, "boot") == bootable


def test_ruling_face_down_is_public() -> None:
    state = position("""
        options: hidden
        seat 1: hand rk
        map:
        2T    2D    .     Ak
    """)
    for viewer in (BILLIE, LOUIS, None):
        tiles = BEBOP.view(state, viewer).tiles
        assert [(tile.tile, tile.face_down) for tile in tiles] == [("boot", True), ("double", True)]


def test_a_secret_draw_after_an_insta_book_is_secret() -> None:
    state = position("""
        options: hidden
        seat 1: hand rk
        map:
        .     .     Ak
    """)
    act(state, ClaimSeat("insta", "a1"))
    act(state, BookSeat(0, "a1"))
    drawn = only_event(act(state, DrawFromBag(), "red", "brass"), DieDrawn)
    assert drawn.secret
    assert BEBOP.witness(drawn, LOUIS) == DieDrawn(BILLIE, True, None)
