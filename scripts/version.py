"""Computes the version of a build; `python scripts/version.py` prints it, and hatchling uses it (see pyproject.toml).

0.1.0.dev20261118184512+g93c874e9a           a commit, with the UTC time of the commit
0.1.0.dev20261118184512+g93c874e9a.d1a2b3c4  a checkout with uncommitted changes, with a hash of the sources
0.1.0.dev0+s1a2b3c4d5                        sources without git, with their hash
0.1.0                                        a release: the value of JAMBOREE_VERSION

The time of the commit increases with every commit, and is known in a shallow clone, where commits can't be counted.
"""

import hashlib
import os
import subprocess
import tomllib
from collections.abc import Iterator
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OVERRIDE = "JAMBOREE_VERSION"
DIGITS = 9  # of a commit or a hash
SOURCES = ("src", "web", "scripts/hatch_build.py", "pyproject.toml", "package.json", "package-lock.json")
GENERATED = {"__pycache__", "node_modules", "web/types", "web/fixtures", "src/jamboree/server/site"}


def base(root: Path = ROOT) -> str:
    """Return the version of the next release from pyproject.toml."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return str(project["tool"]["jamboree"]["version"])


def version(root: Path = ROOT) -> str:
    """Return the version of a build of the current sources."""
    if override := os.environ.get(OVERRIDE):
        return override
    if (metadata := root / "PKG-INFO").is_file():  # an unpacked sdist
        return str(HeaderParser().parsestr(metadata.read_text(encoding="utf-8"))["Version"])
    commit = _git(root, "log", "-1", "--format=%H %cd", "--date=format-local:%Y%m%d%H%M%S")
    if not commit:
        return f"{base(root)}.dev0+s{source_hash(root)[:DIGITS]}"
    name, time = commit.split()
    dirty = f".d{source_hash(root)[:DIGITS]}" if _git(root, "status", "--porcelain") else ""
    return f"{base(root)}.dev{time}+g{name[:DIGITS]}{dirty}"


def source_hash(root: Path) -> str:
    """Hash every file that a wheel is made from."""
    digest = hashlib.sha256()
    for path in sorted(_files(root)):
        digest.update(f"{path.relative_to(root).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    for source in map(root.joinpath, SOURCES):
        if source.is_file():
            yield source
        for folder, folders, names in os.walk(source):
            parent = Path(folder)
            folders[:] = [
                each
                for each in folders
                if each not in GENERATED and (parent / each).relative_to(root).as_posix() not in GENERATED
            ]
            yield from (parent / name for name in names)


def _git(root: Path, *arguments: str) -> str:
    """Run git, even in a checkout of another user; return an empty string if that fails."""
    if not (root / ".git").exists():  # git would search in the parent folders
        return ""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"TZ": "UTC"}
    command = ["git", "-c", "safe.directory=*", *arguments]
    try:
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    except OSError:  # git is not installed
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    print(version())
