from pathlib import Path

import pytest

from jamboree.core.errors import JamboreeError
from jamboree.core.kit.reporting import GameResult
from jamboree.games.bebop import game
from jamboree.games.bebop.box.board import festivals, load
from jamboree.games.bebop.box.components import PLAYER_COUNTS
from jamboree.games.bebop.lab import report as boards_report
from jamboree.games.bebop.lab.measure import Facts
from jamboree.games.bebop.lab.report import board_statistics
from jamboree.lab.report import END, START, main, replace_report

ROOT = Path(__file__).parents[2]
PAGE = "docs/games/bebop.md"


def fact(first: int, **performed: bool) -> Facts:
    return Facts(first, performed, stuck=1, sources=(30, 50, 20), vips=2, passes=1)


GAMES = [
    GameResult(1, [0], [60, 40], 100, fact(0, A=True, B=True)),
    GameResult(2, [0, 1], [50, 50], 100, fact(1, A=True, B=False)),
    GameResult(3, failure="Stalled: no end"),
]


def test_a_tally_sums_games() -> None:
    statistics = board_statistics(GAMES, 2)
    assert (statistics.games, statistics.dead_ends) == (3, 1)
    assert (statistics.performed, statistics.least) == (0.75, ("B", 0.5))
    assert statistics.score == (50, 55, 45)
    assert statistics.sources == (0.3, 0.5, 0.2)
    assert (statistics.stuck, statistics.vips, statistics.passes) == (0.5, 1.0, 0.5)


def test_a_shared_win_is_split() -> None:
    statistics = board_statistics(GAMES, 2)
    assert (statistics.first, statistics.gap, statistics.error) == (0.75, 0.25, 0.25)


def test_a_row_names_its_missed_goals() -> None:
    assert board_statistics(GAMES, 2).misses() == ["dead ends", "first seat"]
    bare = [GameResult(1, [0], [1, 0], 9, fact(0, A=False)), GameResult(2, [1], [0, 1], 9, fact(0, A=False))]
    assert board_statistics(bare, 2).misses() == ["stages"]


def test_a_tally_of_failed_games_is_valid() -> None:
    assert board_statistics(GAMES[2:], 2).dead_ends == 1


def test_the_report_replaces_the_text_between_its_markers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = boards_report.board_setups()[::5]
    monkeypatch.setattr(boards_report, "board_setups", lambda: some)
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n{START}\nold\n{END}\nAfter.\n", "utf-8")
    main("bebop", games=4, seed=1, processes=2, page=page)
    once = page.read_text("utf-8")
    assert once.startswith(f"Before.\n{START}\n| board |")
    assert once.endswith(f"\n{END}\nAfter.\n")
    assert "old" not in once
    assert once.count("\n| ") == 2 * (2 + len(some))
    assert "4 games a row, 1 with random bots, 1 with the star module; seed 1; rules version" in once
    main("bebop", games=4, seed=1, processes=1, page=page)
    assert page.read_text("utf-8") == once


def test_a_page_without_markers_is_not_changed() -> None:
    with pytest.raises(JamboreeError, match="no markers for the report"):
        replace_report("Nothing here.", "text")


def test_a_missing_page_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="There is no page"):
        main("bebop", games=1, seed=1, processes=1, page=tmp_path / "none.md")


def test_the_page_has_markers_for_the_report() -> None:
    assert replace_report((ROOT / PAGE).read_text("utf-8"), "text")


def test_the_documented_position_is_up_to_date() -> None:
    example = (ROOT / PAGE).read_text("utf-8").split("```\n")[1]
    assert game.words.draw(game.words.parse(example)) == example


def test_the_documented_number_of_boards_is_right() -> None:
    page = (ROOT / PAGE).read_text("utf-8")
    for festival in festivals():
        grounds = [load(festival).ground(players) for players in PLAYER_COUNTS]
        counts = (
            [len(ground.names) for ground in grounds],
            [ground.free_normal.bit_count() for ground in grounds],
            [ground.vip.bit_count() for ground in grounds],
            [ground.spaces.bit_count() for ground in grounds],
            [len(ground.stages) for ground in grounds],
        )
        row = " | ".join(" / ".join(map(str, three)) for three in counts)
        assert f"| {load(festival).name} | {row} |" in page
