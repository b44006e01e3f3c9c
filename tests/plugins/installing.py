"""Installs the fourth game like any plugin: built into a wheel and unpacked on Python's path."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOURTH = ROOT / "tests" / "fourth"
LONGEST = 120


def install(where: Path, source: Path = FOURTH) -> Path:
    """Build a package with the tools that are here and unpack it; that is all an installer does with a plain wheel."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(where / "built")]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=LONGEST, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = (where / "built").glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        files.extractall(where / "installed")
    return where / "installed"


def looking_there(installed: Path) -> dict[str, str]:
    """Return the environment of a program that finds the installed packages."""
    return {**os.environ, "PYTHONPATH": str(installed)}
