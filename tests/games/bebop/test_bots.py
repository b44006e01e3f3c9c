"""The greedy bot: strong enough to be worth playing, fair to those it plays with, and sensible in drawn positions."""

import random
from itertools import pairwise

import msgspec
import pytest

from jamboree.bots import RandomBot
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions
from jamboree.core.play import Match, Player, play
from jamboree.core.twin.chance import CHANCE
from jamboree.games.bebop.bots.players import BOTS, MIXED_WEIGHTS, mixed
from jamboree.games.bebop.fast import layout as at
from jamboree.games.bebop.fast.bridge import row_of, table, table_for
from jamboree.games.bebop.fast.evaluation import closing, points
from jamboree.games.bebop.rules.actions import (
    AnyAction,
    BookSeat,
    ClaimSeat,
    DeclineBooking,
    DrawFromBag,
    KeepDice,
    PerformStage,
    RerollDie,
    TakeFromQueue,
)
from jamboree.games.bebop.rules.setup import Options
from jamboree.games.bebop.rules.state import OVER, PERFORM
from jamboree.games.bebop.visibility.views import View

from .boards import widened
from .table import BEBOP, position, scores

GREEDY = BOTS["greedy"]


def deterministic_choice(drawing: str, board: str = "") -> AnyAction:
    """Ask a bot that has no whims."""
    state, bot = position(drawing, board), GREEDY(1)
    bot.chance = [0] * CHANCE  # all its random numbers are 0
    action: AnyAction = bot.choose(BEBOP.view(state, state.turn), BEBOP.legal(state, state.turn))
    return action


def play_match(players: list[Player], seed: int, options: Options | None = None) -> Match:
    match = Match(BEBOP, len(players), options or Options(), Seeded(seed))
    play(match, players, random.Random(seed))
    return match


def test_greedy_beats_random() -> None:
    wins = 0
    for seed in range(60):
        greedy = seed % 2
        players: list[Player] = [RandomBot(seed), RandomBot(seed)]
        players[greedy] = GREEDY(seed)
        wins += BEBOP.outcome(play_match(players, seed).state).winners == [greedy]  # type: ignore[union-attr]
    assert wins >= 54


class Distracted:
    """A greedy bot that is shown only what a hidden hand leaves to see, and through the wire at that."""

    def __init__(self, seed: int) -> None:
        self.plain, self.wired = GREEDY(seed), GREEDY(seed)

    def choose(self, view: View, offers: object) -> AnyAction:
        hands = [hand if seat == view.viewer else blind(hand) for seat, hand in enumerate(view.hands)]
        sent = msgspec.json.encode(msgspec.structs.replace(view, hands=hands))
        action: AnyAction = self.plain.choose(view, offers)
        assert self.wired.choose(msgspec.json.decode(sent, type=View), offers) == action
        return action


def blind(hand: msgspec.Struct) -> msgspec.Struct:
    return msgspec.structs.replace(hand, dice=None, beliefs=[])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_plays_the_same_without_looking_into_hands(players: int) -> None:
    play_match([Distracted(seed) for seed in range(players)], seed=4, options=Options(hidden_hands=True))


def test_an_evaluation_foresees_what_a_booking_scores() -> None:
    booked = performed = 0
    for seed in range(8):
        chance, bot = Seeded(seed), GREEDY(seed)
        state = BEBOP.setup(2, Options(star=bool(seed % 2)), chance)
        while BEBOP.to_act(state):
            (m, s), t = row_of(state), table_for(state)
            action = bot.choose(BEBOP.view(state, state.turn), BEBOP.legal(state, state.turn))
            before, seat = scores(state), state.turn
            BEBOP.apply(state, seat, action, chance)
            if not isinstance(action, BookSeat) or state.phase in (PERFORM, OVER):
                continue
            own, rival = (scores(state)[each] - before[each] for each in (seat, 1 - seat))
            place, die = state.ground.index[action.hex], s[at.HAND + at.HAND_SIZE * seat + action.die]
            assert points(m, s, list(t), seat, die, place) == own - rival / 2
            booked, performed = booked + 1, performed + (closing(m, s, list(t), place) > 0)
    assert booked > 200
    assert performed > 20


def test_it_books_for_three_points() -> None:
    assert deterministic_choice("""
        seat 1: hand gb rk
        map:
        1.rk  1.rk  1.    .     .     Ak
    """) == BookSeat(1, "a3")


def test_it_claims_rather_than_book_for_two() -> None:
    action = deterministic_choice("""
        seat 1: supply 5; hand gb rk
        map:
        1.rb  1.rk  1.    .     .     Ak
    """)
    assert isinstance(action, ClaimSeat)


def test_it_completes_a_stage_it_wins_and_not_one_it_loses() -> None:
    stage = """
        seat 1: hand {die}
        map:
           {other}  1.
        .     Ak
    """
    assert deterministic_choice(stage.format(die="gk", other="1.rk").replace(".     Ak", "2.yb  Ak")) == BookSeat(
        0, "a2"
    )
    assert isinstance(deterministic_choice(stage.format(die="gb", other="2.rk")), ClaimSeat)


def test_it_keeps_the_vip_seat_for_a_vip_hex() -> None:
    assert deterministic_choice("""
        seat 1: supply 0 v; hand gb
        map:
        .     .     *     Ak
    """) == ClaimSeat("vip", "a3")


def test_it_lays_a_special_face_down_only_when_it_must() -> None:
    assert deterministic_choice("""
        seat 1: supply 0 s; hand gb
        map:
        .     .     Ak
    """) == ClaimSeat("backstage", "a2", True)


def test_it_goes_backstage_where_a_die_scores() -> None:
    assert deterministic_choice("""
        rating: 1 1 1
        seat 1: supply 3 s; hand rk
        map:
        1.rk  A-    1.rk  .     .     Bk
    """) == ClaimSeat("backstage", "a2")


def test_it_insta_books_a_hex_that_pays_at_once() -> None:
    assert deterministic_choice("""
        rating: 1 1 1
        seat 1: hand rk
        map:
        1.rk  1.rk  .     .     Ak
    """) == ClaimSeat("insta", "a3")


def test_it_declines_an_insta_book_that_does_not_pay() -> None:
    assert (
        deterministic_choice("""
        turn: 1 book this seat
        pending: 1 rerolls, seat a1, stages -
        seat 1: supply 5; hand rk
        map:
        1i    .     Ak
    """)
        == DeclineBooking()
    )


def test_it_boots_a_rival_off_a_much_better_hex() -> None:
    action = deterministic_choice("""
        rating: 1 1 1
        seat 1: supply 5 t; hand rk
        map:
        1.rk  1.rk  2.    1.rk  1.gb  .     Ak
    """)
    assert action == ClaimSeat("boot", "a3")


def test_it_lets_the_stage_play_first_that_it_wins() -> None:
    assert deterministic_choice("""
        turn: 1 perform
        pending: 0 rerolls, seat -, stages A B
        rating: 7 7 7
        seat 1: hand gb
        map:
        Ak    2.rk  1.gb  Bk    1.ak
    """) == PerformStage("B")


def test_it_takes_the_die_that_scores_most() -> None:
    assert deterministic_choice("""
        turn: 1 take a die
        queue: gb rb rk yk
        seat 1: hand gb gk
        map:
        1.rk  1.rk  1.    .     Ab
    """) == TakeFromQueue(2)


def test_it_draws_when_the_queue_is_worse_than_the_bag() -> None:
    assert (
        deterministic_choice("""
        turn: 1 take a die
        queue: yb gb yb gb
        seat 1: hand gb gk
        map:
        1.rk  1.rk  1.    .     Ak
    """)
        == DrawFromBag()
    )


def test_it_rerolls_the_die_that_has_most_to_win() -> None:
    reroll = """
        turn: 1 reroll
        pending: 1 rerolls, seat -, stages -
        seat 1: hand {hand}
        map:
        1.rk  1.rk  1.    .     Ak
    """
    assert deterministic_choice(reroll.format(hand="rk rb")) == RerollDie(1)
    assert deterministic_choice(reroll.format(hand="rk")) == KeepDice()


def test_it_plays_on_boards_that_compiled_rows_have_no_room_for() -> None:
    options = Options(board=widened())
    hexes = len(BEBOP.setup(4, options, Seeded(1)).ground.names)
    assert hexes > at.MOST_HEXES
    with pytest.raises(BadOptions, match="too large"):
        table(4, options)
    players: list[Player] = [GREEDY(1), RandomBot(2), RandomBot(3), RandomBot(4)]
    outcome = BEBOP.outcome(play_match(players, 5, options).state)
    assert outcome
    assert outcome.winners == [0]


def test_mixed_bots_differ_in_taste() -> None:
    plain = table_for(BEBOP.setup(2, Options(), Seeded(1)))
    weights = [mixed(seed).table(plain)[at.PLACE_WEIGHT] / 1000 for seed in range(20)]
    low, high = MIXED_WEIGHTS
    assert all(low <= weight <= high for weight in weights)
    assert all(one != other for one, other in pairwise(weights))
    assert GREEDY(1).table(plain)[at.PLACE_WEIGHT] == at.USUAL_WEIGHT
