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
Arguments = list[Path | str]
FOLDERS = "/usr/lib/postgresql"


class Private:
    """A server with a folder of its own, which can go down and come back."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder, self.data = programs, folder, folder / "data"
        self.address = f"postgresql:///postgres?host={folder}&user=jamboree"
        self.owner = OWNER if os.geteuid() == 0 else None
        if self.owner:
            shutil.chown(folder, self.owner, self.owner)
        make: Arguments = [
            programs / "initdb",
            "-D",
            self.data,
            "-A",
            "trust",
            "-U",
            "jamboree",
            "--no-sync",
            "-E",
            "UTF8",
        ]
        who = {"user": self.owner, "group": self.owner}
        subprocess.run([*make, "--locale=C"], **who, cwd=folder, capture_output=True, timeout=120, check=True)  # type: ignore[call-overload]
        self.start()

    def start(self) -> None:
        run: Arguments = [
            self.programs / "postgres",
            "-D",
            self.data,
            "-k",
            self.folder,
            "-c",
            "listen_addresses=",
        ]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            [*run, "-c", "fsync=off"], user=self.owner, group=self.owner, cwd=self.folder, stdout=quiet, stderr=quiet
        )
        self._wait_until_ready()

    def stop(self, sign: signal.Signals = signal.SIGINT) -> None:
        """Go down; by SIGQUIT at once, as if it had crashed."""
        self.process.send_signal(sign)
        self.process.wait(30)

    def _wait_until_ready(self) -> None:
        ready: Arguments = [self.programs / "pg_isready", "-q", "-h", self.folder, "-d", "postgres"]
        end = time.monotonic() + 60
        while subprocess.run(ready, check=False).returncode:
            assert time.monotonic() < end, "PostgreSQL does not start"
            time.sleep(0.1)


@contextmanager
def private_postgres() -> Iterator[Private]:
    """Start a server, and end it by its process id whatever happens."""
    programs = found_or_installed(_find, "postgresql")
    folder = Path(tempfile.mkdtemp(prefix="jamboree-pg-"))
    server = Private(programs, folder)
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _find() -> Path | None:
    installed = sorted(Path(FOLDERS).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if installed:
        return installed[-1].parent
    initdb = shutil.which("initdb")
    return Path(initdb).resolve().parent if initdb else None
