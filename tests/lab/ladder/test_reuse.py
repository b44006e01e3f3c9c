"""Results are reused only for unchanged bots: modules, data, settings."""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from jamboree.bots import fingerprint as fingerprints
from jamboree.bots.search import search_settings
from jamboree.core.table_options import read_options
from jamboree.games import find
from jamboree.lab.ladder.fingerprint import fingerprint
from jamboree.lab.ladder.schedule import ladder_games

GAME = find("bpm")
BOT = """
from pathlib import Path
from helping import score

WEIGHT = float((Path(__file__).parent / ("wei" + "ght.txt")).read_text())

class Swing:
    def choose(self, view, offers):
        if view.round > 100:
            from lately import unused
        return max(offers, key=lambda offer: WEIGHT * score(offer)).action
"""
FILES = {
    "swing.py": BOT,
    "helping.py": "def score(offer):\n    return hash(str(offer.action)) % 7\n",
    "lately.py": "unused = 1\n",
    "weight.txt": "1.0",
    "notes.txt": "nothing to do with it",
}
REUSED = "4 of 4 games reused from ladder-bpm.jsonl; --fresh repeats them."
CHANGED = "4 games in ladder-bpm.jsonl are outdated: a bot, the rules or the options have changed."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a custom bot, in which commands are run."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    yield tmp_path


def rate(*flags: str) -> tuple[Any, str]:
    """Rate the bot in a separate process; return the JSON output and the messages."""
    line = ["rate", "bpm", "--levels", "rookie,swing:Swing", "--games", "4", "--workers", "1", "--json"]
    done = subprocess.run([sys.executable, "-m", "jamboree", *line, *flags], capture_output=True, text=True, check=True)
    return json.loads(done.stdout), done.stderr


def test_a_changed_bot_is_rated_again(project: Path) -> None:
    first, output = rate()
    assert (first["reused"], output) == (0, "")
    again, output = rate()
    assert again == {**first, "reused": 4}
    assert output.splitlines() == [REUSED]
    (project / "swing.py").write_text(BOT.replace("max(", "min("), encoding="utf-8")
    inverted, output = rate()
    assert inverted["reused"] == 0
    assert output.splitlines() == [CHANGED]
    assert inverted["meetings"] != first["meetings"]
    fresh, output = rate("--fresh")
    assert fresh == inverted
    assert len((project / "ladder-bpm.jsonl").read_text().splitlines()) == 12
    (project / "swing.py").write_text(BOT, encoding="utf-8")
    back, output = rate()
    assert back == again
    assert output.splitlines() == [REUSED]


def test_seed_and_options_identify_a_game(project: Path) -> None:
    first, _ = rate()
    assert (first["seed"], first["options"]["hypemaster"]) == (0, False)
    other_luck, output = rate("--seed", "1")
    assert (other_luck["seed"], other_luck["reused"], output) == (1, 0, "")
    by_flag, output = rate("--hypemaster")
    assert (by_flag["options"]["hypemaster"], by_flag["reused"], output.strip()) == (True, 0, CHANGED)
    by_name, output = rate("--option", "hypemaster=true")
    assert by_name == {**by_flag, "reused": 4}


@pytest.mark.parametrize("changed", ["swing.py", "helping.py", "lately.py", "weight.txt"])
def test_files_read_by_a_custom_bot_are_part_of_its_fingerprint(project: Path, changed: str) -> None:
    before = fingerprint(GAME, "swing:Swing")
    (project / "notes.txt").write_text("something else", encoding="utf-8")
    assert fingerprint(GAME, "swing:Swing") == before
    with (project / changed).open("a", encoding="utf-8") as file:
        file.write("0\n" if changed == "weight.txt" else "# changed\n")
    assert fingerprint(GAME, "swing:Swing") != before


def test_search_settings_affect_their_level_only(monkeypatch: pytest.MonkeyPatch) -> None:
    levels = ("rookie", "regular", "sharp", "star")
    before = {level: fingerprint(GAME, level) for level in levels}
    assert len(set(before.values())) == len(levels)
    settings = search_settings("bpm")
    changed = {**settings, "star": replace(settings["star"], greedy_bonus=settings["star"].greedy_bonus + 0.01)}
    monkeypatch.setattr(fingerprints, "search_settings", lambda key: changed)
    assert [level for level in levels if fingerprint(GAME, level) != before[level]] == ["star"]


@pytest.mark.parametrize(
    ("folder", "name", "levels"),
    [
        ("games/bpm/fast", "network.npz", ["champion"]),
        ("bots/champion", "champion.py", ["champion"]),
        ("bots/search", "native.py", ["sharp", "star", "champion"]),
        ("games/bpm/bots", "search.json", []),  # each level's settings count by themselves
        ("games/bpm/fast", "weights.json", ["rookie", "regular", "sharp", "star", "champion"]),
        ("games/bebop/bots", "search.json", []),
    ],
)
def test_code_and_data_affect_the_bots_that_use_them(
    folder: str, name: str, levels: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    every = ("rookie", "regular", "sharp", "star", "champion")
    before = {level: fingerprint(GAME, level) for level in every}
    file = files("jamboree").joinpath(folder, name)
    assert file.is_file()
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"!" * (path == file))
    assert [level for level in every if fingerprint(GAME, level) != before[level]] == levels


def test_a_rules_version_identifies_a_game() -> None:
    class Changed:
        info = replace(GAME.info, rules_version=99)

    assert fingerprint(Changed(), "regular") != fingerprint(GAME, "regular")  # type: ignore[arg-type]


def test_a_board_is_identified_by_its_name() -> None:
    bebop = find("bebop")
    here, there = (read_options(bebop, {"board": name}) for name in ("vanillaville", "longchain"))
    assert here == bebop.info.options()
    (one,), (other,) = (ladder_games(bebop, ["rookie", "regular"], 2, 1, options=each) for each in (here, there))
    assert one.pairing == other.pairing
    assert one.name != other.name
