"""Build a release: `make release`. Packages, SBOM, licences and checksums in one folder.

dist/jamboree_games-0.1.0.tar.gz   the sources with the built web client
dist/jamboree_games-0.1.0-….whl    built from that sdist, as an installer would
dist/sbom.cdx.json                 every component with version, licence and hashes, in CycloneDX
dist/third-party.txt               the licences of those components
dist/SHA256SUMS                    sha256sum --check SHA256SUMS

A release has the version that pyproject.toml names, and a draft that of its commit (scripts/version.py).
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jamboree import DISTRIBUTION

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "src" / "jamboree" / "server" / "site"
MODULES = ROOT / "src" / "jamboree" / "fast" / "modules"
EXTRAS = ("terminal", "server", "client", "fast", "rate", "telemetry")  # that users can install
NAME = re.compile(r"[A-Za-z0-9._-]+")
EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")
BUNDLED = re.compile(
    r"^(@?[\w./-]+) (\d[\w.+-]*)(?: \(([^)]+)\))?$", re.MULTILINE
)  # a component in the web client's notices
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice)", re.I)


class NotReady(Exception):
    """The reason why no release is made."""


def version(draft: bool = False) -> str:
    """Return the version in pyproject.toml; a draft has the version of its commit."""
    if draft:
        return _run(sys.executable, str(ROOT / "scripts" / "version.py"), cwd=ROOT).strip()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["tool"]["jamboree"]["version"])


def check_changelog(text: str, released: str) -> None:
    """Check that the changelog has a dated, non-empty section for the version, and no unreleased changes."""
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    titles = [title for title in sections if title.startswith(f"{released} ")]
    if not titles:
        raise NotReady(f'CHANGELOG.md has no section "## {released} (YYYY-MM-DD)"; rename "Unreleased" to that.')
    if not re.fullmatch(rf"{re.escape(released)} \(\d{{4}}-\d\d-\d\d\)", titles[0]):
        raise NotReady(f'CHANGELOG.md has "## {titles[0]}" instead of "## {released} (YYYY-MM-DD)".')
    if not sections[titles[0]].strip():
        raise NotReady(f"The section {released} of CHANGELOG.md is empty.")
    if sections.get("Unreleased", "").strip():
        raise NotReady(f'CHANGELOG.md has changes under "Unreleased"; move them to {released} or commit them later.')


def check_tree(status: str) -> None:
    if status.strip():
        raise NotReady(f"These files are not committed:\n{status.rstrip()}")


def build(out: Path, released: str) -> None:
    """Build the sdist, and a wheel from the unpacked sdist alone."""
    environment = {"JAMBOREE_VERSION": released}
    _run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(out), cwd=ROOT, **environment)
    (sources,) = out.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as unpacked:
        with tarfile.open(sources) as archive:
            if hasattr(tarfile, "data_filter"):
                archive.extractall(unpacked, filter="data")
            else:
                archive.extractall(unpacked)
        (folder,) = Path(unpacked).iterdir()
        _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out.resolve()), cwd=folder)


def _run(*command: str, cwd: Path, **variables: str) -> str:
    epoch = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    env = {**os.environ, "SOURCE_DATE_EPOCH": epoch.stdout.strip() or "1767225600", **variables}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(done.stderr.strip() or f"{command[0]} failed.")
    return done.stdout


def dependencies() -> dict[str, Distribution]:
    """Resolve the transitive dependencies of all extras among the installed packages."""
    found: dict[str, Distribution] = {}
    pending = [(requirement, EXTRAS) for requirement in distribution(DISTRIBUTION).requires or ()]
    while pending:
        requirement, extras = pending.pop()
        condition = EXTRA.search(requirement)
        name = _normal(NAME.match(requirement)[0])  # type: ignore[index]
        if (condition and condition[1] not in extras) or name in found or name == DISTRIBUTION:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        requested = re.search(r"\[([\w,-]+)\]", requirement.partition(";")[0])
        extras = tuple(requested[1].split(",")) if requested else ()
        pending += [(dependency, extras) for dependency in found[name].requires or ()]
    return dict(sorted(found.items()))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def hashes() -> dict[str, list[str]]:
    """Read the pinned hashes from the lock file."""
    lock = re.sub(r"\s*\\\n\s*", " ", (ROOT / "requirements-test.lock").read_text(encoding="utf-8"))
    lines = [line.split(" --hash=sha256:") for line in lock.splitlines() if "==" in line]
    return {line[0].partition("==")[0]: line[1:] for line in lines}


def bundled() -> list[tuple[str, str, str]]:
    """List the components inside the web client: name, version and licence."""
    return BUNDLED.findall((SITE / "third-party.txt").read_text(encoding="utf-8"))


def sbom(released: str, when: datetime) -> dict[str, Any]:
    """Describe every component in CycloneDX."""
    pinned = hashes()
    components = [_component(name, package, pinned.get(name, [])) for name, package in dependencies().items()]
    components += [
        {
            "type": "library",
            "bom-ref": f"pkg:npm/{_quoted(name)}@{number}",
            "name": name,
            "version": number,
            "purl": f"pkg:npm/{_quoted(name)}@{number}",
            **({"licenses": [{"license": {"name": licence}}]} if licence else {}),
        }
        for name, number, licence in bundled()
    ]
    own = f"pkg:pypi/{DISTRIBUTION}@{quote(released)}"
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, own)}",
        "version": 1,
        "metadata": {
            "timestamp": when.isoformat(timespec="seconds"),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": DISTRIBUTION,
                "version": released,
                "purl": own,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": components,
        "dependencies": [{"ref": own, "dependsOn": [each["bom-ref"] for each in components]}],
    }


def _component(name: str, package: Distribution, digests: list[str]) -> dict[str, Any]:
    purl, licence = f"pkg:pypi/{name}@{package.version}", _licence(package)
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": package.version,
        "purl": purl,
        **({"licenses": [{"license": {"name": licence}}]} if licence else {}),
        **({"hashes": [{"alg": "SHA-256", "content": digest} for digest in digests]} if digests else {}),
    }


def _quoted(name: str) -> str:
    return name.replace("@", "%40")


def _licence(package: Distribution) -> str:
    """Return a package's licence: its expression, its licence field if that is short, or its classifiers."""
    fields = package.metadata
    licence = fields.get("License-Expression") or fields.get("License") or ""
    if licence and "\n" not in licence and len(licence) < 100:
        return str(licence)
    classifiers = [
        classifier.rpartition(" :: ")[2]
        for classifier in fields.get_all("Classifier") or ()
        if classifier.startswith("License ::")
    ]
    return ", ".join(classifiers) or next((line.strip() for line in licence.splitlines() if line.strip()), "")


def notices() -> Iterator[str]:
    """Yield the licence texts of all dependencies, and the web client's notices."""
    for name, package in dependencies().items():
        texts = [
            file
            for file in package.files or ()
            if LICENCE_FILE.search(Path(str(file)).name) and ".dist-info" in str(file)
        ]
        yield f"{name} {package.version} ({_licence(package) or 'see its own page'})\n"
        yield from (file.read_text(encoding="utf-8").strip() + "\n" for file in texts)
    yield (SITE / "third-party.txt").read_text(encoding="utf-8")


def checksums(folder: Path) -> str:
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def release(out: Path, draft: bool) -> None:
    released = version(draft)
    if not draft:
        check_changelog((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), released)
        check_tree(_run("git", "status", "--porcelain", cwd=ROOT))
    if not (SITE / "third-party.txt").is_file():
        raise NotReady("The web client has not been built; run `make site`.")
    if not list(MODULES.glob("*.wasm")):
        raise NotReady("The twins have not been compiled to WebAssembly; run `make modules`.")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    build(out, released)
    document = json.dumps(sbom(released, datetime.now(UTC)), indent=1, ensure_ascii=False)
    (out / "sbom.cdx.json").write_text(document + "\n", encoding="utf-8")
    (out / "third-party.txt").write_text("\n".join(notices()), encoding="utf-8")
    (out / "SHA256SUMS").write_text(checksums(out), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Build a release.")
    parser.add_argument("out", type=Path, help="the output folder, which is emptied first")
    parser.add_argument(
        "--draft", action="store_true", help="skip the checks of the changelog and of uncommitted files"
    )
    arguments = parser.parse_args()
    try:
        release(arguments.out, arguments.draft)
    except NotReady as error:
        sys.exit(str(error))
    print(f"Jamboree {version(arguments.draft)} is in {arguments.out}:")
    print((arguments.out / "SHA256SUMS").read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
