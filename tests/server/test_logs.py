"""What the server writes to its log, and who is told its figures."""

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.logs import JsonFormatter, LineFormatter
from jamboree.server.store import Store

from .bench.online import METRICS_TOKEN, call, online
from .test_serve import served

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 (INFO|WARNING|ERROR|CRITICAL) [\w.]+: .+")


def a_line(message: str, error: BaseException | None = None) -> str:
    info = (type(error), error, error.__traceback__) if error else None
    return LineFormatter().format(logging.LogRecord("jamboree.x", logging.ERROR, "x.py", 1, message, None, info))


def test_a_message_is_one_line_with_time_level_and_place() -> None:
    assert LINE.fullmatch(a_line("all is well"))
    assert LINE.fullmatch(a_line("all is well\n2026-01-01 ERROR forged: nothing is"))


def test_an_exception_is_told_without_its_values() -> None:
    try:
        raise KeyError("the secret card is a four")
    except KeyError as error:
        line = a_line("a table stopped", error)
    assert "KeyError in test_an_exception_is_told" in line
    assert "four" not in line
    assert LINE.fullmatch(line)


def test_peers_that_go_do_not_fill_the_log() -> None:
    said = (
        "for text in ('socket.send() raised exception.', 'something else'): logging.getLogger('asyncio').warning(text)"
    )
    program = f"import logging; from jamboree.server.logs import write_log; write_log()\n{said}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert "something else" in done.stderr
    assert "raised exception" not in done.stderr


def test_all_that_a_server_says_on_stderr_has_this_form(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    command = [sys.executable, "-m", "jamboree", "serve", "--port", "0", "--db", str(database)]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stdout
    assert "http://" in program.stdout.readline()
    database.unlink()
    time.sleep(1.5)
    program.send_signal(signal.SIGINT)
    _, said = program.communicate(timeout=30)
    assert "the store writes no more until the server is started again" in said
    assert [line for line in said.splitlines() if not LINE.fullmatch(line)] == []


async def test_strangers_are_told_no_figures(store: Store) -> None:
    async with online(store) as server:
        for headers in ({}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {METRICS_TOKEN}"}):
            answer = await server.get("/metrics", **headers)
            assert (answer.status, answer.body["code"]) == (404, "not-found")
        assert "jamboree_tables" in await server.metrics()
        server.app.state.metrics_token = ""
        assert (await server.get("/metrics", authorization="Bearer ")).status == 404


def test_the_token_comes_from_a_file_or_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = "a-token-for-the-figures"
    (tmp_path / "token").write_text(f"{token}\n")
    (tmp_path / "token").chmod(0o600)
    shown = {"authorization": f"Bearer {token}"}
    with served(tmp_path / "one.db", "--port", "0", "--metrics-token-file", str(tmp_path / "token")) as (_, port):
        assert call(port, "GET", "/metrics", None, shown).status == 200
    monkeypatch.setenv("JAMBOREE_METRICS_TOKEN", token)
    with served(tmp_path / "two.db", "--port", "0") as (_, port):
        assert call(port, "GET", "/metrics", None, shown).status == 200
    monkeypatch.setenv("JAMBOREE_METRICS_TOKEN", "short")
    answer = CliRunner().invoke(app, ["serve", "--db", str(tmp_path / "three.db")])
    assert (answer.exit_code, "at least 16 characters" in answer.output) == (2, True)
    assert "JAMBOREE_METRICS_TOKEN" not in os.environ, "the bots' processes need not know it"
    assert not (tmp_path / "three.db").exists()


def test_a_log_of_objects_has_the_same_in_fields() -> None:
    try:
        raise KeyError("the secret card is a four")
    except KeyError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("jamboree.x", logging.ERROR, "x.py", 1, "a table\n%s", ("stopped",), info)
    line = JsonFormatter().format(record)
    told = json.loads(line)
    assert "\n" not in line and "four" not in line
    assert (told["level"], told["logger"], told["message"]) == ("error", "jamboree.x", "a table stopped")
    assert told["where"].startswith("KeyError in test_a_log_of_objects")
    assert datetime.fromisoformat(told["time"]).tzinfo is UTC


def test_the_form_and_the_level_of_the_log_are_set() -> None:
    said = "for level in ('info', 'warning'): getattr(logging.getLogger('x'), level)('it is %s', level)"
    program = f"import logging; from jamboree.server.logs import write_log; write_log('json', 'warning')\n{said}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert [json.loads(line)["message"] for line in done.stderr.splitlines()] == ["it is warning"]
