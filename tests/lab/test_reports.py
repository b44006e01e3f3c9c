"""Reports of every game: played, formatted as tables, written into the game's page."""

from pathlib import Path

import pytest

from jamboree.core.errors import Stalled
from jamboree.core.kit.reporting import GameResult, Plan, facts_of, head, row, share_of_win
from jamboree.games import keys
from jamboree.lab.report import END, START, main, replace_report, report_of

ROOT = Path(__file__).parents[2]


def test_every_game_has_a_report_and_markers_for_it() -> None:
    for key in keys():
        assert report_of(key).total(report_of(key).PLAN) > 0
        assert replace_report((ROOT / f"docs/games/{key}.md").read_text("utf-8"), "text")


@pytest.mark.parametrize(("key", "output"), [("bpm", "| players | games |"), ("boogie", "| scores | 3 players |")])
def test_a_report_is_written(key: str, output: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"{START}\n{END}\n", "utf-8")
    main(key, games=1, seed=0, processes=1, page=page)
    once = page.read_text("utf-8")
    assert output in once
    main(key, games=1, seed=0, processes=1, page=page)
    assert page.read_text("utf-8") == once


def test_an_unknown_game_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="There is no game called 'chess' here"):
        main("chess", page=tmp_path / "page.md")


def test_seeds_of_reports_do_not_overlap() -> None:
    plan = Plan(8, 1)
    assert (plan.seeds[0], len(plan.seeds), plan.side_seeds) == (1_000_000, 8, range(1_000_000, 1_000_002))
    assert not set(plan.seeds) & set(Plan(8, 2).seeds)


def test_an_endless_game_stops_a_report() -> None:
    assert facts_of([GameResult(1, facts="one")]) == ["one"]
    with pytest.raises(Stalled, match="seed 2 did not finish: why"):
        facts_of([GameResult(1), GameResult(2, failure="why")])


def test_report_tables_are_formatted() -> None:
    assert head("a", "b") == ["| a | b |", "| --- | --- |"]
    assert head("a", "b", right=True)[1] == "| --- | ---: |"
    assert row(1, "x") == "| 1 | x |"


def test_a_shared_win_is_split() -> None:
    assert [share_of_win([0, 2], seat) for seat in range(3)] == [0.5, 0.0, 0.5]
