"""Checks the machine: versions, compiled bots, disk, clock and ports."""

import os
import platform
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import jamboree
from jamboree.bots.search import is_compiled
from jamboree.core.errors import JamboreeError
from jamboree.core.extras import how_to_install
from jamboree.fast import has_numba, twin_keys
from jamboree.server.edge.open_file_limit import max_connections
from jamboree.server.http.static_site import FOLDER
from jamboree.server.serve import DEFAULT_PORT, free_port

from ..configuration import Configuration
from ..http_client import local_url, request
from .result import CheckResult, good, warn, wrong

DEPENDENCIES = ("apsw", "litestar", "msgspec", "psycopg", "uvicorn", "websockets")
GIGABYTE = 10**9
LOW_SPACE, CRITICAL_SPACE = 1.0, 0.1  # gigabytes
SLOW_SYNC = 0.05  # seconds
SYNC_SAMPLES = 5
EARLIEST_DATE = datetime(2026, 1, 1, tzinfo=UTC).timestamp()  # a clock before this program existed is wrong
FEW_CONNECTIONS = 1000


def versions(settings: Configuration) -> Iterator[CheckResult]:
    yield good(f"Jamboree {jamboree.__version__} on Python {platform.python_version()}, {platform.system()}")
    yield good(", ".join(f"{name} {_version(name)}" for name in DEPENDENCIES))
    if not (FOLDER / "index.html").is_file():
        yield warn("The web client has not been built.", "Run `make site`, or install a released package.")
    if settings["telemetry"] == "on" and find_spec("opentelemetry") is None:
        yield wrong("telemetry is on, but OpenTelemetry is not installed.", how_to_install("telemetry"))


def bots(settings: Configuration) -> Iterator[CheckResult]:
    if not has_numba():
        yield warn("numba is not installed, so the strong bots are not available.", how_to_install("fast"))
    elif all(map(is_compiled, twin_keys())):
        yield good("The strong bots are compiled.")
    else:
        yield warn(
            "The strong bots are not compiled. The server will compile them while people play, which takes minutes.",
            "Run `jamboree doctor --compile`.",
        )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(missing)"


def disk(settings: Configuration) -> Iterator[CheckResult]:
    if "://" in settings["db"]:
        return
    folder = Path(settings["db"]).resolve().parent
    if not folder.is_dir():
        yield wrong(f"There is no folder {folder}.", "Create it, or name another file with --db.")
        return
    free = shutil.disk_usage(folder).free / GIGABYTE
    message = f"{free:.1f} GB are free in {folder}."
    if free < LOW_SPACE:
        level = wrong if free < CRITICAL_SPACE else warn
        yield level(message, "Free some space: a full disk stops every table until the server is restarted.")
    else:
        yield good(message)
    yield from _sync_time(folder)


def _sync_time(folder: Path) -> Iterator[CheckResult]:
    """Measure the time of an fsync, for which every move waits."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            before = time.perf_counter()
            for _ in range(SYNC_SAMPLES):
                file.write(b"x" * 4096)
                file.flush()
                os.fsync(file.fileno())
            seconds = (time.perf_counter() - before) / SYNC_SAMPLES
    except OSError as error:
        yield wrong(
            f"Nothing can be written in {folder}: {error.strerror}.", "Make the folder writable for the server's user."
        )
        return
    message = f"Writing to this disk with fsync takes {1000 * seconds:.1f} ms."
    yield good(message) if seconds < SLOW_SYNC else warn(message, "Every move waits that long; use a faster disk.")


def clock(settings: Configuration) -> Iterator[CheckResult]:
    now = time.time()
    message = f"The clock shows {datetime.fromtimestamp(now, UTC).isoformat(' ', 'seconds')} (UTC)."
    if now < EARLIEST_DATE:
        yield wrong(
            message,
            "That is before this program existed. Synchronize it with NTP: names and chat are erased by date.",
        )
    else:
        yield good(message)


def ports(settings: Configuration) -> Iterator[CheckResult]:
    host, port = settings["host"], settings["port"]
    port = DEFAULT_PORT if port is None else port
    try:
        free_port(host, port)
        yield good(f"Port {port} at {host} is free.")
    except JamboreeError as error:
        yield _port_in_use(host, port, str(error))
    limit = max_connections()
    if limit < FEW_CONNECTIONS:
        yield warn(
            f"At most {limit} connections are possible.", "Raise the limit of open files: ulimit -n, or LimitNOFILE."
        )
    else:
        yield good(f"Up to {limit} connections are possible.")


def _port_in_use(host: str, port: int, reason: str) -> CheckResult:
    """Distinguish a running Jamboree server from another program."""
    try:
        status = request(local_url(host, port), "/ready").body
    except (JamboreeError, socket.gaierror):
        status = None
    if not isinstance(status, dict) or "ready" not in status:
        return wrong(reason, "Stop the program that uses the port, or choose another port with --port.")
    if not status["ready"]:
        return wrong(f"The server at port {port} is not ready: {status['sentence']}", "See its log.")
    if (version := status.get("version")) != jamboree.__version__:
        return warn(
            f"The server at port {port} runs {version or 'another version'}, not {jamboree.__version__}.",
            "Restart it to run the installed version.",
        )
    return good(f"A server is running at port {port} and is ready.")
