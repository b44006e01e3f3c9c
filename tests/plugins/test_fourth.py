"""A plugin game without any other change: it keeps the contract and is playable everywhere."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jamboree import games
from tests.cli.terminal import ENVIRONMENT, Terminal
from tests.cli.test_play import play_to_the_end
from tests.server.test_serve import served

from .installing import LONGEST, ROOT, looking_there


def test_the_external_game_is_found_through_its_entry_point(installed: Path) -> None:
    assert "pearls  Pearl Divers\n  players  2 to 5\n" in run(looking_there(installed), "jamboree", "games")
    everywhere = "pearls" in games.keys()  # somebody follows the tutorial  # noqa: SIM118
    assert ("pearls" in run({**os.environ}, "jamboree", "games")) == everywhere


def test_the_external_game_passes_the_contract(installed: Path) -> None:
    printed = run(looking_there(installed), "pytest", "-q", "-n0", "-k", "pearls", "tests/contract")
    assert re.search(r"^\d\d+ passed", printed, re.M), printed


def test_the_contract_reports_why_a_package_does_not_load(installed: Path, tmp_path: Path) -> None:
    """Its tests can't be collected then, and nothing that fails would look like nothing that is wrong."""
    copy = shutil.copytree(installed, tmp_path / "installed")
    texts = copy / "pearls" / "words" / "locale" / "en.json"
    texts.write_text(texts.read_text("utf-8").replace("table.sea", "table.see"), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-k", "pearls", "tests/contract/test_contract.py"]
    done = subprocess.run(
        command, cwd=ROOT, env=looking_there(copy), capture_output=True, text=True, check=False, timeout=LONGEST
    )
    assert done.returncode == 1
    assert "there is no text 'table.sea' in pearls/words/locale/en.json (pearls/words/__init__.py, line " in done.stdout


def test_a_game_without_dutch_passes_the_contract(installed: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(installed, tmp_path / "installed")
    for file in (copy / "pearls").rglob("nl.*"):
        file.unlink()
    output = run(looking_there(copy), "pytest", "-q", "-n0", "-k", "pearls", "tests/contract")
    assert re.search(r"^\d\d+ passed", output, re.M), output


def run(environment: dict[str, str], *words: str) -> str:
    """Run a module of Python as a program."""
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=LONGEST
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_whole_game_in_a_terminal(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", str(installed))
    terminal = Terminal("play", "pearls", "--seats", "3", "--seed", "5", "--name", "Ada", "--lang", "nl")
    play_to_the_end(terminal, 5)
    assert terminal.close() == 0
    assert re.search(r"Nog \d beurten\n", terminal.transcript)
    assert re.search(r"Winnaars?: \w", terminal.transcript)
    assert "Hiervoor betalen de kopers dubbel." in terminal.transcript
    assert "Traceback" not in terminal.transcript


def test_a_whole_game_at_a_live_table(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(installed))
    with served(tmp_path / "tables.db", "--port", "0") as (_, port):
        printed = run(looking_there(installed), "tests.plugins.at_a_table", f"http://127.0.0.1:{port}")
    assert printed.startswith("3 players have heard the same end. The buyers pay double for these. Ada: ")
