"""Debian packages that tests need, installed where possible, once for all test processes."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

Found = TypeVar("Found")


def found_or_installed(find: Callable[[], Found | None], package: str) -> Found:
    """Find a program, after installing its package if need be. Where that fails it is a failure in CI, else a skip."""
    found = find()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        with (Path(tempfile.gettempdir()) / "jamboree-apt.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            found = find() or _install(find, package)
    if found is None:
        _give_up(f"{package} is not installed and can't be installed here.")
    assert found is not None
    return found


def _install(find: Callable[[], Found | None], package: str) -> Found | None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update", "-qq"], ["install", "-y", "-qq", package]):
        subprocess.run(["apt-get", *command], env=environment, capture_output=True, timeout=300, check=False)
    return find()


def _give_up(why: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)
