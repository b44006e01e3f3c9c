"""Every build has its own version, and the documented update replaces any build by any other."""

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from packaging.version import Version

import jamboree

from .test_packages import ROOT, built, run
from .test_release import load_script

script = load_script("version")
PYPROJECT = '[tool.jamboree]\nversion = "0.1.0"\n'


def git(folder: Path, *arguments: str, **environment: str) -> str:
    named = dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "tests")
    mailed = dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), "tests@example.org")
    done = run("git", *arguments, cwd=folder, more={**named, **mailed, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def commit(folder: Path, when: str, text: str) -> str:
    """Commit a change of the sources, and return the commit's id."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src" / "x.py").write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", text, GIT_COMMITTER_DATE=when)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("JAMBOREE_VERSION", raising=False)
    folder = tmp_path / "repository"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(PYPROJECT)
    git(folder, "init", "--quiet")
    return folder


def test_later_commits_have_higher_versions(repository: Path) -> None:
    first = commit(repository, "2026-11-18T23:59:59+01:00", "one")
    before = script.version(repository)
    second = commit(repository, "2026-11-18T23:00:00+00:00", "two")
    after = script.version(repository)
    assert before == f"0.1.0.dev20261118225959+g{first[:9]}"
    assert after == f"0.1.0.dev20261118230000+g{second[:9]}"
    assert Version(before) < Version(after) < Version("0.1.0")
    assert str(Version(after)) == after, "nothing is left for an installer to normalise"


def test_uncommitted_changes_mark_the_version(repository: Path) -> None:
    commit(repository, "2026-11-18T12:00:00+00:00", "one")
    clean, versions = script.version(repository), set()
    for text in ("two", "three"):
        (repository / "src" / "x.py").write_text(text)
        versions.add(script.version(repository))
    (repository / "src" / "new.py").write_text("")
    versions.add(script.version(repository))
    assert len(versions) == 3
    assert all(re.fullmatch(re.escape(clean) + r"\.d[0-9a-f]{9}", each) for each in versions)
    git(repository, "checkout", "--quiet", "src/x.py")
    (repository / "src" / "new.py").unlink()
    assert script.version(repository) == clean


def test_a_shallow_clone_has_the_same_version(repository: Path, tmp_path: Path) -> None:
    for number in range(3):
        commit(repository, f"2026-11-18T12:00:0{number}+00:00", str(number))
    git(tmp_path, "clone", "--quiet", "--depth", "1", repository.as_uri(), "shallow")
    assert script.version(tmp_path / "shallow") == script.version(repository)


def test_sources_without_git_have_a_stored_version_or_a_hash(repository: Path) -> None:
    """Also inside a repository of something else, whose commits say nothing about them."""
    commit(repository, "2026-11-18T12:00:00+00:00", "one")
    inside = repository / "unpacked"
    (inside / "src" / "__pycache__").mkdir(parents=True)
    (inside / "pyproject.toml").write_text(PYPROJECT)
    (inside / "src" / "x.py").write_text("one")
    hashed = script.version(inside)
    assert re.fullmatch(r"0\.1\.0\.dev0\+s[0-9a-f]{9}", hashed)
    (inside / "src" / "__pycache__" / "x.pyc").write_text("compiled")
    assert script.version(inside) == hashed
    (inside / "src" / "x.py").write_text("two")
    assert script.version(inside) != hashed
    (inside / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: jamboree-games\nVersion: 0.1.0.dev7+gabc\n\nText")
    assert script.version(inside) == "0.1.0.dev7+gabc"


def test_a_build_can_be_given_its_version(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(repository, "2026-11-18T12:00:00+00:00", "one")
    monkeypatch.setenv("JAMBOREE_VERSION", "0.1.0")
    assert script.version(repository) == "0.1.0"


def test_the_installation_knows_its_commit() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("these sources were not checked out by git")
    assert re.fullmatch(r"0\.1\.0\.dev\d{14}\+g[0-9a-f]{9}(\.d[0-9a-f]{9})?", jamboree.__version__)


def update_command(page: Path) -> str:
    """Find the command of the documented update."""
    (found,) = re.findall(r"^/opt/jamboree/bin/(pip install --upgrade .+)$", page.read_text("utf-8"), re.MULTILINE)
    return str(found)


def a_wheel(source: Path, folder: Path, version: str, mark: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Build a wheel of a version, with a mark in it by which it is known."""
    with (source / "src" / "jamboree" / "__init__.py").open("a") as module:
        module.write(f"MARK = {mark!r}\n")
    monkeypatch.setenv("JAMBOREE_VERSION", version)
    wheel = built("wheel", source, folder / "dist")
    with zipfile.ZipFile(wheel) as files:
        assert f'MARK = "{mark}"'.replace('"', "'") in files.read("jamboree/__init__.py").decode()
    return wheel


def test_the_documented_update_replaces_any_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A later commit, an earlier one and uncommitted changes: the newest file in dist/ is installed."""
    source = tmp_path / "source"
    skipped = shutil.ignore_patterns(".git", ".venv", "node_modules", "__pycache__", "tests", "PKG-INFO")
    shutil.copytree(ROOT, source, ignore=skipped)
    versions = (
        "0.1.0.dev20261118120000+gaaaaaaaaa",
        "0.1.0.dev20261118120000+gaaaaaaaaa.d111111111",
        "0.1.0.dev20261119120000+gbbbbbbbbb",
    )
    wheels = [
        a_wheel(source, tmp_path / str(number), version, f"build {number}", monkeypatch)
        for number, version in enumerate(versions)
    ]
    (tmp_path / "dist").mkdir()
    monkeypatch.delenv("JAMBOREE_VERSION")
    made = run(sys.executable, "-m", "venv", tmp_path / "venv")
    assert made.returncode == 0, made.stderr
    programs = tmp_path / "venv" / "bin"
    update = update_command(ROOT / "docs" / "hosting.md").replace("[server,fast]", "")
    for number in (0, 2, 0, 1, 0):
        shutil.copy(wheels[number], tmp_path / "dist")  # beside those of earlier updates
        done = subprocess.run(
            f"{programs}/{update}", shell=True, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        output = run(programs / "python", "-c", "import jamboree; print(jamboree.__version__, jamboree.MARK)").stdout
        assert output == f"{versions[number]} build {number}\n"
