"""A package installed directly from git, without a built web client."""

from pathlib import Path
from subprocess import CompletedProcess
from sys import executable
from types import SimpleNamespace

import pytest

from .test_packages import LOCK, ROOT, SITE, UV, run
from .test_release import load_script

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="these sources were not checked out by git")


def installing(repository: Path, folder: Path, **environment: str) -> "CompletedProcess[str]":
    """Install the last commit into an empty environment; of each repository and commit it is built once."""
    made = run(UV, "venv", "--quiet", "--python", executable, folder)
    assert made.returncode == 0, made.stderr
    commit = run("git", "rev-parse", "HEAD", cwd=repository).stdout.strip()
    wanted, python = f"jamboree-games @ git+{repository.as_uri()}@{commit}", folder / "bin" / "python"
    return run(UV, "pip", "install", "--python", python, "--constraints", LOCK, wanted, more=environment)


def test_an_installation_from_git_builds_the_web_client(tmp_path: Path) -> None:
    done = installing(ROOT, tmp_path / "empty", npm_config_prefer_offline="true")
    assert done.returncode == 0, done.stderr
    (packages,) = (tmp_path / "empty").glob("lib/python*/site-packages")
    assert "<script" in (packages / SITE / "index.html").read_text()
    assert list((packages / SITE / "assets").iterdir())


def test_a_failed_client_build_installs_nothing_and_is_explained(tmp_path: Path) -> None:
    cloned = run("git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), tmp_path / "clone")
    assert cloned.returncode == 0, cloned.stderr
    nowhere = {"npm_config_registry": "http://127.0.0.1:9", "npm_config_cache": str(tmp_path / "npm")}
    done = installing(tmp_path / "clone", tmp_path / "empty", npm_config_offline="true", **nowhere)
    assert done.returncode != 0
    assert "The web client can't be built. Run `make site` to see why." in done.stderr
    assert not list((tmp_path / "empty").glob("lib/python*/site-packages/jamboree"))


@pytest.mark.parametrize("tested", [False, True])
def test_a_build_keeps_the_test_packages_of_the_web_client(
    tested: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = load_script("hatch_build")
    steps: list[list[str]] = []

    def run_step(command: list[str], **_: object) -> SimpleNamespace:
        steps.append(command[1:])
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(hook.shutil, "which", lambda name, path: "npm")
    monkeypatch.setattr(hook.subprocess, "run", run_step)
    (tmp_path / "package.json").touch()
    (tmp_path / "node_modules").mkdir()
    if tested:
        (tmp_path / "node_modules" / ".all").touch()
    hook.WebClientHook._build(SimpleNamespace(root=str(tmp_path)))
    (install, build) = steps
    assert ("--omit=dev" in install) is not tested
    assert build == ["run", "build"]
