"""`jamboree doctor` finds problems and says how to repair them; a sound machine passes."""

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.cli.error_handling import EXIT_ERROR
from jamboree.cli.hosting.checks import CHECKS
from jamboree.cli.hosting.checks import machine as machine_checks
from jamboree.cli.hosting.checks.proxy import SPOOFED_ADDRESS, judge_request
from jamboree.cli.hosting.configuration import configuration
from jamboree.server.edge.addresses import Proxies
from jamboree.server.store.sqlite import SqliteConnection
from jamboree.server.store.store import open_store

SEEN = {
    "address": "203.0.113.5",
    "scheme": "https",
    "host": "play.example",
    "proxied": True,
    "forwarded": ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"],
}


TRUSTED = Proxies(["127.0.0.1"])


class Usage(NamedTuple):
    free: float


def results(db: Path | str, **more: Any) -> list[tuple[str, str]]:
    settings = configuration({"db": str(db), "port": "0", **more}, {})
    return [(each.level, f"{each.message} {each.advice}") for check in CHECKS for each in check(settings)]


def errors(db: Path | str, **more: Any) -> str:
    return " ".join(text for level, text in results(db, **more) if level == "wrong")


def a_database(path: Path) -> Path:
    open_store(str(path)).close()
    return path


def execute(path: Path, statement: str, *values: object) -> None:
    connection = SqliteConnection(path)
    connection.change(statement, *values)
    connection.close()


def test_a_sound_database_passes(tmp_path: Path) -> None:
    database = a_database(tmp_path / "tables.db")
    assert errors(database) == ""
    assert list(tmp_path.iterdir()) == [database], "nothing is left beside it"
    result = CliRunner().invoke(app, ["doctor", "--db", str(database), "--port", "0"])
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, "A server can run with these settings.")
    assert [check.__name__ for check in CHECKS if f" {check.__name__} " not in result.output] == ["proxy"]


def newer(path: Path) -> None:
    execute(path, "INSERT INTO migrations (number) VALUES (999)")


def from_the_future(path: Path) -> None:
    execute(
        path,
        "INSERT INTO tables (id, epoch, seq, game, status, touched, card) VALUES ('x', 1, 1, 'x', 'x', ?, '')",
        int(time.time()) + 9999,
    )


def damaged(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[4096 + 3 : 4096 + 40] = b"\xff" * 37
    path.write_bytes(whole)


def without_its_last_record(path: Path) -> None:
    execute(path, "INSERT INTO table_ids (table_id) VALUES ('abcdef')")
    execute(
        path,
        "INSERT INTO tables (id, epoch, seq, game, status, touched, card) VALUES ('abcdef', 1, 1, 'x', 'x', 1, '')",
    )


def of_another_program(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7 and so on")


@pytest.mark.parametrize(
    ("spoil", "printed"),
    [
        (newer, "It was written by a newer version of Jamboree: its schema version is 999"),
        (from_the_future, "which is in the future. Set the clock"),
        (damaged, "jamboree restore COPY"),
        (without_its_last_record, "Table abcdef is incomplete: record 1 is missing. Restore a copy"),
        (of_another_program, "is not a database, so nothing was"),
    ],
)
def test_a_faulty_database_is_reported(tmp_path: Path, spoil: Callable[[Path], None], printed: str) -> None:
    database = a_database(tmp_path / "tables.db")
    spoil(database)
    before = database.read_bytes()
    assert printed in errors(database)
    assert database.read_bytes() == before, "a doctor changes nothing"
    assert CliRunner().invoke(app, ["doctor", "--db", str(database), "--port", "0"]).exit_code == 1


def test_a_running_server_is_noticed(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    try:
        assert any("a server uses it" in text for _, text in results(tmp_path / "tables.db"))
    finally:
        store.close()


def test_postgresql_is_checked_and_its_password_is_hidden(postgres: str) -> None:
    open_store(postgres).close()
    printed = results(postgres)
    assert any("answers: PostgreSQL" in text for _, text in printed)
    assert "fsync is off in PostgreSQL" in errors(postgres), "the tests' own does without"
    assert any("No records are missing" in text for _, text in printed)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("INSERT INTO table_ids (table_id) VALUES ('abcdef')")
        try:
            assert "Table abcdef is incomplete: all of it is missing." in errors(postgres)
        finally:
            connection.execute("DELETE FROM table_ids WHERE table_id = 'abcdef'")
    nobody = "postgresql://jam:hunter2@127.0.0.1:9/jam"
    settings = configuration({}, {"JAMBOREE_DB": nobody, "JAMBOREE_PORT": "0"})
    texts = " ".join(f"{each.level} {each.message}" for check in CHECKS for each in check(settings))
    assert "wrong The database says" in texts and "hunter2" not in texts


def test_a_full_disk_a_wrong_clock_and_a_used_port_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert "Stop the program that uses the port" in errors(tmp_path / "x.db", port=str(other.getsockname()[1]))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(5e7))
    assert "Free some space" in errors(tmp_path / "x.db")
    monkeypatch.undo()
    monkeypatch.setattr(machine_checks, "EARLIEST_DATE", time.time() + 99)
    assert "before this program existed" in errors(tmp_path / "x.db")
    assert "There is no folder" in errors(tmp_path / "nowhere" / "x.db")


@pytest.mark.parametrize(
    ("change", "printed"),
    [
        ({"proxied": False, "forwarded": [], "address": "127.0.0.1"}, "does not forward the client's address"),
        ({"address": SPOOFED_ADDRESS}, "passes on the X-Forwarded-For of clients"),
        ({"scheme": "http"}, "reports the scheme http, not https"),
        ({"proxied": False, "address": "10.0.0.2"}, "--trust-proxy 10.0.0.2"),
    ],
)
def test_a_wrong_proxy_configuration_is_reported(change: dict[str, Any], printed: str) -> None:
    url = "https://play.example"
    assert all(each.level == "good" for each in judge_request(url, SEEN, TRUSTED))
    judged = [
        f"{each.message} {each.advice}"
        for each in judge_request(url, {**SEEN, **change}, TRUSTED)
        if each.level == "wrong"
    ]
    assert any(printed in text for text in judged), judged


def test_a_proxy_network_that_is_too_wide_is_reported(tmp_path: Path) -> None:
    checked = results(tmp_path / "x.db", trust_proxy=["0.0.0.0/0", "::/0", "10.0.0.0/8", "127.0.0.1"])
    named = [what for level, what in checked if level == "warn" and "trusts every client" in what]
    assert [what.split()[1] for what in named] == ["0.0.0.0/0", "::/0"]


def test_the_default_port_makes_no_difference() -> None:
    assert all(
        each.level == "good"
        for each in judge_request("https://play.example", {**SEEN, "host": "play.example:443"}, TRUSTED)
    )


def test_a_proxy_without_tls_or_headers_is_recognized_by_its_host() -> None:
    quiet = {**SEEN, "proxied": False, "forwarded": [], "scheme": "http", "host": "127.0.0.1:8300"}
    (result,) = judge_request("http://play.example", quiet, Proxies())
    assert result.level == "wrong" and "X-Forwarded-For" in result.advice
    (result,) = judge_request("http://play.example", {**quiet, "host": "play.example"}, Proxies())
    assert (result.level, result.message) == ("good", "There is no proxy in front of the server.")


def test_an_unreachable_public_address_is_reported(tmp_path: Path) -> None:
    assert "can't be reached" in errors(tmp_path / "x.db", public_url="http://127.0.0.1:9")


ONE_LOOP = """
from jamboree.bots.search import compilation
from jamboree.cli import main
from jamboree.cli.hosting import doctor

compilation.search_loops = lambda key: ["rank"]
doctor.twin_keys = lambda: ["bebop"]
main()
"""


def compile_bots(cache: Path) -> "subprocess.CompletedProcess[str]":
    """Run `jamboree doctor --compile`, with one loop of one game instead of all."""
    command = [sys.executable, "-c", ONE_LOOP, "doctor", "--compile", "--cache", str(cache)]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)


def test_the_strong_bots_are_compiled_once(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    first = compile_bots(tmp_path)
    assert first.returncode == 0, first.stderr
    assert re.fullmatch(
        r"Bebop: compiling …\nBebop: compiled in \d+ s\.\nThe strong bots are ready\.\n", first.stdout
    ), first.stdout
    assert [path.name for path in tmp_path.rglob("*.code")] == ["rank.code"]
    again = compile_bots(tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == "Bebop: already compiled.\nThe strong bots are ready.\n"


def test_uncached_compiled_code_is_not_reported_as_ready(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    (tmp_path / "file").touch()
    done = compile_bots(tmp_path / "file" / "cache")
    assert done.returncode == EXIT_ERROR
    assert done.stdout == "Bebop: compiling …\n"
    *_, sentence = done.stderr.splitlines()
    assert sentence == f"Bebop was compiled, but the code could not be stored in {tmp_path / 'file' / 'cache'}."
