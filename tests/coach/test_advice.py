"""Advice: the best actions for a seat, computed from its view only."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from jamboree.bots import Budget
from jamboree.coach import Advice, advise
from jamboree.coach.advice import _rank
from jamboree.coach.advice_text import action_title
from jamboree.coach.comparison import Estimate
from jamboree.core.chance import Seeded
from jamboree.core.game import AnyGame, Eye, dump
from jamboree.core.play import WAIT
from jamboree.fast import twin_keys
from jamboree.games import all_games, find
from tests.bots.test_honesty import Look, positions
from tests.contract.toy import HighCard

LITTLE = Budget(playouts=40)
POSITIONS, TRUTHS = 4, 2


def ask(game: AnyGame, view: Any, state: Any, seat: int, budget: Budget = LITTLE) -> Advice:
    return advise(game, view, game.legal(state, seat), budget, seed=3)


def depends_on_the_truth(game: AnyGame, look: Look) -> bool:
    """Return whether advice depends on information that its seat does not see."""
    others = 0
    for number in range(POSITIONS):
        state, seat = positions(game, number)
        given = ask(game, look(game, state, seat), state, seat)
        for truth in range(TRUTHS):
            other = game.imagine(game.view(state, seat), Seeded(100 * number + truth))
            others += dump(other) != dump(state)
            if ask(game, look(game, other, seat), other, seat) != given:
                return True
    assert others, "there was something to redraw"
    return False


@pytest.mark.parametrize("game", [*all_games().values(), HighCard()], ids=lambda game: game.info.key)
def test_advice_does_not_depend_on_hidden_information(game: AnyGame) -> None:
    assert not depends_on_the_truth(game, lambda game, state, seat: game.view(state, seat))


def test_advice_that_reads_the_state_is_detected() -> None:
    pytest.importorskip("numba")

    def peek(game: AnyGame, state: Any, seat: int) -> Any:
        return msgspec.structs.replace(game.view(state, Eye.ALL), viewer=seat)

    assert depends_on_the_truth(all_games()["bebop"], peek)


@pytest.mark.parametrize("key", twin_keys())
def test_three_different_actions_are_ranked(key: str) -> None:
    pytest.importorskip("numba")
    game = find(key)
    state, seat = positions(game, 2)
    view, offers = game.view(state, seat), game.legal(state, seat)
    advice = advise(game, view, offers, Budget(playouts=120), seed=1)
    texts = {game.words.choice(offers[move.offer].action, view, ["A"] * view.seats, "en") for move in advice.moves}
    assert len(texts) == len(advice.moves) == min(3, len(offers))
    assert [move.rank for move in advice.moves] == sorted(move.rank for move in advice.moves)
    assert all(0 <= move.chance <= 1 for move in advice.moves if move.chance is not None)
    assert 120 <= advice.playouts < 180


def test_certain_points_equal_those_of_the_preview() -> None:
    game = find("bebop")
    for number in range(1, 6):
        state, seat = positions(game, number)
        view, offers = game.view(state, seat), game.legal(state, seat)
        for move in advise(game, view, offers, LITTLE, 1).moves:
            assert move.certain == list(game.preview(view, offers[move.offer].action).points)


def test_without_a_twin_the_greedy_choice_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jamboree.coach.advice.can_search", lambda game: False)
    game = find("bebop")
    state, seat = positions(game, 2)
    view, offers = game.view(state, seat), game.legal(state, seat)
    advice = advise(game, view, offers, LITTLE, 1)
    greedy = game.bots()["greedy"](1).choose(view, offers)
    assert [offers[move.offer].action for move in advice.moves] == [greedy]
    assert advice.moves[0].chance is None


def test_without_offers_there_is_no_advice() -> None:
    assert advise(find("bebop"), SimpleNamespace(), [], LITTLE).moves == []


def test_close_calls_share_a_rank() -> None:
    def stand(value: float, chance: float, doubt: float) -> Estimate:
        return Estimate(0, value, [chance, 1 - chance], chance, doubt, [])

    clear = [stand(0.9, 0.9, 0.0), stand(0.7, 0.7, 0.05), stand(0.5, 0.5, 0.05)]
    assert [_rank(clear, at) for at in range(3)] == [1, 2, 3]
    close = [stand(0.9, 0.9, 0.0), stand(0.88, 0.86, 0.05), stand(0.5, 0.5, 0.05)]
    assert [_rank(close, at) for at in range(3)] == [1, 1, 3]
    assert _rank([stand(0.9, 0.5, 0.0), stand(0.8, 0.495, 0.01)], 1) == 1, "a person sees no difference"


def test_without_compiled_code_the_advice_announces_more_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("jamboree.coach.advice.is_ready", lambda key: False)
    for game, soon in ((find("bpm"), True), (HighCard(), False)):
        state, seat = positions(game, 1)
        advice = advise(game, game.view(state, seat), game.legal(state, seat), LITTLE, 3, patient=False)
        assert (len(advice.moves), advice.playouts, advice.soon) == (1, 0, soon)


def test_leaving_a_sealed_choice_unchanged_is_named_once() -> None:
    pytest.importorskip("numba")
    game, chance = find("bpm"), Seeded(1)
    state = game.setup(2, game.info.options(), chance)
    game.apply(state, 0, game.legal(state, 0)[0].action, chance)
    view, offers = game.view(state, 0), game.legal(state, 0)
    assert view.sealed[0].done
    assert game.bots()["greedy"](1).choose(view, offers) is WAIT
    advice = advise(game, view, offers, Budget(playouts=60), seed=1)
    texts = [action_title(game, offers[move.offer].action, view, ["Ada", "Bob"], "en") for move in advice.moves]
    assert all(move.offer >= 0 for move in advice.moves), "waiting is not recommended beside that"
    assert texts.count("Leave it sealed") == 1
