import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import jamboree
from jamboree.cli import app
from jamboree.core.words import LANGUAGES

COMMANDS = ["play", "replay", "rules", "games", "bench", "boards", "boards check", "boards show"]


@pytest.fixture
def cli() -> CliRunner:
    return CliRunner()


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_command_has_a_help_page(cli: CliRunner, command: str) -> None:
    result = cli.invoke(app, [*command.split(), "--help"])
    assert result.exit_code == 0
    assert "Usage" in result.output


def test_version(cli: CliRunner) -> None:
    assert cli.invoke(app, ["--version"]).output == f"{jamboree.__version__}\n"


def test_games_are_listed_with_their_options(cli: CliRunner) -> None:
    result = cli.invoke(app, ["games"])
    assert result.exit_code == 0
    assert "bebop  Bebop" in result.output
    assert "--board --star --hidden" in result.output


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("play chess", "no game called 'chess'"),
        ("rules chess", "no game called 'chess'"),
        ("bench --game chess", "no game called 'chess'"),
        ("play bebop --auto --seats 7", "2 to 4 players, not 7"),
        ("play bebop --auto --bots sleepy", "no bot called 'sleepy'"),
        ("play bebop --auto --bots random,random", "names 2 bots"),
        ("play bebop --auto --board nowhere", "no file called 'nowhere' for the board"),
        ("play bebop --auto --board .", "can't be read"),
        ("play bebop --auto --lang xx", "has no texts in 'xx'"),
        ("boards show nowhere", "no file called 'nowhere' for the board"),
        ("boards show longchain --seats 5", "2 to 4 players, not 5"),
    ],
)
def test_errors_are_one_sentence(cli: CliRunner, line: str, complaint: str) -> None:
    result = cli.invoke(app, line.split())
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_rules_are_printed_without_anchors(cli: CliRunner) -> None:
    result = cli.invoke(app, ["rules", "bebop"])
    assert result.exit_code == 0
    assert "# Bebop" in result.output
    assert "{#" not in result.output


def test_boards_are_drawn_as_far_as_they_are_in_play(cli: CliRunner) -> None:
    two, four = (cli.invoke(app, ["boards", "show", "longchain", "--seats", n]).stdout for n in "24")
    assert "a1" in four
    assert "a1" not in two
    assert all(len(line) <= 80 for line in four.splitlines())


def test_packaged_boards_are_sound(cli: CliRunner) -> None:
    result = cli.invoke(app, ["boards", "check"])
    assert result.exit_code == 0
    assert result.output.count(": ok") == 4
    assert "34 normal" in result.output


def test_mistakes_of_a_board_are_listed_with_row_and_column(cli: CliRunner, tmp_path: Path) -> None:
    board = tmp_path / "mine.txt"
    board.write_text("id: mine\n\nmap:\n. %\n\nregions:\n2 2\n")
    result = cli.invoke(app, ["boards", "check", str(board)])
    assert result.exit_code == 1
    assert "row 4, column 3: unknown symbol '%'" in result.output
    assert cli.invoke(app, ["boards", "check", str(board), str(tmp_path)]).exit_code == 2
    assert cli.invoke(app, ["boards", "check", str(tmp_path / "missing")]).exit_code == 2
    played = cli.invoke(app, ["play", "bebop", "--auto", "--board", str(board)])
    assert played.exit_code == 2
    assert played.stderr.startswith("The board can't be read: ")


def test_bench_reports_speeds(cli: CliRunner) -> None:
    result = cli.invoke(app, ["bench", "--seconds", "0.2", "--json", "--game", "bebop"])
    report = json.loads(result.stdout)
    figures, fast = report["games"]["bebop"], report["fast"]["bebop"]
    assert figures["actions_per_second"] > 0
    assert figures["clone_us"] > 0
    assert fast["actions_per_second"] > 0
    assert fast["greedy_games_per_second"] > 0
    assert fast["ratios"]["reference"] > 5  # far less than it is, for a machine that does other things too
    assert "actions/s" in cli.invoke(app, ["bench", "--seconds", "0.1", "--game", "bebop"]).stdout


def test_every_language_has_all_texts_of_the_terminal() -> None:
    from jamboree.cli.language import CATALOGUE

    keys = [set(CATALOGUE.texts(lang)) for lang in LANGUAGES]
    assert all(each == keys[0] for each in keys)
