"""`jamboree serve`, `backup` and `restore` as programs."""

import asyncio
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from websockets.asyncio.client import connect

from jamboree.bots import levels
from jamboree.bots.search import compilation
from jamboree.cli import app
from jamboree.cli.hosting.configuration import configuration
from jamboree.cli.hosting.serve import _announce
from jamboree.games import find
from jamboree.server import serve
from jamboree.server.serve import free_port, public_address

from .bench.fake_time import until
from .bench.online import HOST, Player, call


@contextmanager
def served(database: Path | str, *more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start the server as a person would, and end it by its process id whatever happens."""
    command = [sys.executable, "-m", "jamboree", "serve", "--db", str(database), *more]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert program.stdout
    try:
        found = re.search(r"http://127\.0\.0\.1:(\d+)", program.stdout.readline())
        assert found
        yield program, int(found[1])
    finally:
        program.kill()
        program.wait(30)
        program.stdout.close()


def opened(port: int) -> tuple[dict[str, Any], dict[str, Any]]:
    tables = "/api/v1/tables"
    ada = call(port, "POST", tables, {"game": "bebop", "seats": 2, "name": "Ada"}, {}).body
    bob = call(port, "POST", f"{tables}/{ada['table']}/join", {"name": "Bob"}, {}).body
    bearer = {"authorization": f"Bearer {ada['token']}"}
    assert call(port, "POST", f"{tables}/{ada['table']}/start", None, bearer).status == 204
    return ada, bob


async def test_a_restarted_server_has_every_acknowledged_move(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    with served(database, "--port", "0") as (program, port):
        tickets = await asyncio.to_thread(opened, port)
        acked = await play(port, tickets, 6)
        program.kill()
    with served(database, "--port", "0") as (program, port):
        async with connect(f"ws://{HOST}:{port}/api/v1/tables/{tickets[0]['table']}/socket", proxy=None) as one:
            player = Player(one)
            welcome = await player.hello(tickets[0]["token"])
            assert welcome["seq"] == acked
            program.send_signal(signal.SIGINT)
            assert (await player.until("bye"))["type"] == "bye"
        assert await asyncio.to_thread(program.wait, 10) == 0, "it stops cleanly with an open socket"


async def play(port: int, tickets: tuple[dict[str, Any], ...], count: int) -> int:
    """Play some actions of Bebop, and return the sequence number of the last one acknowledged."""
    where = f"ws://{HOST}:{port}/api/v1/tables/{tickets[0]['table']}/socket"
    async with connect(where, proxy=None) as one, connect(where, proxy=None) as two:
        players, seq = [Player(one), Player(two)], 0
        for player, ticket in zip(players, tickets, strict=True):
            await player.hello(ticket["token"])
        for number in range(count):
            acting = next(player for player in players if player.legal())
            seq = (await acting.act(acting.legal()[0], str(number)))["seq"]
            for player in players:
                while player.seq < seq:
                    await player.take()
        return seq


async def test_tables_are_stored_in_postgresql_too(postgres: str) -> None:
    with served(postgres, "--port", "0") as (program, port):
        tickets = await asyncio.to_thread(opened, port)
        acked = await play(port, tickets, 4)
        program.kill()
    with served(postgres, "--port", "0") as (_, port):
        async with connect(f"ws://{HOST}:{port}/api/v1/tables/{tickets[0]['table']}/socket", proxy=None) as one:
            assert (await Player(one).hello(tickets[0]["token"]))["seq"] == acked
    refused = CliRunner().invoke(app, ["backup", "copy.db", "--db", postgres])
    assert (refused.exit_code, "pg_dump" in refused.output) == (2, True)


def test_a_running_server_is_backed_up_and_restored(tmp_path: Path) -> None:
    database, copy = tmp_path / "tables.db", tmp_path / "copy.db"
    run = CliRunner().invoke
    with served(database, "--port", "0") as (_, port):
        ada, _ = opened(port)
        assert run(app, ["backup", str(copy), "--db", str(database)]).exit_code == 0
        assert [path for path in tmp_path.iterdir() if path.stem != "tables"] == [copy], "it is one file"
        later, _ = opened(port)
        refused = run(app, ["restore", str(copy), "--db", str(database), "--force"])
        assert (refused.exit_code, "stop it first" in refused.output) == (2, True)
    assert run(app, ["backup", str(copy), "--db", str(database)]).exit_code == 2, "it does not overwrite"
    assert run(app, ["restore", str(copy), "--db", str(database)]).exit_code == 2, "nor without --force"
    assert run(app, ["restore", str(copy), "--db", str(database), "--force"]).exit_code == 0
    assert set(tmp_path.iterdir()) == {copy, database}
    with served(database, "--port", "0") as (_, port):
        assert call(port, "GET", f"/api/v1/tables/{ada['table']}", None, {}).status == 200
        assert call(port, "GET", f"/api/v1/tables/{later['table']}", None, {}).status == 404


def test_a_chosen_port_in_use_is_an_error_and_the_default_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other:
        other.bind((HOST, 0))
        other.listen()
        used = other.getsockname()[1]
        answer = CliRunner().invoke(app, ["serve", "--db", str(tmp_path / "tables.db"), "--port", str(used)])
        assert answer.exit_code == 2
        assert f"The server can't listen on {HOST}, port {used}: address already in use." in answer.output
        assert list(tmp_path.iterdir()) == []
        monkeypatch.setattr(serve, "DEFAULT_PORT", used)
        assert free_port(HOST, None) != used


def test_the_announced_address_is_reachable_from_the_network() -> None:
    assert public_address("127.0.0.1", 80) == "http://127.0.0.1:80"
    assert public_address("::1", 80) == "http://[::1]:80"
    assert "0.0.0.0" not in public_address("0.0.0.0", 80)


def test_the_start_message_names_the_address_and_how_to_stop(capsys: pytest.CaptureFixture[str]) -> None:
    usual = configuration({}, {})
    _announce(usual, "http://127.0.0.1:8300")
    alone = capsys.readouterr().out
    assert "http://127.0.0.1:8300\n" in alone and "Ctrl+C" in alone and "--host 0.0.0.0" in alone
    _announce(usual, "http://192.168.1.20:8300")
    assert "--host" not in capsys.readouterr().out


def test_a_public_address_prints_no_warning_about_reachability(capsys: pytest.CaptureFixture[str]) -> None:
    """A proxy on this machine admits everyone."""
    _announce(configuration({"public_url": "http://localhost:8080"}, {}), "http://localhost:8080")
    assert "Only this machine" not in capsys.readouterr().out


PROOF = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch(); time.sleep(600)"


async def test_a_running_server_compiles_the_strong_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proof, started = tmp_path / "proof", list[asyncio.subprocess.Process]()
    start = asyncio.create_subprocess_exec

    async def noted(*command: str, **more: Any) -> asyncio.subprocess.Process:
        started.append(await start(*command, **more))
        return started[-1]

    monkeypatch.setattr("asyncio.create_subprocess_exec", noted)
    monkeypatch.setattr(serve, "COMPILE_COMMAND", (sys.executable, "-c", PROOF, str(proof)))
    monkeypatch.setattr(serve, "COMPILE_AFTER", 0.01)
    async with serve.compiling_ahead(True):
        await until(proof.exists)
    assert [each.returncode for each in started] == [-signal.SIGTERM], "it goes down with the server"


async def test_a_failed_compilation_disables_a_games_strong_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "_disabled", set())
    monkeypatch.setattr(serve, "COMPILE_COMMAND", (sys.executable, "-c", "raise SystemExit(1)"))
    monkeypatch.setattr(serve, "COMPILE_AFTER", 0.01)
    assert "star" in levels(find("bebop"))
    async with serve.compiling_ahead(True):
        await until(lambda: levels(find("bebop")) == ("rookie", "regular"))


async def test_numba_installed_during_operation_is_detected(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    installed, proof = list[bool](), tmp_path / "proof"
    monkeypatch.setattr(serve, "has_numba", lambda: bool(installed))
    monkeypatch.setattr(serve, "COMPILE_COMMAND", (sys.executable, "-c", PROOF, str(proof)))
    monkeypatch.setattr(serve, "COMPILE_AFTER", 0.01)
    monkeypatch.setattr(serve, "RETRY_EVERY", 0.01)
    with caplog.at_level("INFO"):
        async with serve.compiling_ahead(True):
            await asyncio.sleep(0.1)
            assert not proof.exists()
            installed.append(True)
            await until(proof.exists)
    assert "numba is installed now" in caplog.text


async def test_a_server_that_stops_soon_compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("asyncio.create_subprocess_exec", None)  # whoever calls it fails
    async with serve.compiling_ahead(True):
        await asyncio.sleep(0.1)
