"""Measure the time to the first page after a fresh clone: `python scripts/first_page.py main HEAD --times 3`.

For each commit in turn, with an empty HOME and empty caches, it clones the repository and runs `make run`. It measures
the seconds until the first page with its scripts and styles has been read, and the disk space once nothing more is
installed.
"""

import argparse
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 900.0  # seconds until the first page
SETTLED = 8.0  # seconds without a change of size, after which everything is installed
POLL_INTERVAL = 0.02  # seconds
ASSET = re.compile(r'(?:src|href)="\./([^"]+\.(?:js|css))"')


class Measurement(NamedTuple):
    seconds: float
    cpu: float  # seconds of all processes, which depend less on the load of the machine
    megabytes: Mapping[str, int]


def measure(commit: str, log: Path) -> Measurement:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        clone, home, caches = root / "clone", root / "home", root / "caches"
        git("clone", "--quiet", "--no-checkout", ROOT.as_uri(), str(clone))
        git("-C", str(clone), "checkout", "--quiet", "--detach", commit)
        home.mkdir()
        port = free_port()
        environment = os.environ | {
            "HOME": str(home),
            "UV_CACHE_DIR": str(caches / "uv"),
            "PIP_CACHE_DIR": str(caches / "pip"),
            "npm_config_cache": str(caches / "npm"),
            "XDG_CACHE_HOME": str(caches),
            "XDG_DATA_HOME": str(home / "data"),
        }
        environment.pop("JAMBOREE_CACHE", None)
        command = ["make", "run", f"RUN_FLAGS=--port {port}"]
        with log.open("a") as output:
            started = time.perf_counter()
            make = subprocess.Popen(
                command, cwd=clone, env=environment, stdout=output, stderr=output, start_new_session=True
            )
            try:
                wait_for_page(f"http://127.0.0.1:{port}", make)
                seconds, cpu = time.perf_counter() - started, cpu_seconds(make.pid)
                wait_until_settled(clone)
                return Measurement(seconds, cpu, sizes(clone, root))
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(make.pid, signal.SIGINT)
                make.wait()


def wait_for_page(address: str, make: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        if make.poll() is not None:
            sys.exit("`make run` ended before it served a page.")
        try:
            page = read(f"{address}/").decode()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(POLL_INTERVAL)
            continue
        assets = ASSET.findall(page)
        if not any(name.endswith(".js") for name in assets):
            sys.exit("The first page has no script.")
        for name in assets:
            read(f"{address}/{name}")
        return
    sys.exit(f"There is no page after {TIMEOUT:.0f} seconds.")


def read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as answer:
        content: bytes = answer.read()
        return content


def cpu_seconds(root: int) -> float:
    """Return the CPU time of a process and its descendants, including those that have ended."""
    cpu, children = dict[int, int](), dict[int, list[int]]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(") ")[2].split()
            process, parent = int(stat.parent.name), int(fields[1])
            cpu[process] = sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
            children.setdefault(parent, []).append(process)
    ticks, pending = 0, [root]
    while pending:
        process = pending.pop()
        ticks += cpu.get(process, 0)
        pending += children.get(process, [])
    return ticks / os.sysconf("SC_CLK_TCK")


def wait_until_settled(clone: Path) -> None:
    size, since = disk_usage(clone), time.monotonic()
    while time.monotonic() - since < SETTLED:
        time.sleep(1)
        if (now := disk_usage(clone)) != size:
            size, since = now, time.monotonic()


def sizes(clone: Path, root: Path) -> dict[str, int]:
    named = {".venv": clone / ".venv", "node_modules": clone / "node_modules", "everything": root}
    return {name: disk_usage(path) for name, path in named.items()}


def disk_usage(path: Path) -> int:
    """Return the size of a folder in megabytes; a file with several links counts once."""
    done = subprocess.run(["du", "-sm", str(path)], capture_output=True, text=True, check=False)
    return int(done.stdout.split()[0])


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the time to the first page after a fresh clone.")
    parser.add_argument("commits", nargs="+", metavar="COMMIT", help="the first one is the baseline")
    parser.add_argument("--times", type=int, default=3, help="rounds over all commits")
    parser.add_argument("--log", type=Path, default=Path(os.devnull), help="a file for the output of `make run`")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # runs the `finally` that ends `make run`
    if not shutil.which("make"):
        sys.exit("make is not installed.")
    commits = {name: git("-C", str(ROOT), "rev-parse", f"{name}^{{commit}}") for name in arguments.commits}
    measurements: dict[str, list[Measurement]] = {name: [] for name in commits}
    for number in range(arguments.times):
        for name, commit in commits.items():
            last = measure(commit, arguments.log)
            measurements[name].append(last)
            print(f"round {number + 1}: {name:12} {last.seconds:6.1f} s, {last.cpu:5.1f} s of CPU", flush=True)
    medians = {name: statistics.median(each.seconds for each in rounds) for name, rounds in measurements.items()}
    cpu = {name: statistics.median(each.cpu for each in rounds) for name, rounds in measurements.items()}
    first = arguments.commits[0]
    header = f"{'first page':>17} {'CPU':>17} {'.venv':>9} {'node_modules':>13} {'with caches and git':>20}"
    print(f"\n{'medians':22} {header}")
    for name, commit in commits.items():
        space = measurements[name][-1].megabytes
        columns = (f"{space['.venv']} MB", f"{space['node_modules']} MB", f"{space['everything']} MB")
        print(
            f"{name[:12]:12} {commit[:9]} {medians[name]:8.1f} s {medians[first] / medians[name]:5.2f}x"
            f" {cpu[name]:8.1f} s {cpu[first] / cpu[name]:5.2f}x"
            f" {columns[0]:>9} {columns[1]:>13} {columns[2]:>20}"
        )


if __name__ == "__main__":
    main()
