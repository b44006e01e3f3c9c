"""Reviews of complete games: each step once, decisions from the players' views, deterministic results."""

from functools import lru_cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from jamboree.coach.comparison import Estimate
from jamboree.coach.review import Analysis, GameReview, analysis_fingerprint, game_review, turning_points
from jamboree.core.errors import JamboreeError
from jamboree.core.journal import Entry, steps
from jamboree.fast import twin_keys
from jamboree.games import find

from .games import a_game

FEW = 8  # playouts


@lru_cache
def analysed(key: str) -> Analysis:
    *_, last = GameReview(find(key), a_game(key), playouts=FEW)
    return last


@pytest.mark.parametrize("key", twin_keys())
def test_every_step_has_win_chances_and_the_last_names_the_winner(key: str) -> None:
    journal, found = a_game(key), analysed(key)
    assert [moment.step for moment in found.moments] == list(range(len(journal.entries) + 1))
    assert all(sum(moment.chances) == pytest.approx(1, abs=0.001) for moment in found.moments)
    assert journal.about
    assert journal.about.result
    assert {seat for seat, chance in enumerate(found.moments[-1].chances) if chance} == {*journal.about.result.winners}
    assert found.finished
    assert {name: len(rows) for name, rows in found.sections.items()} == (
        {"promises": journal.header.seats} if key == "boogie" else {}
    )


@pytest.mark.parametrize("key", twin_keys())
def test_an_interrupted_analysis_resumes_with_the_same_result(key: str) -> None:
    game, journal = find(key), a_game(key)
    *_, some = islice(GameReview(game, journal, playouts=FEW), 9)
    stored = msgspec.json.decode(msgspec.json.encode(some), type=Analysis)
    assert stored.done == 8
    *_, last = GameReview(game, journal, stored, playouts=FEW)
    assert last == analysed(key)


@pytest.mark.parametrize("key", twin_keys())
def test_decisions_are_judged_by_their_players_views(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, journal, seen = find(key), a_game(key), list[Any]()

    def watched(game: Any, view: Any, *more: Any, **named: Any) -> None:
        seen.append(view)

    monkeypatch.setattr(game_review, "compare_actions", watched)
    *_, _ = GameReview(game, journal, playouts=FEW)
    expected, before = list[Any](), None
    for step in steps(journal, game):
        if step.entry and isinstance(step.entry.actor, int) and len(game.legal(before, step.entry.actor)) > 1:
            expected.append(game.view(before, step.entry.actor))
        before = step.state.clone()
    assert seen == expected


def test_undone_steps_are_skipped() -> None:
    journal = msgspec.structs.replace(a_game("bebop"), entries=[*a_game("bebop").entries[:3]])
    journal.entries.append(Entry(0, {}, [], undo=1))
    journal.entries.append(journal.entries[1])
    assert game_review.effective_steps(journal) == {0, 1, 5}
    *_, found = GameReview(find("bebop"), journal, playouts=FEW)
    assert [moment.step for moment in found.moments] == [0, 1, 5]


def test_luck_is_measured_where_something_was_picked() -> None:
    journal, found = a_game("bebop"), analysed("bebop")
    picked = {0, *(number for number, entry in enumerate(journal.entries, 1) if entry.picks)}
    assert {each.step for each in found.luck} == picked


@pytest.mark.parametrize(("doubt", "least", "most"), [(0.01, 0.39, 0.4), (0.1, 0.2, 0.35), (0.3, 0.0, 0.0)])
def test_losses_are_discounted_by_their_uncertainty(
    doubt: float, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fared(game: Any, view: Any, offers: Any, greedy: int, budget: Any, seed: int, also: Any, most: int) -> Any:
        other = 1 if also[0] == 0 else 0
        return SimpleNamespace(
            estimates=[
                Estimate(other, 0.9, [0.2, 0.8], 0.8, 0.0, []),
                Estimate(also[0], 0.5, [0.6, 0.4], 0.4, doubt, []),
            ],
            playouts=0,
            error=0.0,
        )

    monkeypatch.setattr(game_review, "compare_actions", fared)
    *_, found = islice(GameReview(find("bebop"), a_game("bebop"), playouts=FEW), 2)
    (decision,) = found.decisions
    assert least <= decision.loss <= most
    assert (decision.better is not None) == (most > 0)
    if most > 0:
        assert (decision.seat, decision.chosen) == (1, [0.6, 0.4])
        assert decision.best == pytest.approx([0.6 - decision.loss, 0.4 + decision.loss])
    else:
        assert (decision.best, decision.chosen) == ([], [])


@pytest.mark.parametrize("key", twin_keys())
def test_a_cost_and_an_effect_of_luck_are_differences_of_the_chances_shown(key: str) -> None:
    found = analysed(key)
    costly = [decision for decision in found.decisions if decision.loss]
    assert costly
    for decision in costly:
        assert decision.loss == pytest.approx(decision.best[decision.seat] - decision.chosen[decision.seat], abs=1e-9)
        for chances in (decision.best, decision.chosen):
            assert sum(chances) == pytest.approx(1, abs=0.001)
            assert all(0 <= chance <= 1 for chance in chances)
    shown = {moment.step: moment.chances for moment in found.moments}
    for seat in range(found.seats):
        points = turning_points(found, seat)
        assert points
        for point in points:
            assert 0 <= point.before <= 1
            if point.kind == "luck":
                assert point.after == shown[point.step][seat]
            else:
                decision = next(each for each in costly if (each.step, each.seat) == (point.step, seat))
                assert point.change == -decision.loss


def test_an_analysis_without_numba_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_review, "can_search", lambda game: False)
    with pytest.raises(JamboreeError, match="needs numba"):
        GameReview(find("bebop"), a_game("bebop"))


def test_an_analysis_by_other_code_is_not_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    game, journal = find("bebop"), a_game("bebop")
    *_, found = islice(GameReview(game, journal, playouts=FEW), 3)
    assert GameReview(game, journal, found, playouts=FEW).analysis is found
    before, file = analysis_fingerprint("bebop"), files("jamboree") / "coach" / "comparison.py"
    assert GameReview(game, journal, replace(found, fingerprint=""), playouts=FEW).analysis.done == -1
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"!" * (path == file))
    analysis_fingerprint.cache_clear()
    try:
        assert analysis_fingerprint("bebop") != before
        assert GameReview(game, journal, found, playouts=FEW).analysis.done == -1
    finally:
        monkeypatch.undo()
        analysis_fingerprint.cache_clear()


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("bots/search/native.py", True),
        ("games/boogie/bots/temperaments.toml", True),
        ("games/boogie/visibility/review.py", True),
        ("coach/review/game_review.py", True),
        ("coach/locale/en.json", False),
        ("bots/champion/champion.py", False),
    ],
)
def test_the_fingerprint_covers_the_code_that_computes_the_numbers(
    name: str, counts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, read = files("jamboree").joinpath(*name.split("/")), Path.read_bytes
    assert file.is_file()
    before = analysis_fingerprint.__wrapped__("boogie")
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"!" * (path == file))
    assert (analysis_fingerprint.__wrapped__("boogie") != before) is counts
