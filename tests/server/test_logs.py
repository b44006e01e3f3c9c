"""The server's log, and access to its metrics."""

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

import jamboree
from jamboree.cli import app
from jamboree.server import serve
from jamboree.server.logs import JsonFormatter, LineFormatter
from jamboree.server.store.store import Store

from .bench.online import METRICS_TOKEN, call, online
from .test_serve import served

LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00 (INFO|WARNING|ERROR|CRITICAL) [\w.]+: .+")


def a_line(message: str, error: BaseException | None = None) -> str:
    info = (type(error), error, error.__traceback__) if error else None
    return LineFormatter().format(logging.LogRecord("jamboree.x", logging.ERROR, "x.py", 1, message, None, info))


def test_a_log_line_has_time_level_and_source() -> None:
    assert LINE.fullmatch(a_line("all is well"))
    assert LINE.fullmatch(a_line("all is well\n2026-01-01 ERROR forged: nothing is"))


def test_tracebacks_are_logged_without_values() -> None:
    try:
        raise KeyError("the secret card is a four")
    except KeyError as error:
        line = a_line("a table stopped", error)
    assert "KeyError in test_tracebacks_are_logged_without_values" in line
    assert "four" not in line
    assert LINE.fullmatch(line)


def test_disconnecting_peers_are_not_logged() -> None:
    printed = (
        "for text in ('socket.send() raised exception.', 'something else'): logging.getLogger('asyncio').warning(text)"
    )
    program = f"import logging; from jamboree.server.logs import configure_logging; configure_logging()\n{printed}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert "something else" in done.stderr
    assert "raised exception" not in done.stderr


def test_everything_on_stderr_has_the_log_format(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    command = [sys.executable, "-m", "jamboree", "serve", "--port", "0", "--db", str(database)]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stdout
    assert "http://" in program.stdout.readline()
    database.unlink()
    time.sleep(1.5)
    program.send_signal(signal.SIGINT)
    _, printed = program.communicate(timeout=30)
    assert "the store has stopped writing until the server is restarted" in printed
    assert [line for line in printed.splitlines() if not LINE.fullmatch(line)] == []


def told_of(tmp_path: Path, *flags: str, stop: signal.Signals = signal.SIGTERM) -> list[str]:
    """Start and stop a server; return its log messages without times."""
    command = [sys.executable, "-m", "jamboree", "serve", "--port", "0", "--db", str(tmp_path / "tables.db"), *flags]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert program.stdout
    assert "http" in program.stdout.readline()
    program.send_signal(stop)
    _, printed = program.communicate(timeout=30)
    assert [line for line in printed.splitlines() if not LINE.fullmatch(line)] == []
    return [line.partition(" ")[2] for line in printed.splitlines()]


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_start_and_stop_are_logged(tmp_path: Path, stop: signal.Signals) -> None:
    first, *_, last_but_one, last = told_of(tmp_path, "--public-url", "https://play.example", stop=stop)
    began = rf"INFO jamboree\.server\.serve: Jamboree {re.escape(jamboree.__version__)} has started"
    where = r" and listens on 127\.0\.0\.1, port \d+, publicly at https://play\.example"
    assert re.fullmatch(began + where, first)
    assert last_but_one == f"INFO jamboree.server.serve: {stop.name}: the server is stopping"
    assert last == f"INFO jamboree.server.serve: Jamboree {jamboree.__version__} has stopped"


def test_a_failed_start_is_not_logged_as_a_start(tmp_path: Path) -> None:
    (tmp_path / "tables.db").write_text("nothing of ours")
    command = [sys.executable, "-m", "jamboree", "serve", "--port", "0", "--db", str(tmp_path / "tables.db")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "has started" not in done.stderr and "has stopped" not in done.stderr


def test_a_crash_is_logged_as_the_end_of_the_server(caplog: pytest.LogCaptureFixture) -> None:
    settings = serve.Settings(database="tables.db", node="one")
    with pytest.raises(KeyError), caplog.at_level("INFO"), serve.lifetime_logged(settings) as started:
        started(8300)
        raise KeyError("the secret card is a four")
    assert [record.levelname for record in caplog.records] == ["INFO", "CRITICAL"]
    assert "(one) has started" in caplog.text and "has stopped after a failure: KeyError" in caplog.text
    assert "four" not in caplog.messages[-1]


def test_an_overly_wide_proxy_network_is_warned_about(tmp_path: Path) -> None:
    printed = told_of(tmp_path, "--trust-proxy", "0.0.0.0/0", "--trust-proxy", "::/0", "--trust-proxy", "10.0.0.0/8")
    warned = [line for line in printed if line.startswith("WARNING")]
    assert [re.findall(r"--trust-proxy (\S+) trusts every client", line) for line in warned] == [
        ["0.0.0.0/0"],
        ["::/0"],
    ]


async def test_metrics_require_authentication(store: Store) -> None:
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


def test_json_log_lines_have_the_same_fields() -> None:
    try:
        raise KeyError("the secret card is a four")
    except KeyError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("jamboree.x", logging.ERROR, "x.py", 1, "a table\n%s", ("stopped",), info)
    line = JsonFormatter().format(record)
    entry = json.loads(line)
    assert "\n" not in line and "four" not in line
    assert (entry["level"], entry["logger"], entry["message"]) == ("error", "jamboree.x", "a table stopped")
    assert entry["where"].startswith("KeyError in test_json_log_lines_have_the_same_fields")
    assert datetime.fromisoformat(entry["time"]).tzinfo is UTC


def test_format_and_level_of_the_log_are_configurable() -> None:
    printed = "for level in ('info', 'warning'): getattr(logging.getLogger('x'), level)('it is %s', level)"
    setup = "import logging; from jamboree.server.logs import configure_logging; configure_logging('json', 'warning')"
    program = f"{setup}\n{printed}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert [json.loads(line)["message"] for line in done.stderr.splitlines()] == ["it is warning"]
