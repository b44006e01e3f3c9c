"""Make a release: `make release`. Packages, what they are made of, licences and checksums, all in one folder.

dist/jamboree_games-0.1.0.tar.gz   the sources with the built web client
dist/jamboree_games-0.1.0-….whl    made from them, as an installer would
dist/sbom.cdx.json                 every part and its version, licence and hashes, in CycloneDX
dist/third-party.txt               the licences of those parts
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
PARTS = ("terminal", "server", "client", "fast", "rate", "telemetry")  # of the package that users can ask for
NAME = re.compile(r"[A-Za-z0-9._-]+")
EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")
SHIPPED = re.compile(r"^(@?[\w./-]+) (\d[\w.+-]*)(?: \(([^)]+)\))?$", re.MULTILINE)  # in the web client's own notices
LICENCES = re.compile(r"(licen[cs]e|copying|notice)", re.I)


class NotReady(Exception):
    """Why nothing is released."""


def version(draft: bool = False) -> str:
    """Read the version from pyproject.toml; a draft has that of its commit."""
    if draft:
        return _run(sys.executable, str(ROOT / "scripts" / "version.py"), cwd=ROOT).strip()
    found: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["jamboree"]["version"]
    return found


def check_changelog(text: str, released: str) -> None:
    """See that the changelog has a section of the version, with a date and something in it, and nothing unreleased."""
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    titles = [title for title in sections if title.startswith(f"{released} ")]
    if not titles:
        raise NotReady(f'CHANGELOG.md has no section "## {released} (YYYY-MM-DD)"; rename "Unreleased" to that.')
    if not re.fullmatch(rf"{re.escape(released)} \(\d{{4}}-\d\d-\d\d\)", titles[0]):
        raise NotReady(f'CHANGELOG.md says "## {titles[0]}"; "## {released} (YYYY-MM-DD)" would be right.')
    if not sections[titles[0]].strip():
        raise NotReady(f"CHANGELOG.md says nothing about {released}.")
    if sections.get("Unreleased", "").strip():
        raise NotReady(f'CHANGELOG.md has changes under "Unreleased"; they belong to {released} or to a later commit.')


def check_tree(status: str) -> None:
    if status.strip():
        raise NotReady(f"These files are not committed:\n{status.rstrip()}")


def build(out: Path, released: str) -> None:
    """Build the sources, and a wheel from them and from nothing else."""
    numbered = {"JAMBOREE_VERSION": released}
    _run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(out), cwd=ROOT, **numbered)
    (sources,) = out.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(sources) as archive:
            archive.extractall(place, filter="data") if hasattr(tarfile, "data_filter") else archive.extractall(place)
        (folder,) = Path(place).iterdir()
        _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out.resolve()), cwd=folder)


def _run(*command: str, cwd: Path, **variables: str) -> str:
    epoch = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    env = {**os.environ, "SOURCE_DATE_EPOCH": epoch.stdout.strip() or "1767225600", **variables}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReady(done.stderr.strip() or f"{command[0]} failed.")
    return done.stdout


def needed() -> dict[str, Distribution]:
    """Find everything that an installation with all parts brings along, as it is pinned here."""
    found: dict[str, Distribution] = {}
    wanted = [(requirement, PARTS) for requirement in distribution(DISTRIBUTION).requires or ()]
    while wanted:
        requirement, extras = wanted.pop()
        condition = EXTRA.search(requirement)
        name = _normal(NAME.match(requirement)[0])  # type: ignore[index]
        if (condition and condition[1] not in extras) or name in found or name == DISTRIBUTION:
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        asked = re.search(r"\[([\w,-]+)\]", requirement.partition(";")[0])
        wanted += [(each, tuple(asked[1].split(",")) if asked else ()) for each in found[name].requires or ()]
    return dict(sorted(found.items()))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def hashes() -> dict[str, list[str]]:
    """Read the pinned hashes from the lock."""
    lock = re.sub(r"\s*\\\n\s*", " ", (ROOT / "requirements-test.lock").read_text(encoding="utf-8"))
    lines = [line.split(" --hash=sha256:") for line in lock.splitlines() if "==" in line]
    return {line[0].partition("==")[0]: line[1:] for line in lines}


def shipped() -> list[tuple[str, str, str]]:
    """List what is inside the web client: name, version and licence."""
    return SHIPPED.findall((SITE / "third-party.txt").read_text(encoding="utf-8"))


def sbom(released: str, when: datetime) -> dict[str, Any]:
    """Describe every part in CycloneDX."""
    known = hashes()
    components = [_component(name, each, known.get(name, [])) for name, each in needed().items()]
    components += [
        {
            "type": "library",
            "bom-ref": f"pkg:npm/{_quoted(name)}@{number}",
            "name": name,
            "version": number,
            "purl": f"pkg:npm/{_quoted(name)}@{number}",
            **({"licenses": [{"license": {"name": licence}}]} if licence else {}),
        }
        for name, number, licence in shipped()
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


def _component(name: str, found: Distribution, known: list[str]) -> dict[str, Any]:
    purl, licence = f"pkg:pypi/{name}@{found.version}", _licence(found)
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": found.version,
        "purl": purl,
        **({"licenses": [{"license": {"name": licence}}]} if licence else {}),
        **({"hashes": [{"alg": "SHA-256", "content": each} for each in known]} if known else {}),
    }


def _quoted(name: str) -> str:
    return name.replace("@", "%40")


def _licence(found: Distribution) -> str:
    """Name a licence as the package does: by its expression, its field if that is short, or its classifiers."""
    fields = found.metadata
    named = fields.get("License-Expression") or fields.get("License") or ""
    if named and "\n" not in named and len(named) < 100:
        return str(named)
    kinds = [each.rpartition(" :: ")[2] for each in fields.get_all("Classifier") or () if each.startswith("License ::")]
    return ", ".join(kinds) or next((line.strip() for line in named.splitlines() if line.strip()), "")


def notices() -> Iterator[str]:
    """Write the licences of everything an installation brings along, and of what is inside the web client."""
    for name, found in needed().items():
        texts = [
            file for file in found.files or () if LICENCES.search(Path(str(file)).name) and ".dist-info" in str(file)
        ]
        yield f"{name} {found.version} ({_licence(found) or 'see its own page'})\n"
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
        raise NotReady("The web client has not been built; `make site` does so.")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    build(out, released)
    written = json.dumps(sbom(released, datetime.now(UTC)), indent=1, ensure_ascii=False)
    (out / "sbom.cdx.json").write_text(written + "\n", encoding="utf-8")
    (out / "third-party.txt").write_text("\n".join(notices()), encoding="utf-8")
    (out / "SHA256SUMS").write_text(checksums(out), encoding="utf-8")


def main() -> None:
    words = argparse.ArgumentParser(description="Make a release.")
    words.add_argument("out", type=Path, help="a folder, which is emptied first")
    words.add_argument("--draft", action="store_true", help="try it out: also with changes that are not committed")
    told = words.parse_args()
    try:
        release(told.out, told.draft)
    except NotReady as error:
        sys.exit(str(error))
    print(f"Jamboree {version(told.draft)} is in {told.out}:")
    print((told.out / "SHA256SUMS").read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
