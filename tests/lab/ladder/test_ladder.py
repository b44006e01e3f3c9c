"""The ladder: its schedule, stored results, and ratings."""

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.core.errors import JamboreeError
from jamboree.games import find
from jamboree.lab import simulate
from jamboree.lab.ladder import run
from jamboree.lab.ladder.report import plot, table
from jamboree.lab.ladder.results import LadderResult
from jamboree.lab.ladder.schedule import LadderGame, ladder_games, parse_levels
from jamboree.lab.ladder.standings import Matchup, interval, matchups, ratings

BPM = find("bpm")


def test_seats_rotate_with_equal_seeds() -> None:
    games = list(ladder_games(BPM, ["rookie", "regular"], seats=3, games=6))
    assert [game.bots for game in games[:3]] == [
        ("regular", "rookie", "rookie"),
        ("rookie", "regular", "rookie"),
        ("rookie", "rookie", "regular"),
    ]
    assert len({game.seed for game in games[:3]}) == 1
    assert len({game.seed for game in games}) == 2
    assert len({game.name for game in games}) == 6


def test_every_matchup_uses_the_same_seeds() -> None:
    games = list(ladder_games(BPM, ["rookie", "regular", "sharp"], seats=2, games=2))
    pairs = {(game.one, game.others) for game in games}
    assert pairs == {("regular", "rookie"), ("sharp", "rookie"), ("sharp", "regular")}
    assert len({game.seed for game in games}) == 1


def test_levels_are_sorted_and_validated() -> None:
    assert parse_levels(BPM, "regular,rookie") == ["rookie", "regular"]
    for wrong in ("rookie,wizard", "rookie"):
        with pytest.raises(JamboreeError):
            parse_levels(BPM, wrong)


def test_an_interrupted_run_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, progress = tmp_path / "ladder.jsonl", list[int]()
    wanted = list(ladder_games(BPM, ["rookie", "regular"], 2, 4))
    first = run.play_ladder("bpm", BPM.info.options(), wanted[:2], path, None, progress.append)
    with path.open("ab") as file:
        file.write(b'{"name": "regular-rookie-2-7000001-0-0", "win')  # the power went off
    monkeypatch.setattr(run, "play_one", counted := CountingPlayer())
    both = run.play_ladder("bpm", BPM.info.options(), wanted, path, None, progress.append)
    assert both[:2] == first
    assert counted.seeds == [game.seed for game in wanted[2:]]
    assert sum(progress) == 2 + 4
    run.play_ladder("bpm", BPM.info.options(), wanted, path, None, progress.append)
    assert len(counted.seeds) == 2, "nothing was lost with the line that was cut off"


def test_a_foreign_file_is_not_overwritten(tmp_path: Path) -> None:
    path, wanted = tmp_path / "game.jsonl", list(ladder_games(BPM, ["rookie", "regular"], 2, 2))
    path.write_text('{"header": {}}\n')
    with pytest.raises(JamboreeError, match="does not hold"):
        run.play_ladder("bpm", BPM.info.options(), wanted, path, None, lambda _: None)
    assert path.read_text() == '{"header": {}}\n'


def test_results_are_read_from_regular_files_only() -> None:
    wanted = list(ladder_games(BPM, ["rookie", "regular"], 2, 2))
    with pytest.raises(JamboreeError, match="not a regular file"):
        run.play_ladder("bpm", BPM.info.options(), wanted, Path("/dev/null"), None, lambda _: None)


class CountingPlayer:
    def __init__(self) -> None:
        self.seeds: list[int] = []

    def __call__(self, series: Any, seed: int) -> Any:
        self.seeds.append(seed)
        return simulate.play_one(series, seed)


def won(number: int, winners: list[int], scores: list[int]) -> tuple[LadderGame, LadderResult]:
    game = LadderGame("regular", "rookie", 2, number)
    return game, LadderResult(game.name, winners, scores)


def test_ctrl_c_names_the_command_that_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "play_ladder", interrupted)
    line = ["rate", "bpm", "--levels", "rookie,regular", "--games", "1", "--workers", "1"]
    ended = CliRunner().invoke(app, [*line, "--file", str(tmp_path / "results.jsonl")])
    assert ended.exit_code == 130
    assert "results.jsonl" in ended.stderr
    assert "repeat the command to continue" in ended.stderr


def test_shares_margins_and_intervals() -> None:
    played = [won(0, [0], [9, 4]), won(1, [0, 1], [6, 6]), won(2, [1], [1, 4]), won(3, [1], [3, 10])]
    (met,) = matchups(played)
    assert (met.games, met.share, met.fair) == (4, 0.625, 0.5)
    assert met.margin == (5 + 0 - 3 + 7) / 4
    assert met.low < met.share < met.high
    low, high = interval(0.5, 100)
    assert (round(low, 3), round(high, 3)) == (0.404, 0.596)


@pytest.mark.parametrize("games", [1, 2, 3, 7, 20, 61, 200])
def test_confidence_intervals_stay_between_0_and_100_percent(games: int) -> None:
    nothing, everything = interval(0.0, games), interval(1.0, games)
    assert nothing[0] == 0.0 < nothing[1] < 1.0
    assert everything[1] == 1.0 > everything[0] > 0.0
    lost = Matchup("star", "sharp", 2, games, 0.0, *nothing, margin=-0.04)
    won = Matchup("star", "sharp", 2, games, 1.0, *everything, margin=0.04)
    shown = "".join(table([lost, won]))
    assert "-0" not in shown
    assert "101" not in shown
    assert plot([lost, won])


def test_more_wins_give_a_higher_rating() -> None:
    pytest.importorskip("openskill")
    played = [won(number, [number % 2], [9, 4] if number % 2 == 0 else [4, 9]) for number in range(20)]
    rookie, regular = ratings(played, ["rookie", "regular"])
    assert regular.rating - regular.error > rookie.rating + rookie.error


def test_a_plot_shows_share_interval_and_fair_share() -> None:
    met = Matchup("star", "sharp", 4, 40, 0.8, 0.7, 0.9, 5.0)
    line = plot([met])[0]
    assert line.startswith("star among sharp, 4 ")
    drawn = line.removeprefix("star among sharp, 4 ")
    assert (drawn.index("●"), drawn.index("│"), drawn.index("─")) == (40, 12, 35)
    assert "| star | sharp | 4 | 40 | 80.0% | 70%–90% | 25% | +5.0 |" in table([met])
