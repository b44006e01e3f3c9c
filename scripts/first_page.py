"""Measure the first minute of a player: `python scripts/first_page.py main HEAD --times 3`.

For each commit, in turn: a fresh clone, an empty HOME, empty caches, `make run`. It measures the seconds until the
first page with its scripts and styles has been read, and the megabytes on the disk once nothing more is installed.
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
LONGEST = 900.0  # seconds until the first page
SETTLED = 8.0  # seconds without a change of size, after which everything is installed
EVERY = 0.02
LINKED = re.compile(r'(?:src|href)="\./([^"]+\.(?:js|css))"')


class Measured(NamedTuple):
    seconds: float
    cpu: float  # seconds of all processes together, which a busy machine changes less
    megabytes: Mapping[str, int]


def measure(commit: str, log: Path) -> Measured:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        clone, home, caches = place / "clone", place / "home", place / "caches"
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
            began = time.perf_counter()
            make = subprocess.Popen(
                command, cwd=clone, env=environment, stdout=output, stderr=output, start_new_session=True
            )
            try:
                wait_for_page(f"http://127.0.0.1:{port}", make)
                seconds, cpu = time.perf_counter() - began, cpu_seconds(make.pid)
                wait_until_settled(clone)
                return Measured(seconds, cpu, sizes(clone, place))
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(make.pid, signal.SIGINT)
                make.wait()


def wait_for_page(address: str, make: "subprocess.Popen[bytes]") -> None:
    ends = time.monotonic() + LONGEST
    while time.monotonic() < ends:
        if make.poll() is not None:
            sys.exit("`make run` ended before there was a page.")
        try:
            page = read(f"{address}/").decode()
        except (urllib.error.URLError, ConnectionError):
            time.sleep(EVERY)
            continue
        linked = LINKED.findall(page)
        if not any(name.endswith(".js") for name in linked):
            sys.exit("The first page has no script.")
        for name in linked:
            read(f"{address}/{name}")
        return
    sys.exit(f"There was no page after {LONGEST:.0f} seconds.")


def read(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=10) as answer:
        content: bytes = answer.read()
        return content


def cpu_seconds(root: int) -> float:
    """Give the time that a process and its descendants have spent on processors, those that have ended included."""
    spent, children = dict[int, int](), dict[int, list[int]]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(") ")[2].split()
            process, parent = int(stat.parent.name), int(fields[1])
            spent[process] = sum(map(int, fields[11:15]))  # utime, stime, cutime, cstime
            children.setdefault(parent, []).append(process)
    ticks, open_ = 0, [root]
    while open_:
        process = open_.pop()
        ticks += spent.get(process, 0)
        open_ += children.get(process, [])
    return ticks / os.sysconf("SC_CLK_TCK")


def wait_until_settled(clone: Path) -> None:
    size, since = used(clone), time.monotonic()
    while time.monotonic() - since < SETTLED:
        time.sleep(1)
        if (now := used(clone)) != size:
            size, since = now, time.monotonic()


def sizes(clone: Path, place: Path) -> dict[str, int]:
    named = {".venv": clone / ".venv", "node_modules": clone / "node_modules", "everything": place}
    return {name: used(path) for name, path in named.items()}


def used(path: Path) -> int:
    """Give the megabytes that a folder takes up; a file with several links counts once."""
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
    words = argparse.ArgumentParser(description="Measure how long a player waits for the first page.")
    words.add_argument("commits", nargs="+", metavar="COMMIT", help="the first one is compared with the others")
    words.add_argument("--times", type=int, default=3, help="rounds; in each, every commit has its turn")
    words.add_argument("--log", type=Path, default=Path(os.devnull), help="a file for what `make run` prints")
    told = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    if not shutil.which("make"):
        sys.exit("make is not installed.")
    commits = {name: git("-C", str(ROOT), "rev-parse", f"{name}^{{commit}}") for name in told.commits}
    found: dict[str, list[Measured]] = {name: [] for name in commits}
    for number in range(told.times):
        for name, commit in commits.items():
            found[name].append(measure(commit, told.log))
            last = found[name][-1]
            print(f"round {number + 1}: {name:12} {last.seconds:6.1f} s, {last.cpu:5.1f} s of CPU", flush=True)
    medians = {name: statistics.median(each.seconds for each in rounds) for name, rounds in found.items()}
    work = {name: statistics.median(each.cpu for each in rounds) for name, rounds in found.items()}
    first = told.commits[0]
    heads = f"{'first page':>17} {'CPU':>17} {'.venv':>9} {'node_modules':>13} {'with caches and git':>20}"
    print(f"\n{'medians':22} {heads}")
    for name, commit in commits.items():
        space = found[name][-1].megabytes
        columns = (f"{space['.venv']} MB", f"{space['node_modules']} MB", f"{space['everything']} MB")
        print(
            f"{name[:12]:12} {commit[:9]} {medians[name]:8.1f} s {medians[first] / medians[name]:5.2f}x"
            f" {work[name]:8.1f} s {work[first] / work[name]:5.2f}x"
            f" {columns[0]:>9} {columns[1]:>13} {columns[2]:>20}"
        )


if __name__ == "__main__":
    main()
