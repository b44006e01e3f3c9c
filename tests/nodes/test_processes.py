"""`jamboree serve --processes`, and duplicate names."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from websockets.asyncio.client import connect

from jamboree.server.serve import free_port
from tests.server.bench.online import HOST, Player, call
from tests.server.bench.postgres import Private

TABLES = "/api/v1/tables"
PATIENCE = 120.0
COMMAND = (sys.executable, "-m", "jamboree", "serve")


@contextmanager
def started(*flags: str) -> Iterator["subprocess.Popen[str]"]:
    program = subprocess.Popen([*COMMAND, *flags], stdout=subprocess.PIPE, text=True)
    assert program.stdout
    try:
        yield program
    finally:
        if program.poll() is None:
            program.terminate()
        program.wait(PATIENCE)
        program.stdout.close()


def rows(address: str, question: bytes) -> list[Any]:
    with psycopg.connect(address, autocommit=True) as connection:
        return connection.execute(question).fetchall()


def until_there_are(address: str, many: int, besides: frozenset[str] = frozenset()) -> set[str]:
    """Wait for a number of other servers with leases, and return their run ids."""
    end = time.monotonic() + PATIENCE
    while True:
        found = {run for (run,) in rows(address, b"SELECT run FROM nodes")} - besides
        if len(found) == many:
            return found
        assert time.monotonic() < end, found
        time.sleep(0.1)


def children(program: "subprocess.Popen[str]") -> list[int]:
    """List the serving processes; multiprocessing has one more for clean-up."""
    listed = Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
    return [int(each) for each in listed if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


async def played(port: int) -> str:
    """Open a table and let two people join over several connections, whichever process answers."""
    ask = asyncio.to_thread
    host = (await ask(call, port, "POST", TABLES, {"game": "bebop", "seats": 2, "name": "Ada"}, {})).body
    code = host["table"]
    guest = (await ask(call, port, "POST", f"{TABLES}/{code}/join", {"name": "Bob"}, {})).body
    shown = {"authorization": f"Bearer {host['token']}"}
    assert (await ask(call, port, "POST", f"{TABLES}/{code}/start", None, shown)).status == 204
    for number in range(3):
        for ticket in (host, guest):
            async with connect(f"ws://{HOST}:{port}{TABLES}/{code}/socket", max_size=None, proxy=None) as socket:
                player = Player(socket)
                await player.hello(ticket["token"])
                if player.legal():
                    assert (await player.act(player.legal()[0], f"{number}"))["type"] == "ack"
    return str(code)


def test_processes_share_a_port_and_are_restarted(private: Private) -> None:
    port = free_port(HOST, 0)
    flags = ("--db", private.address, "--port", str(port), "--processes", "2", "--node-lease", "4")
    with started(*flags) as program:
        first = until_there_are(private.address, 2)
        assert program.stdout and f":{port}" in program.stdout.readline()
        asyncio.run(asyncio.wait_for(played(port), PATIENCE))
        os.kill(children(program)[0], signal.SIGKILL)
        assert until_there_are(private.address, 1, frozenset(first))
        asyncio.run(asyncio.wait_for(played(port), PATIENCE))
        program.terminate()
        assert program.wait(PATIENCE) == 0
    assert rows(private.address, b"SELECT name FROM nodes") == []


@pytest.mark.parametrize("flags", [("--processes", "2"), ("--node", "a")])
def test_several_servers_need_postgresql(tmp_path: Path, flags: tuple[str, ...]) -> None:
    command = [*COMMAND, "--db", str(tmp_path / "tables.db"), *flags]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and "PostgreSQL" in done.stdout + done.stderr


def test_two_servers_with_one_name_are_refused(private: Private) -> None:
    flags = ("--db", private.address, "--port", "0", "--node", "twin", "--node-lease", "4")
    with started(*flags) as program:
        assert program.stdout and "Tables are open" in program.stdout.readline()
        done = subprocess.run([*COMMAND, *flags], capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert done.returncode == 2 and 'Another server is named "twin"' in done.stdout + done.stderr
        assert program.poll() is None


def until_started_again(program: "subprocess.Popen[str]", known: set[int], times: int) -> None:
    """Wait until unknown processes were started a number of times."""
    end, new = time.monotonic() + PATIENCE, set[int]()
    while len(new) < times:
        assert time.monotonic() < end and program.poll() is None, new
        new.update({*children(program)} - known)
        time.sleep(0.1)


def test_no_process_survives_its_parent(private: Private) -> None:
    port = free_port(HOST, 0)
    with started("--db", private.address, "--port", str(port), "--processes", "2", "--node-lease", "4") as program:
        until_there_are(private.address, 2)
        program.kill()
        until_there_are(private.address, 0)
    assert free_port(HOST, port) == port


def test_one_dying_process_does_not_affect_others_during_a_database_outage(private: Private) -> None:
    with started("--db", private.address, "--port", "0", "--processes", "2", "--node-lease", "4") as program:
        first = until_there_are(private.address, 2)
        one, other = children(program)
        private.stop()
        os.kill(one, signal.SIGKILL)
        until_started_again(program, {one, other}, 2)  # the first time in vain
        assert program.poll() is None and other in children(program)
        private.start()
        assert len(until_there_are(private.address, 2)) == len(first)
        assert other in children(program)
