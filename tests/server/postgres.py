"""A private PostgreSQL for the tests: in a folder of its own, reached by a socket file, ended by its process id."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.debian import found_or_installed

OWNER = "postgres"
FOLDERS = "/usr/lib/postgresql"


@contextmanager
def private_postgres() -> Iterator[str]:
    """Start a server and give its address."""
    programs = found_or_installed(_find, "postgresql")
    folder = Path(tempfile.mkdtemp(prefix="jamboree-pg-"))
    owner = OWNER if os.geteuid() == 0 else None
    if owner:
        shutil.chown(folder, owner, owner)
    server = _start(programs, folder, owner)
    try:
        _wait_until_ready(programs, folder)
        yield f"postgresql:///postgres?host={folder}&user=jamboree"
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)
        shutil.rmtree(folder)


def _find() -> Path | None:
    installed = sorted(Path(FOLDERS).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if installed:
        return installed[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None


def _start(programs: Path, folder: Path, owner: str | None) -> subprocess.Popen[bytes]:
    data = folder / "data"
    make = [programs / "initdb", "-D", data, "-A", "trust", "-U", "jamboree", "--no-sync", "-E", "UTF8", "--locale=C"]
    subprocess.run(make, user=owner, group=owner, cwd=folder, capture_output=True, timeout=120, check=True)
    run = [programs / "postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off"]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(run, user=owner, group=owner, cwd=folder, stdout=quiet, stderr=quiet)


def _wait_until_ready(programs: Path, folder: Path) -> None:
    ready = [programs / "pg_isready", "-q", "-h", folder, "-d", "postgres"]
    end = time.monotonic() + 60
    while subprocess.run(ready, check=False).returncode:
        assert time.monotonic() < end, "PostgreSQL does not start"
        time.sleep(0.1)
