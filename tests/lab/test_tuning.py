"""Proposals of search settings are evaluated again once the bots have changed."""

import json
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "tuning" / "tune.py"


@pytest.fixture
def tune(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Load the script without optuna, which no other part of the project needs."""
    optuna = ModuleType("optuna")
    optuna.Trial = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "optuna", optuna)
    spec = spec_from_file_location("tune", SCRIPT)
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_proposals_are_valid_for_the_code_and_games_they_were_evaluated_with(
    tune: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, code = tmp_path / "results.jsonl", tune.code_of("bpm", "star", "sharp")
    about = {"games": 60, "among": "sharp", "code": code}
    line = {"share": 0.5, "ahead": 1.0, "settings": {}}
    assert tune.stored_lines(path, about) == []
    older = {"share": 0.4, "ahead": 1.0, "games": 60, "among": "sharp", "settings": {}}
    path.write_text("".join(json.dumps(each) + "\n" for each in (older, {**line, **about})), encoding="utf-8")
    assert tune.stored_lines(path, about) == [{**line, **about}]
    assert tune.stored_lines(path, {**about, "games": 120}) == []
    monkeypatch.setattr(tune, "fingerprint", lambda game, name: "other")
    assert tune.stored_lines(path, {**about, "code": tune.code_of("bpm", "star", "sharp")}) == []
