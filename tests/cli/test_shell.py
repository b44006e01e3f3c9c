"""The command line apart from games: language, switches, shell completion, named values."""

import shlex
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.cli.language import system_language
from jamboree.core.words import LANGUAGES

from .terminal import COMMAND, ENVIRONMENT, Terminal, run

VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")


@pytest.mark.parametrize(
    ("printed", "spoken"),
    [
        ({"LANG": "nl_NL.UTF-8"}, "nl"),
        ({"LANG": "nl"}, "nl"),
        ({"LANG": "nl_BE.UTF-8", "LC_ALL": "en_US.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "nl_NL"}, "nl"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LC_ALL": "", "LANG": "nl_NL"}, "nl"),
        ({}, "en"),
    ],
)
def test_the_language_follows_the_locale(printed: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    for name, value in printed.items():
        monkeypatch.setenv(name, value)
    assert system_language() == spoken


def test_a_game_uses_the_locale_unless_a_flag_is_given(tmp_path: Path) -> None:
    line = ("rules", "bebop")
    dutch, english = run(*line, LANG="nl_NL.UTF-8"), run(*line, "--lang", "en", LANG="nl_NL.UTF-8")
    assert dutch.stdout == run(*line, "--lang", "nl").stdout != english.stdout
    terminal = Terminal("play", "bebop", LANG="nl_NL.UTF-8", XDG_DATA_HOME=str(tmp_path))
    assert "Typ ? voor hulp." in " ".join(terminal.read().split())
    terminal.process.kill()
    terminal.close()


@pytest.mark.parametrize("columns", [60, 100])
def test_piped_rules_are_as_wide_as_the_terminal(columns: int, tmp_path: Path) -> None:
    line = f"{shlex.join(COMMAND)} rules bebop --lang en"
    terminal = Terminal(columns=columns, command=["bash", "-c", f"{line} | head -30; echo ${{PIPESTATUS[0]}}"])
    shown = terminal.read(until="\0").split("\n")
    terminal.close()
    assert max(len(each) for each in shown) <= columns
    assert "want your fans near their families" in " ".join(" ".join(shown).split())
    assert "**" not in "".join(shown)
    assert shown[-2] in ("0", "1"), "a closed pipe is no trouble"
    assert "Traceback" not in terminal.transcript
    raw = tmp_path / "rules.md"
    terminal = Terminal(columns=columns, command=["bash", "-c", f"{line} > {raw}"])
    terminal.close()
    assert raw.read_text() == run("rules", "bebop", "--lang", "en").stdout, "a file gets it as it is written"


@pytest.mark.parametrize("command", [[], ["play", "boogie"], ["rate"], ["boards"], ["boards", "check"]])
def test_help_shows_switches_without_values(command: list[str]) -> None:
    shown = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "100"}).output
    assert "bool" not in shown.lower()
    assert "--help" in shown


def test_help_lists_choices_in_order() -> None:
    values = "untimed, standard, relaxed, own"
    shown = " ".join(CliRunner().invoke(app, ["play", "boogie", "--help"]).output.replace("│", " ").split())
    assert "--pace PACE" in shown
    assert f"One of: {values}." in shown
    assert f"--pace is one of: {values}" in CliRunner().invoke(app, ["games"]).output
    wrong = run("play", "boogie", "--pace", "slow")
    assert wrong.returncode == 2
    assert all(value in wrong.stderr for value in values.split(", "))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("jamboree pl", ["play"]),
        ("jamboree play bo", ["boogie"]),
        ("jamboree play bebop --boa", ["--board"]),
        ("jamboree play bebop --board l", ["longchain"]),
        ("jamboree play boogie --pace s", ["standard"]),
        ("jamboree play bpm --bots s", ["sharp", "star"]),
        ("jamboree rules bpm --lang ", list(LANGUAGES)),
    ],
)
def test_shell_completion_works(line: str, expected: list[str]) -> None:
    asked = {"_JAMBOREE_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split(" ")) - 1)}
    done = subprocess.run(
        COMMAND, env={**ENVIRONMENT, **asked}, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.stdout.split() == expected


def test_completion_can_be_installed() -> None:
    shown = run("--help").stdout
    assert "--install-completion" in shown
