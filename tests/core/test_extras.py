"""Messages about missing packages name the installed build."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jamboree import __version__
from jamboree.core import extras
from jamboree.core.extras import how_to_install, requirement

BY_VERSION = f"jamboree-games[fast]=={__version__}"


def installed_from(monkeypatch: pytest.MonkeyPatch, recorded: Mapping[str, Any] | None) -> None:
    """Let this installation have been made from somewhere else."""
    text = recorded and json.dumps(recorded)
    monkeypatch.setattr(extras, "distribution", lambda name: SimpleNamespace(read_text=lambda file: text))


def test_a_build_from_an_index_is_named_by_its_version(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_from(monkeypatch, None)
    assert requirement("fast") == BY_VERSION
    assert how_to_install("fast") == f"pip install '{BY_VERSION}'"


def test_a_build_from_git_is_named_by_its_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    url, vcs = "https://git.example/jamboree.git", {"vcs": "git", "commit_id": "abc"}
    installed_from(monkeypatch, {"url": url, "vcs_info": vcs})
    assert requirement("fast") == f"jamboree-games[fast] @ git+{url}@abc"


@pytest.mark.parametrize("name", ["wheel.whl", "a wheel of Zoë.whl"])
def test_a_build_from_an_existing_file_is_named_by_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / name
    wheel.touch()
    installed_from(monkeypatch, {"url": wheel.as_uri(), "archive_info": {}})
    assert requirement("fast") == f"jamboree-games[fast] @ {wheel.as_uri()}"
    wheel.unlink()
    assert requirement("fast") == BY_VERSION
    assert how_to_install("fast") == f"pip install '{BY_VERSION}'"


def test_a_file_of_another_machine_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_from(monkeypatch, {"url": "https://files.example/jamboree.whl", "archive_info": {}})
    assert requirement("fast") == "jamboree-games[fast] @ https://files.example/jamboree.whl"


def test_a_checkout_is_installed_with_make(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_from(monkeypatch, {"url": "file:///nowhere", "dir_info": {"editable": True}})
    assert (how_to_install("fast"), how_to_install("rate")) == ("make fast", "make setup")
