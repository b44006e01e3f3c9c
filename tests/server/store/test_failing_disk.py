"""A full, failing or read-only disk: no acknowledgement after the fault, and reads continue."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jamboree.server.store.store import open_store
from tests.debian import found_or_installed

FULL = 300_000  # bytes
HEALTHY = 200  # calls that go well before the fault: those of the start, and some appends


def acknowledged(*command: str) -> int:
    return int(subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout)


async def kept_in(where: str) -> int:
    store = open_store(where)
    stored = (await store.load("t")).seq
    store.close()
    return stored


async def test_a_full_disk_stops_the_store_without_loss(tmp_path: Path) -> None:
    where = str(tmp_path / "tables.db")
    stored = acknowledged(sys.executable, "-m", "tests.server.store.failing_disk", where, str(FULL))
    assert 0 < stored <= await kept_in(where)


@pytest.mark.parametrize(
    ("call", "error"), [("fdatasync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC"), ("pwrite64", "EROFS")]
)
async def test_a_failing_disk_stops_the_store_without_loss(tmp_path: Path, call: str, error: str) -> None:
    strace = found_or_installed(lambda: shutil.which("strace"), "strace")
    where = str(tmp_path / "tables.db")
    fault = f"inject={call}:error={error}:when={HEALTHY}+"
    quiet = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", fault]
    stored = acknowledged(strace, *quiet, sys.executable, "-m", "tests.server.store.failing_disk", where)
    assert 0 < stored <= await kept_in(where)
