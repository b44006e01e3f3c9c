"""The searching player on every game that has a twin."""

import random
import sys
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from jamboree.bots import LEVELS, Budget, bot
from jamboree.bots.interface import PlayerBot, ReplyingBot
from jamboree.bots.random_bot import RandomBot
from jamboree.bots.search import Searcher, SearchSettings, compilation, search_settings
from jamboree.bots.search.rollouts import WAITING, Rollouts
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.core.play import WAIT
from jamboree.fast import sources, twin_keys
from jamboree.games import find
from jamboree.games.bpm.rules.actions import Decline
from tests.bots.test_honesty import positions


def a_decision(key: str, number: int) -> tuple[Any, Any]:
    game = find(key)
    state, seat = positions(game, number)
    return game.view(state, seat), game.legal(state, seat)


@pytest.mark.parametrize("key", twin_keys())
def test_the_same_seed_and_playouts_make_the_same_choice(key: str) -> None:
    for number in range(4):
        view, offers = a_decision(key, number)
        first, second = (bot(find(key), "star", 9).decide(view, offers, Budget(playouts=60)) for _ in range(2))
        assert first == second


@pytest.mark.parametrize("key", twin_keys())
def test_a_deadline_ends_a_search(key: str) -> None:
    view, offers = a_decision(key, 1)
    star = bot(find(key), "star", 1)
    star.decide(view, offers, Budget(playouts=4))  # compiled, or loaded
    began = perf_counter()
    star.decide(view, offers, Budget(playouts=10**9, seconds=0.3))
    assert perf_counter() - began < 20, "a busy machine is slow, but no machine plays a thousand million games"


@pytest.mark.parametrize("key", twin_keys())
def test_without_any_time_a_star_plays_like_its_base_bot(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    view, offers = a_decision(key, 1)
    star = bot(find(key), "star", 1)
    searcher = star.bot if isinstance(star, ReplyingBot) else star
    assert isinstance(searcher, Searcher)
    with monkeypatch.context() as patch:
        patch.setattr(searcher, "_search", None)
        chosen = star.decide(view, offers, Budget(playouts=10**9, seconds=0.0))
    assert chosen in [offer.action for offer in offers]


@pytest.mark.parametrize("key", twin_keys())
def test_candidates_share_determinizations_that_differ_from_each_other(key: str) -> None:
    view, offers = a_decision(key, 2)
    rollouts = Rollouts(key, view, 5, SearchSettings())
    menu = rollouts.shortlist(len(offers), 4, 0)
    assert menu[0] == 0
    values = rollouts.values(menu, 0, 6)
    assert ((values >= 0) & (values <= 1)).all()
    assert (rollouts.values(menu[1:2], 2, 3)[:, 0] == values[2:5, 1]).all(), "neither others nor the order matter"
    assert len({tuple(line) for line in values.tolist()}) > 1


@pytest.mark.parametrize("key", twin_keys())
def test_search_to_the_end_beats_a_random_action(key: str) -> None:
    """Near the end of a game the best action found is on average worth more than any one."""
    rng, gains = random.Random(3), []
    for number in range(4):
        view, offers = a_decision(key, 5 - number % 2)
        rollouts = Rollouts(key, view, number, SearchSettings())
        menu = rollouts.shortlist(len(offers), 8, rng.randrange(len(offers)))
        means = rollouts.values(menu, 0, 24).mean(axis=0)
        gains.append(means.max() - means[0])
    assert sum(gains) > 0


def test_the_greedy_index_refers_to_the_menu_even_when_waiting() -> None:
    view, offers = a_decision("bebop", 1)
    assert Rollouts("bebop", view, 1, SearchSettings()).shortlist(len(offers), 3, WAITING)[0] == WAITING


def test_equal_priors_spread_the_shortlist_over_the_menu() -> None:
    """In Boogie Beasts the first actions of a menu are all of one kind."""
    view, offers = a_decision("boogie", 2)
    assert len(offers) > 6
    rollouts = [Rollouts("boogie", view, number, SearchSettings(shuffle_ties=True)) for number in (*range(9), 0)]
    shortlists = [each.shortlist(len(offers), 4, 0).tolist() for each in rollouts]
    assert all(each[0] == 0 and len(set(each)) == 4 for each in shortlists)
    assert any(max(each) > 4 for each in shortlists)
    assert shortlists[-1] == shortlists[0]


@pytest.mark.parametrize("key", twin_keys())
def test_a_clearly_best_greedy_choice_is_retained(key: str) -> None:
    view, offers = a_decision(key, 2)
    game = find(key)
    first = bot(game, "regular", 1).decide(view, offers, Budget())
    stubborn = Searcher(key, bot(game, "regular", 1), 1, SearchSettings(greedy_bonus=2.0))
    assert stubborn.decide(view, offers, Budget(playouts=40)) == first


@pytest.mark.parametrize("key", twin_keys())
def test_the_search_settings_of_every_game_are_plausible(key: str) -> None:
    for level, settings in search_settings(key).items():
        assert level in LEVELS
        assert 2 <= settings.min_candidates <= settings.max_candidates
        assert 0 <= settings.win_weight <= 1
        assert settings.margin_scale > 0
        assert not settings.playout_weights or settings.playout_weights in find(key).bots(), (
            "players go by weights of that name"
        )
    assert search_settings(key)["sharp"].playouts < search_settings(key)["star"].playouts


def test_keeping_a_sealed_choice_is_not_revealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the best action reveals no more than waiting, a searching player waits, which adds no log entry."""
    game, chance = find("bpm"), Seeded(3)
    state = game.setup(2, game.info.options(), chance)
    game.apply(state, 0, game.legal(state, 0)[0].action, chance)
    offers = game.legal(state, 0)
    leaving = next(place for place, offer in enumerate(offers) if isinstance(offer.action, Decline))
    monkeypatch.setattr("jamboree.bots.search.sequential_halving.SequentialHalving.best", lambda halving: leaving)
    assert bot(game, "star", 1).decide(game.view(state, 0), offers, Budget(playouts=60)) is WAIT


def test_a_single_offer_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jamboree.bots.search.searcher.Rollouts", None)
    assert Searcher("bebop", PlayerBot(RandomBot(1))).decide(None, [], Budget(playouts=5)) is WAIT


def test_the_base_bot_plays_positions_that_exceed_the_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(view: Any) -> Any:
        raise BadOptions("too large")

    view, offers = a_decision("bebop", 1)
    monkeypatch.setattr(sources.bridge("bebop"), "unknown", too_large)
    chosen = Searcher("bebop", PlayerBot(RandomBot(1)), 1).decide(view, offers, Budget(playouts=5))
    assert chosen == RandomBot(1).choose(view, offers)


def test_a_player_with_a_deadline_uses_the_base_bot_during_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    view, offers = a_decision("bebop", 1)
    monkeypatch.setattr("jamboree.bots.search.searcher.is_ready", lambda key: False)
    hasty = Searcher("bebop", PlayerBot(RandomBot(1)), 1, patient=False)
    assert hasty.decide(view, offers, Budget(playouts=5)) == RandomBot(1).choose(view, offers)


def test_compilation_runs_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question only starts it; once it is done searches begin."""
    asked: list[Any] = []
    monkeypatch.setattr(compilation, "_threads", {})
    monkeypatch.setattr("jamboree.fast.compiling.Compiled.is_cached", lambda twin, name: False)
    monkeypatch.setattr(compilation, "_run", asked.append)
    assert not compilation.is_ready("bebop") or asked
    compilation._threads["bebop"].join()
    assert compilation.is_ready("bebop")
    assert asked == [[*compilation.COMPILE_COMMAND, "bebop"]]


def test_the_compiling_process_does_not_write_to_the_terminal(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = "import os, sys; os.write(1, b'words'); os.write(2, b'a warning\\n' * 100_000); "
    compilation._run([sys.executable, "-c", noise])
    with pytest.raises(JamboreeError, match=r"^the process that compiles ended with status 7: OSError: no room$"):
        compilation._run([sys.executable, "-c", noise + "os.write(2, b'OSError: no room\\n\\n'); sys.exit(7)"])
    with pytest.raises(JamboreeError, match=r"ended with status -9$"):
        compilation._run([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
    monkeypatch.setattr(compilation, "_disabled", set())
    monkeypatch.setattr(compilation, "COMPILE_COMMAND", (sys.executable, "-c", noise + "print(1 / 0)"))
    monkeypatch.setattr("jamboree.fast.compiling.Compiled.is_cached", lambda twin, name: False)
    compilation._prepare("bebop")
    (line,) = (record.getMessage() for record in caplog.records)
    assert line.endswith("the process that compiles ended with status 1: ZeroDivisionError: division by zero")
    assert capfd.readouterr() == ("", "")


def test_the_compiling_process_keeps_its_stdin_open() -> None:
    """It ends when its input does: that must not be before its work is done."""
    program = "import select, sys, time; time.sleep(0.5); sys.exit(bool(select.select([0], [], [], 0)[0]))"
    compilation._run([sys.executable, "-c", program])


def test_earlier_rules_versions_are_not_searched() -> None:
    today = find("bebop")
    earlier = SimpleNamespace(info=msgspec.structs.replace(today.info, rules_version=0))
    assert compilation.can_search(today)
    assert not compilation.can_search(earlier)
