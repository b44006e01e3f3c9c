"""The Hypemaster option: two cards, one picked, one put back and remembered."""

import random

import pytest

from jamboree.core.chance import Recorded, Seeded
from jamboree.core.game import Eye
from jamboree.games.bpm.box.cards import BALL, BONUSES, CARDS
from jamboree.games.bpm.box.components import BOX
from jamboree.games.bpm.rules.actions import ChooseHype, DiscardSongs
from jamboree.games.bpm.rules.events import BallMoved, BallPlaced, HypeDrawn, HypeRevealed, HypeShuffled
from jamboree.games.bpm.rules.setup import Options
from jamboree.games.bpm.rules.state import HYPE, State

from ..table import ADA, BIX, BPM, act, events_of, only_event, phase, refused


def begin_round() -> tuple[State, list]:  # type: ignore[type-arg]
    """Begin round 1; Ada is the Hypemaster and draws Slow Burn and Mosh Pit."""
    seed = next(seed for seed in range(99) if BPM.setup(2, Options(hypemaster=True), Seeded(seed)).first == ADA)
    state = BPM.setup(2, Options(hypemaster=True), Seeded(seed))
    act(state, DiscardSongs(0, 1), actor=ADA)
    return state, act(state, DiscardSongs(0, 1), "slow-burn", "mosh-pit", actor=BIX)


def to_round(number: int, seats: int = 2, seed: int = 1) -> State:
    """Play at random until the Hypemaster of a round is asked."""
    rng, chance = random.Random(seed), Seeded(seed)
    state = BPM.setup(seats, Options(hypemaster=True), chance)
    while not (state.round == number and state.phase == HYPE):
        actor = rng.choice(sorted(BPM.to_act(state), key=str))
        BPM.apply(state, actor, rng.choice(BPM.legal(state, actor)).action, chance)
    return state


def test_the_hypemaster_draws_two_and_picks_one() -> None:
    state, events = begin_round()
    assert (phase(state), state.turn) == ("hype", ADA)
    assert only_event(events, HypeDrawn).cards == ["slow-burn", "mosh-pit"]
    assert refused(state, ChooseHype(0), BIX).key == "not-your-turn"
    assert refused(state, ChooseHype(2)).key == "no-such-card"
    revealed = only_event(act(state, ChooseHype(1)), HypeRevealed)
    assert (revealed.card, revealed.seat, revealed.under) == ("mosh-pit", ADA, "slow-burn")
    assert phase(state) == "cue"


def test_the_two_cards_are_drawn_in_secret() -> None:
    state = BPM.setup(2, Options(hypemaster=True), Seeded(1))
    act(state, DiscardSongs(0, 1), actor=ADA)
    chance = Recorded(Seeded(1))
    BPM.apply(state, BIX, DiscardSongs(0, 1), chance)
    assert [pick.stream for pick in chance.picks] == ["hidden", "hidden"]


def test_ruling_hypemaster_knows() -> None:
    state, events = begin_round()
    drawn = only_event(events, HypeDrawn)
    assert BPM.view(state, ADA).drawn == ["slow-burn", "mosh-pit"]
    assert BPM.view(state, BIX).drawn is None
    assert BPM.witness(drawn, BIX) == HypeDrawn(ADA, None)
    revealed = only_event(act(state, ChooseHype(1)), HypeRevealed)
    assert BPM.witness(revealed, BIX) == HypeRevealed("mosh-pit", ADA, None)
    assert BPM.witness(revealed, None) == HypeRevealed("mosh-pit", ADA, None)
    assert [under.card for under in BPM.view(state, ADA).under] == ["slow-burn"]
    for other in (BIX, None):
        assert [(under.seat, under.card) for under in BPM.view(state, other).under] == [(ADA, None)]
    assert [under.card for under in BPM.view(state, Eye.ALL).under] == ["slow-burn"]


def test_what_the_hypemaster_knows_is_never_imagined_otherwise() -> None:
    state, _ = begin_round()
    act(state, ChooseHype(1))
    under = {seat: set[str]() for seat in (ADA, BIX)}
    for seat in under:
        for seed in range(60):
            imagined = BPM.imagine(BPM.view(state, seat), Seeded(seed))
            under[seat] |= {card.card for card in BPM.view(imagined, Eye.ALL).under if card.card}
    assert under[ADA] == {"slow-burn"}
    assert len(under[BIX]) == 11, "any of the twelve but the one that was picked"


def test_ruling_hypemaster_deck() -> None:
    state, events = begin_round()
    assert only_event(events, HypeShuffled).count == 12
    assert only_event(events, BallPlaced).cell == "a1", "the ball is in play from round 1"
    assert not state.hype.layers[0].counts[BALL]
    assert not any(state.hype.layers[0].counts[card] for card in BONUSES)
    second = to_round(2)
    assert second.hype.total == 9
    third = to_round(3)
    assert third.hype.total == 14, "the six Crowd Bonus cards are in, two are drawn"
    assert third.under_by == (), "all is shuffled together"
    assert [round.turn for round in (to_round(n, 3) for n in (1, 2, 3, 4))] == [
        (to_round(1, 3).first + n) % 3 for n in range(4)
    ], "the role passes left"
    assert BPM.view(third, None).ball is not None


def test_a_card_put_back_is_not_met_again_in_eight_rounds() -> None:
    eighth = to_round(8)
    assert len(eighth.under_by) == 5
    assert eighth.hype.layers[0].total == 4


def test_every_card_is_used_once() -> None:
    for seed in range(20):
        state = to_round(8, 4, seed)
        assert len(set(state.used)) == len(state.used) == BOX.rounds - 1
        assert CARDS.index("beachball-bop") not in state.used


def test_the_ball_does_not_move_in_the_round_it_comes() -> None:
    _, events = begin_round()
    assert events_of(events, BallMoved) == []


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_put_back_cards_line_up_with_those_who_put_them_there(seats: int) -> None:
    state = to_round(6, seats)
    view = BPM.view(state, Eye.ALL)
    assert len(view.under) == 3
    assert [under.seat for under in view.under] == [(state.first + round - 1) % seats for round in (3, 4, 5)]
    assert not {under.card for under in view.under} & set(view.used)
