"""The release script refuses incomplete releases, and builds complete ones."""

import hashlib
import importlib.util
import json
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.version import Version

import jamboree

from .test_packages import ROOT, run


def load_script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


release = load_script("release")
GOOD = "# Changelog\n\n## 1.2.0 (2026-12-01)\n\n- Something.\n\n## 1.1.0 (2026-11-01)\n\n- Before.\n"


def test_the_version_is_defined_once() -> None:
    number = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["jamboree"]["version"]
    assert release.version() == Version(jamboree.__version__).base_version == number
    assert "version" not in json.loads((ROOT / "package.json").read_text())
    written = re.compile(rf"(?<![\w.]){re.escape(number)}(?![\w.])")
    sources = [path for path in (ROOT / "src").rglob("*.py") if written.search(path.read_text(encoding="utf-8"))]
    assert sources == []


@pytest.mark.parametrize(
    ("text", "output"),
    [
        (GOOD.replace("1.2.0 (2026-12-01)", "Unreleased"), 'no section "## 1.2.0 (YYYY-MM-DD)"'),
        (GOOD.replace("(2026-12-01)", "soon"), 'instead of "## 1.2.0 (YYYY-MM-DD)"'),
        (GOOD.replace("- Something.", ""), "section 1.2.0 of CHANGELOG.md is empty"),
        (GOOD.replace("# Changelog\n", "# Changelog\n\n## Unreleased\n\n- More.\n"), 'changes under "Unreleased"'),
    ],
)
def test_an_unprepared_changelog_is_refused(text: str, output: str) -> None:
    release.check_changelog(GOOD, "1.2.0")
    release.check_changelog(GOOD.replace("# Changelog\n", "# Changelog\n\n## Unreleased\n"), "1.2.0")
    with pytest.raises(release.NotReady, match=re.escape(output)):
        release.check_changelog(text, "1.2.0")


def test_uncommitted_changes_are_refused() -> None:
    release.check_tree("")
    with pytest.raises(release.NotReady, match=r"src/x\.py"):
        release.check_tree(" M src/x.py\n")


def test_a_release_has_packages_parts_licences_and_checksums(tmp_path: Path) -> None:
    out = tmp_path / "dist"
    done = run(sys.executable, ROOT / "scripts" / "release.py", out, "--draft", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    names = {path.name for path in out.iterdir()}
    base = f"jamboree_games-{release.version(draft=True)}"
    assert names == {f"{base}.tar.gz", f"{base}-py3-none-any.whl", "sbom.cdx.json", "third-party.txt", "SHA256SUMS"}
    for line in (out / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    assert (out / "SHA256SUMS").read_text().count("\n") == len(names) - 1
    check_parts(json.loads((out / "sbom.cdx.json").read_text()))
    licences = (out / "third-party.txt").read_text()
    assert "msgspec" in licences and "SIL OPEN FONT LICENSE" in licences and "svelte" in licences


def check_parts(bom: dict[str, object]) -> None:
    assert (bom["bomFormat"], bom["specVersion"]) == ("CycloneDX", "1.5")
    components = bom["components"]
    assert isinstance(components, list)
    parts = {each["name"]: each for each in components}
    assert {"msgspec", "litestar", "apsw", "psycopg-binary", "uvicorn", "svelte", "opentelemetry-sdk"} <= set(parts)
    assert not {"pytest", "ruff", "mypy", "playwright", "vite"} & set(parts), "what only builds it is no part of it"
    assert parts["msgspec"]["purl"] == f"pkg:pypi/msgspec@{parts['msgspec']['version']}"
    assert parts["svelte"]["purl"].startswith("pkg:npm/svelte@")
    assert all(each["version"] and each["bom-ref"] for each in components)
    assert [name for name, each in parts.items() if "licenses" not in each] == []
    assert len({each["bom-ref"] for each in components}) == len(components)


def test_a_refused_release_writes_no_files(tmp_path: Path) -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if f"## {release.version()} (" in text:
        pytest.skip("this version is released")
    done = run(sys.executable, ROOT / "scripts" / "release.py", tmp_path / "dist", cwd=ROOT)
    assert (done.returncode, "CHANGELOG.md" in done.stderr) == (1, True)
    assert not (tmp_path / "dist").exists()
