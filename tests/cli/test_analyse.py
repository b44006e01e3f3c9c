"""`jamboree analyse`: a game reviewed at the terminal."""

import json
import re
import signal
import subprocess
import time
from copy import deepcopy
from pathlib import Path

import pytest

from jamboree.cli.commands.analyse import analyse
from jamboree.coach.review import GameReview
from jamboree.core.journal import write
from tests.cli.terminal import COMMAND, ENVIRONMENT, run
from tests.coach.review.games import a_game

pytest.importorskip("numba")


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(write(a_game("boogie")))
    return path


def test_curves_balance_turning_points_and_promises_are_shown(journal: Path, tmp_path: Path) -> None:
    shown = run("analyse", journal, "--playouts", "8", XDG_DATA_HOME=str(tmp_path))
    assert shown.returncode == 0, shown.stderr
    for wanted in ("Chance to win", "Ada", "luck", "own choices", "Turning points", "kept", "broken", "void"):
        assert wanted in shown.stdout
    dutch = run("analyse", journal, "--playouts", "8", "--seat", "2", "--lang", "nl", XDG_DATA_HOME=str(tmp_path))
    assert "Kans om te winnen" in dutch.stdout
    assert f"Probeer het opnieuw: jamboree play --journal {journal} --step " in dutch.stdout


def test_control_characters_in_names_are_not_printed(tmp_path: Path) -> None:
    path, sent = tmp_path / "game.json", deepcopy(a_game("boogie"))
    sent.header.names[0] = "\x1b[2JAda"
    sent.seal = sent.expected_seal()
    path.write_text(write(sent))
    shown = run("analyse", path, "--playouts", "8", XDG_DATA_HOME=str(tmp_path))
    assert "?[2JAda" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_json_output_has_every_decision_and_results_are_saved(journal: Path, tmp_path: Path) -> None:
    first = run("analyse", journal, "--playouts", "8", "--json", XDG_DATA_HOME=str(tmp_path))
    document = json.loads(first.stdout)
    assert document["done"] == document["steps"] == len(a_game("boogie").entries)
    assert {"seat", "step", "loss", "better", "best", "chosen"} == set(document["decisions"][0])
    (stored,) = (tmp_path / "jamboree" / "analyses").glob("*.json")
    stored.write_text(re.sub(r'"loss":0\.0*[1-9]\d*', '"loss":0.5e-9', stored.read_text()))
    again = json.loads(run("analyse", journal, "--playouts", "8", "--json", XDG_DATA_HOME=str(tmp_path)).stdout)
    assert {each["loss"] for each in again["decisions"]} == {0, 0.5e-9}, "it was read, not reckoned again"
    stored.write_text(stored.read_text().replace('"fingerprint":"', '"fingerprint":"0'))
    fresh = json.loads(run("analyse", journal, "--playouts", "8", "--json", XDG_DATA_HOME=str(tmp_path)).stdout)
    assert fresh == document, "what other code has found is reckoned again"


def test_ctrl_c_saves_the_analysis_so_far(journal: Path, tmp_path: Path) -> None:
    command = [*COMMAND, "analyse", str(journal), "--playouts", "4000"]
    env = {**ENVIRONMENT, "XDG_DATA_HOME": str(tmp_path)}
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not list((tmp_path / "jamboree" / "analyses").glob("*.json")):
        time.sleep(0.1)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    shown, complaint = process.communicate(timeout=180)
    assert process.returncode == 0, complaint
    assert "Stopped after step" in shown


def test_ctrl_c_before_the_first_step_is_reported(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(looking: object, *rest: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(GameReview, "_analyse_step", interrupted)
    analyse(journal, playouts=8, lang="en")
    assert "Stopped after step 0 of" in capsys.readouterr().out


def test_a_journal_that_cannot_be_analysed_is_reported(journal: Path, tmp_path: Path) -> None:
    wrong = run("analyse", journal, "--seat", "9", XDG_DATA_HOME=str(tmp_path))
    assert (wrong.returncode, "no seat 9" in wrong.stderr) == (2, True)
    assert "can't be read" in run("analyse", tmp_path / "nothing.json").stderr
