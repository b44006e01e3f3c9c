"""The same games on a local Ray cluster."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path

import pytest

from jamboree.core.errors import JamboreeError
from jamboree.games import find
from jamboree.lab.ladder import run, schedule
from jamboree.lab.workers import workers


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:here"])
def test_an_unreachable_cluster_is_reported(address: str) -> None:
    with pytest.raises(JamboreeError, match=f"No Ray cluster answers at {address}"), workers(cluster=address):
        pass


@pytest.fixture(scope="module", autouse=True)
def token() -> Iterator[None]:
    """Let the cluster and its guests know each other."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RAY_AUTH_MODE", "token")
        patched.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
        yield


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Begin a cluster of one machine, on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("ray") / "told"
    command = f"start --head --block --node-ip-address=127.0.0.1 --port={port} --num-cpus=2 --include-dashboard=false"
    with log.open("w") as output:
        head = subprocess.Popen([Path(sys.executable).with_name("ray"), *command.split()], stdout=output, stderr=output)
        try:
            while "Ray runtime started" not in log.read_text():
                assert head.poll() is None, log.read_text()
                time.sleep(0.1)
            yield f"127.0.0.1:{port}"
        finally:
            head.terminate()
            head.wait(30)


@pytest.fixture(scope="module")
def cluster(address: str) -> Iterator[Executor]:
    with workers(cluster=address) as pool:
        assert pool
        yield pool


def test_a_cluster_produces_the_same_rows(cluster: Executor, tmp_path: Path) -> None:
    options, wanted = find("bpm").info.options(), list(schedule.ladder_games(find("bpm"), ["rookie", "regular"], 2, 4))
    progress: list[int] = []
    here = run.play_ladder("bpm", options, wanted, tmp_path / "here.jsonl", None, progress.append)
    there = run.play_ladder("bpm", options, wanted, tmp_path / "there.jsonl", cluster, progress.append)
    assert here == there
    assert sorted((tmp_path / "here.jsonl").read_text().splitlines()) == sorted(
        (tmp_path / "there.jsonl").read_text().splitlines()
    )
    assert sum(progress) == 2 * len(wanted)


def killed_once(marker: Path, number: int) -> int:
    """Square a number, in a worker that is killed the first time."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_a_killed_worker_loses_no_rows(cluster: Executor, tmp_path: Path) -> None:
    markers = [tmp_path / f"{number}" for number in range(2)]
    assert list(cluster.map(killed_once, markers, [3, 5])) == [9, 25]
    assert all(marker.exists() for marker in markers)
