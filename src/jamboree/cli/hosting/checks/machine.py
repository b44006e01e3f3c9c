"""The machine: versions, disk, clock and ports."""

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

from ..asking import ask, nearby
from ..finding import Finding, good, warn, wrong
from ..found import Configuration

PARTS = ("apsw", "litestar", "msgspec", "psycopg", "uvicorn", "websockets")
GIGABYTE = 10**9
LITTLE, MUCH_TOO_LITTLE = 1.0, 0.1  # gigabytes
SLOW_SYNC = 0.05  # seconds
SYNCS = 5
RELEASED = datetime(2026, 1, 1, tzinfo=UTC).timestamp()  # no clock is right that is before this
FEW_CONNECTIONS = 1000


def versions(found: Configuration) -> Iterator[Finding]:
    yield good(f"Jamboree {jamboree.__version__} on Python {platform.python_version()}, {platform.system()}")
    yield good(", ".join(f"{part} {_version(part)}" for part in PARTS))
    if not (FOLDER / "index.html").is_file():
        yield warn("The web client has not been built.", "Run `make site`, or install a released package.")
    if found["telemetry"] == "on" and find_spec("opentelemetry") is None:
        yield wrong("Spans are wanted, but OpenTelemetry is not installed.", how_to_install("telemetry"))


def bots(found: Configuration) -> Iterator[Finding]:
    if not has_numba():
        yield warn("numba is not installed, so the strong bots are not offered.", how_to_install("fast"))
    elif all(map(is_compiled, twin_keys())):
        yield good("The strong bots are compiled.")
    else:
        yield warn(
            "The strong bots are not compiled. The server does it while people play, which takes minutes.",
            "jamboree doctor --compile",
        )


def _version(part: str) -> str:
    try:
        return version(part)
    except PackageNotFoundError:
        return "(missing)"


def disk(found: Configuration) -> Iterator[Finding]:
    if "://" in found["db"]:
        return
    folder = Path(found["db"]).resolve().parent
    if not folder.is_dir():
        yield wrong(f"There is no folder {folder}.", "Make it, or name another file with --db.")
        return
    free = shutil.disk_usage(folder).free / GIGABYTE
    said = f"{free:.1f} GB are free in {folder}."
    if free < LITTLE:
        kind = wrong if free < MUCH_TOO_LITTLE else warn
        yield kind(said, "Make room: a full disk stops every table until the server is started again.")
    else:
        yield good(said)
    yield from _syncing(folder)


def _syncing(folder: Path) -> Iterator[Finding]:
    """Measure what it costs to have something on the disk: every move waits for that."""
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            before = time.perf_counter()
            for _ in range(SYNCS):
                file.write(b"x" * 4096)
                file.flush()
                os.fsync(file.fileno())
            seconds = (time.perf_counter() - before) / SYNCS
    except OSError as error:
        yield wrong(f"Nothing can be written in {folder}: {error.strerror}.", "Give the server's user the folder.")
        return
    said = f"To write something safely takes {1000 * seconds:.1f} ms."
    yield good(said) if seconds < SLOW_SYNC else warn(said, "Every move waits that long; a faster disk helps.")


def clock(found: Configuration) -> Iterator[Finding]:
    now = time.time()
    said = f"The clock says {datetime.fromtimestamp(now, UTC).isoformat(' ', 'seconds')} (UTC)."
    if now < RELEASED:
        yield wrong(
            said,
            "That is before this program was made. Set it, or let NTP do so: names and talk are erased by date.",
        )
    else:
        yield good(said)


def ports(found: Configuration) -> Iterator[Finding]:
    host, port = found["host"], found["port"]
    wanted = DEFAULT_PORT if port is None else port
    try:
        free_port(host, wanted)
        yield good(f"Port {wanted} at {host} is free.")
    except JamboreeError as error:
        yield _in_use(host, wanted, str(error))
    most = max_connections()
    if most < FEW_CONNECTIONS:
        yield warn(
            f"There can be {most} connections at once.", "Raise the limit of open files: ulimit -n, or LimitNOFILE."
        )
    else:
        yield good(f"There can be {most} connections at once.")


def _in_use(host: str, port: int, why: str) -> Finding:
    """Tell a Jamboree that runs already from any other program."""
    try:
        answer = ask(nearby(host, port), "/ready").body
    except (JamboreeError, socket.gaierror):
        answer = None
    if not isinstance(answer, dict) or "ready" not in answer:
        return wrong(why, "Stop what uses the port, or choose another with --port.")
    if not answer["ready"]:
        return wrong(f"A server runs at port {port}, and says: {answer['sentence']}", "Look at its log.")
    if (version := answer.get("version")) != jamboree.__version__:
        return warn(
            f"The server at port {port} runs {version or 'another version'}, not {jamboree.__version__}.",
            "Restart it, and it runs what is installed.",
        )
    return good(f"A server runs at port {port}, and all is well with it.")
