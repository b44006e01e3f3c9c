import random
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.core.journal import check, read
from jamboree.games import find

from .terminal import COMMAND, ENVIRONMENT, Terminal, run

NUMBER = re.compile(r"^ +(\d+)  \S", re.MULTILINE)
WRONG = ("zz9", "999", "1 zz9", "?", "s", "b", "", "\x1b[A", "2 2 2", "q")


def play_to_the_end(terminal: Terminal, seed: int) -> None:
    """Answer prompts with random numbers and occasional mistakes until the game ends."""
    rng, text = random.Random(seed), terminal.read()
    numbers = NUMBER.findall(text)
    while text.endswith("> "):
        if rng.random() < 0.1:
            text = stray(terminal, rng.choice(WRONG))
        else:
            text = terminal.send(rng.choice(numbers))
        numbers = NUMBER.findall(text) or numbers


def invoke(*args: str | Path) -> Any:
    """Let bots play, in this process."""
    return CliRunner().invoke(app, ["play", "bebop", "--auto", "--bots", "random", *map(str, args)])


def stray(terminal: Terminal, line: str) -> str:
    if line != "q":
        return terminal.send(line)
    terminal.type("q\n", until="(y/n) ")
    return terminal.send("n")


@pytest.mark.parametrize(
    ("seed", "options"),
    [(1, ["--board", "point-city", "--seats", "2", "--bots", "random"]), (2, ["--board", "cramped-valley", "--star"])],
    ids=["point-city", "cramped-valley"],
)
def test_a_whole_game_in_a_terminal(seed: int, options: list[str], tmp_path: Path) -> None:
    journal = tmp_path / "game.json"
    terminal = Terminal("play", "bebop", "--seed", str(seed), "--name", "Ada", "--journal", journal, *options)
    play_to_the_end(terminal, seed)
    assert terminal.close() == 0
    output = " ".join(terminal.transcript.split())
    assert "Traceback" not in output
    assert "The festival is over, and " in output
    assert re.search(r"Winners?: \w.* decided it: \w", output) or "came out level" in output or "tokens to" in output
    assert "jamboree learn bebop" in output or "Winner: Ada" in output
    assert "is saved in" in output
    stored = read(journal.read_bytes())
    assert "Ada" in stored.header.names
    assert check(stored, find("bebop"))
    if "2" in options:  # hands are hidden, so draws and rolls of a rival are not shown
        assert "a die behind the screen" in output
        assert not re.search(r"Random \d: (draws|rerolls) (?!a die)", output)


def test_wrong_answers_are_explained() -> None:
    terminal = Terminal("play", "bebop", "--seed", "1", "--seat", "1")
    assert "you are player 1 of 3" in terminal.read()
    assert "There is no choice 99" in terminal.send("99")
    assert "fits several choices" in terminal.send("d5")
    assert "which?" in terminal.send("1")
    assert "part of a stage" in terminal.send("a3")
    assert "no hex zz9 in play" in terminal.send("zz9")
    assert "1 d5" in terminal.send("?")
    assert "Every action is saved in" in " ".join(terminal.send("s").split())
    terminal.type("\x04", until="on with it.\n")
    assert terminal.close() == 0


@pytest.mark.parametrize(("game", "seats"), [("bpm", 2), ("boogie", 3)])
def test_a_whole_game_with_simultaneous_decisions(game: str, seats: int, tmp_path: Path) -> None:
    journal = tmp_path / "game.json"
    terminal = Terminal("play", game, "--seats", str(seats), "--seed", "3", "--journal", journal)
    play_to_the_end(terminal, 3)
    assert terminal.close() == 0
    assert "Traceback" not in terminal.transcript
    assert check(read(journal.read_bytes()), find(game))


def test_compilation_does_not_delay_the_game(tmp_path: Path) -> None:
    """The board is there at once, Regular plays meanwhile, and nothing about compiling is written into the prompt."""
    pytest.importorskip("numba")
    line = ("play", "bebop", "--bots", "sharp", "--seed", "1", "--seat", "1")
    terminal = Terminal(*line, JAMBOREE_CACHE=str(tmp_path / "cache"), XDG_DATA_HOME=str(tmp_path))
    began = time.monotonic()
    assert "Claim: basic seat" in terminal.read()
    text = terminal.send("1 d5")
    while "can't think ahead yet" not in terminal.transcript:
        text = terminal.send(NUMBER.findall(text)[-1])
        assert text.endswith("> ")
    assert time.monotonic() - began < 45, "compiling all of it takes longer"
    output = " ".join(terminal.transcript.split())
    assert "Sharp 2 and Sharp 3 can't think ahead yet" in output
    assert "Until then they play like Regular." in output
    assert re.search(r"Sharp \d claims", output)
    time.sleep(3)  # for what compiles to say something
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert "Compil" not in terminal.transcript
    assert "Traceback" not in terminal.transcript


def test_quitting_asks_for_confirmation_and_saves_the_journal(tmp_path: Path) -> None:
    journal = tmp_path / "game.json"
    terminal = Terminal("play", "bebop", "--seed", "1", "--journal", journal)
    terminal.read()
    terminal.type("q\n", until="(y/n) ")
    assert terminal.send("n").endswith("> ")
    terminal.type("q\n", until="(y/n) ")
    assert "saved in" in terminal.send("y")
    assert terminal.close() == 0
    assert not check(read(journal.read_bytes()), find("bebop"))


def test_ctrl_c_asks_before_quitting(tmp_path: Path) -> None:
    journal = tmp_path / "game.json"
    terminal = Terminal("play", "bebop", "--seed", "1", "--journal", journal)
    terminal.read()
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.close() == 130
    assert "Traceback" not in terminal.transcript
    assert f"It is saved in {journal}" in " ".join(terminal.transcript.split())
    assert not check(read(journal.read_bytes()), find("bebop"))


def test_a_kill_at_any_moment_leaves_a_valid_journal(tmp_path: Path) -> None:
    """The game is killed during play; the journal replays up to that point."""
    found = []
    for delay in (0.0, 0.013, 0.05):
        journal = tmp_path / f"{delay}.json"
        command = [*COMMAND, "play", "bebop", "--auto", "--seed", "1", "--journal", str(journal)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT) as process:
            give_up = time.monotonic() + 30
            while (not journal.exists() or not journal.stat().st_size) and time.monotonic() < give_up:
                time.sleep(0.001)
            time.sleep(delay)
            process.kill()
        found.append(check(read(journal.read_bytes()), find("bebop")))
    assert not all(found)


def test_without_a_terminal_bots_play() -> None:
    result = run("play", "bebop", "--seed", "1", "--bots", "random")
    assert result.returncode == 0
    assert result.stdout.startswith("There is no terminal to ask you in, so bots play every seat.\n")
    assert "The festival is over, and " in result.stdout
    assert "\x1b" not in result.stdout


def test_the_same_seed_is_the_same_game(tmp_path: Path) -> None:
    games = [tmp_path / "one", tmp_path / "two"]
    for journal in games:
        assert invoke("--seed", "7", "--journal", journal).exit_code == 0
    assert games[0].read_bytes() == games[1].read_bytes()


def test_an_existing_journal_is_not_overwritten(tmp_path: Path) -> None:
    journal = tmp_path / "game.json"
    journal.write_text("precious")
    refused = invoke("--journal", journal)
    assert refused.exit_code == 2
    assert "--force overwrites it" in refused.stderr
    assert journal.read_text() == "precious"
    assert invoke("--journal", journal, "--force").exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize("path", ["missing/game.json", ".", "/dev/null"])
def test_a_journal_that_cannot_be_written_is_reported_before_the_game(path: str, tmp_path: Path) -> None:
    result = invoke("--force", "--journal", tmp_path / path)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1


def test_a_full_disk_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        command = [*COMMAND, "boards", "show", "longchain"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
    assert result.returncode == 2
    assert result.stderr == b"The output can't be written: No space left on device.\n"


def test_a_closed_pipe_exits_silently() -> None:
    command = [*COMMAND, "play", "bebop", "--auto", "--seed", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
        assert process.stdout and process.stderr
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
