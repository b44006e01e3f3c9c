"""A private PostgreSQL for tests, in a folder of its own, reached by a Unix socket and stopped by its process id."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.debian import found_or_installed

OWNER = "postgres"
Arguments = list[Path | str]
NEW = ["-A", "trust", "-U", "jamboree", "--no-sync", "-E", "UTF8", "--locale=C"]
FOLLOWING = ["-U", "jamboree", "-R", "-X", "stream", "-c", "fast", "--no-sync"]
FOLDERS = "/usr/lib/postgresql"


class Private:
    """A server with a folder of its own, which can go down and come back."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder, self.data = programs, folder, folder / "data"
        self.address = f"postgresql:///postgres?host={folder}&user=jamboree"
        self.owner = OWNER if os.geteuid() == 0 else None
        if self.owner:
            shutil.chown(folder, self.owner, self.owner)
        who = {"user": self.owner, "group": self.owner}
        subprocess.run(self._make(), **who, cwd=folder, capture_output=True, timeout=120, check=True)  # type: ignore[call-overload]
        self.start()

    def _make(self) -> Arguments:
        return [self.programs / "initdb", "-D", self.data, *NEW]

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

    def restart(self) -> None:
        """Go down at once, as if it had crashed, and come back."""
        self.stop(signal.SIGQUIT)
        self.start()

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


class Standby(Private):
    """A server that follows another, until it is promoted."""

    def __init__(self, first: Private, folder: Path) -> None:
        self.first = first
        super().__init__(first.programs, folder)

    def _make(self) -> Arguments:
        return [self.programs / "pg_basebackup", "-D", self.data, "-h", self.first.folder, *FOLLOWING]

    def promote(self) -> None:
        run: Arguments = [self.programs / "pg_ctl", "promote", "-D", self.data]
        subprocess.run(run, user=self.owner, cwd=self.folder, capture_output=True, timeout=60, check=True)


@contextmanager
def followed(first: Private) -> Iterator[Standby]:
    """Have a server followed by another, and commit nothing that is not at both."""
    folder = Path(tempfile.mkdtemp(prefix="jamboree-pg-"))
    standby = Standby(first, folder)
    try:
        with psycopg.connect(first.address, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            connection.execute("SELECT pg_reload_conf()")
        yield standby
    finally:
        standby.stop()
        shutil.rmtree(folder)


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
