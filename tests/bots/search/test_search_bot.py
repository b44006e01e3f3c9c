"""The searching player on every game that has a twin."""

import random
import sys
from time import perf_counter
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from jamboree.bots import LEVELS, Budget, bot
from jamboree.bots.interface import PlayerBot, ReplyingBot
from jamboree.bots.random_bot import RandomBot
from jamboree.bots.search import (
    NativeSearch,
    SearchBot,
    SearchSettings,
    compilation,
    request_of_view,
    search_settings,
)
from jamboree.core.chance import Seeded
from jamboree.core.errors import BadOptions, JamboreeError
from jamboree.core.play import WAIT
from jamboree.fast import sources, twin_keys
from jamboree.fast.playouts import WAITING
from jamboree.games import find
from jamboree.games.bpm.rules.actions import Decline
from tests.bots.test_honesty import positions

USUAL = SearchSettings()


def a_decision(key: str, number: int) -> tuple[Any, Any]:
    game = find(key)
    state, seat = positions(game, number)
    return game.view(state, seat), game.legal(state, seat)


def a_search(key: str, number: int, seed: int, settings: SearchSettings = USUAL, **more: Any) -> NativeSearch:
    view, offers = a_decision(key, number)
    request = request_of_view(key, view, seed, settings, len(offers))
    return NativeSearch(msgspec.structs.replace(request, **more))


def values(search: NativeSearch, candidates: list[int], world: int) -> list[float]:
    """Return the value of each candidate in one world."""
    found = search.run(candidates, len(candidates), None, keep=0, first_world=world)
    assert found.worlds == world + 1
    return [found.mean(k) for k in range(len(candidates))]


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
    searching = star.bot if isinstance(star, ReplyingBot) else star
    assert isinstance(searching, SearchBot)
    with monkeypatch.context() as patch:
        patch.setattr(searching, "search", None)
        chosen = star.decide(view, offers, Budget(playouts=10**9, seconds=0.0))
    assert chosen in [offer.action for offer in offers]


@pytest.mark.parametrize("key", twin_keys())
def test_candidates_share_determinizations_that_differ_from_each_other(key: str) -> None:
    search = a_search(key, 2, 5, max_candidates=4)
    candidates = search.shortlist()
    assert candidates[0] == 0
    by_world = [values(search, candidates, world) for world in range(6)]
    assert all(0 <= value <= 1 for line in by_world for value in line)
    alone = [values(search, candidates[1:2], world) for world in range(2, 5)]
    assert alone == [line[1:2] for line in by_world[2:5]], "neither others nor the order matter"
    assert len({tuple(line) for line in by_world}) > 1
    together = search.run(candidates, 6 * len(candidates), None, keep=0)
    assert [together.mean(k) for k in range(len(candidates))] == pytest.approx(np.mean(by_world, axis=0).tolist())


@pytest.mark.parametrize("key", twin_keys())
def test_errors_are_those_of_paired_differences(key: str) -> None:
    search = a_search(key, 2, 5)
    by_world = np.array([values(search, [0, 1], world) for world in range(8)])
    points = search.run([0, 1], 16, None, keep=0)
    assert points.error(0, 1) == pytest.approx(np.std(by_world[:, 0] - by_world[:, 1], ddof=1) / 8**0.5)
    assert points.error(1, 1) == points.gain(0, 0) == points.gain_error(0, 0) == 0
    assert sum(points.chances(1)) == pytest.approx(1)


@pytest.mark.parametrize("key", twin_keys())
def test_search_to_the_end_beats_a_random_action(key: str) -> None:
    """Near the end of a game the best action found is on average worth more than any one."""
    rng, gains = random.Random(3), []
    for number in range(4):
        position = 5 - number % 2
        first = rng.randrange(len(a_decision(key, position)[1]))
        search = a_search(key, position, number, first=first, max_candidates=8)
        candidates = search.shortlist()
        found = search.run(candidates, 24 * len(candidates), None, keep=0)
        gains.append(found.mean(found.best) - found.mean(0))
    assert sum(gains) > 0


@pytest.mark.parametrize("key", twin_keys())
def test_a_search_stops_at_its_budget(key: str) -> None:
    search = a_search(key, 2, 5, max_candidates=4)
    candidates = search.shortlist()
    for playouts in (1, 30, 31):
        found = search.run(candidates, playouts, None)
        assert playouts <= found.playouts < playouts + len(candidates) or len(found.leaders) == 1
    assert search.run(candidates, None, None).playouts == 4 * len(candidates), "one batch"
    assert search.run(candidates, None, -1.0).playouts == 4 * len(candidates)
    assert search.run(candidates[:1], 30, None).playouts == 0, "there is no choice"
    assert search.run(candidates, 30, None, keep=len(candidates)).leaders == [*range(len(candidates))]


def test_the_greedy_index_refers_to_the_menu_even_when_waiting() -> None:
    assert a_search("bebop", 1, 1, first=WAITING, max_candidates=3).shortlist()[0] == WAITING


def test_actions_that_no_player_would_take_are_no_candidates() -> None:
    view, offers = a_decision("boogie", 2)
    request = request_of_view("boogie", view, 1, SearchSettings(), len(offers), left_out={1, 2, 5})
    search = NativeSearch(msgspec.structs.replace(request, max_candidates=len(offers) + 1))
    assert sorted(search.shortlist()) == [each for each in range(len(offers)) if each not in {1, 2, 5}]


def test_equal_priors_spread_the_shortlist_over_the_menu() -> None:
    """In Boogie Beasts the first actions of a menu are all of one kind."""
    assert len(a_decision("boogie", 2)[1]) > 6
    shuffled = SearchSettings(shuffle_ties=True)
    shortlists = [a_search("boogie", 2, number, shuffled, max_candidates=4).shortlist() for number in (*range(9), 0)]
    assert all(each[0] == 0 and len(set(each)) == 4 for each in shortlists)
    assert any(max(each) > 4 for each in shortlists)
    assert shortlists[-1] == shortlists[0]


@pytest.mark.parametrize("key", twin_keys())
def test_a_clearly_best_greedy_choice_is_retained(key: str) -> None:
    view, offers = a_decision(key, 2)
    game = find(key)
    first = bot(game, "regular", 1).decide(view, offers, Budget())
    stubborn = SearchBot(key, bot(game, "regular", 1), 1, SearchSettings(greedy_bonus=2.0))
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
    monkeypatch.setattr("jamboree.bots.search.Findings.choice", leaving)
    assert bot(game, "star", 1).decide(game.view(state, 0), offers, Budget(playouts=60)) is WAIT


def test_a_single_offer_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SearchBot, "search", None)
    assert SearchBot("bebop", PlayerBot(RandomBot(1))).decide(None, [], Budget(playouts=5)) is WAIT


def test_the_base_bot_plays_positions_that_exceed_the_twin(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(view: Any) -> Any:
        raise BadOptions("too large")

    view, offers = a_decision("bebop", 1)
    monkeypatch.setattr(sources.bridge("bebop"), "unknown", too_large)
    chosen = SearchBot("bebop", PlayerBot(RandomBot(1)), 1).decide(view, offers, Budget(playouts=5))
    assert chosen == RandomBot(1).choose(view, offers)


def test_a_player_with_a_deadline_uses_the_base_bot_during_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    view, offers = a_decision("bebop", 1)
    monkeypatch.setattr("jamboree.bots.search.search_bot.is_ready", lambda key: False)
    hasty = SearchBot("bebop", PlayerBot(RandomBot(1)), 1, patient=False)
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
