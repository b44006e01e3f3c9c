"""`jamboree doctor` finds what is not well, and says what to do; all is well on a sound machine."""

import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.cli.hosting.checks import CHECKS
from jamboree.cli.hosting.checks import machine as machine_checks
from jamboree.cli.hosting.checks.proxy import CLAIMED, told
from jamboree.cli.hosting.found import configuration
from jamboree.server.edge.addresses import Proxies
from jamboree.server.store import open_store
from jamboree.server.store.sqlite import SqliteConnection

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


def findings(db: Path | str, **more: Any) -> list[tuple[str, str]]:
    found = configuration({"db": str(db), "port": "0", **more}, {})
    return [(each.level, f"{each.what} {each.advice}") for check in CHECKS for each in check(found)]


def wrongs(db: Path | str, **more: Any) -> str:
    return " ".join(text for level, text in findings(db, **more) if level == "wrong")


def a_database(path: Path) -> Path:
    open_store(str(path)).close()
    return path


def changed(path: Path, statement: str, *values: object) -> None:
    connection = SqliteConnection(path)
    connection.change(statement, *values)
    connection.close()


def test_all_is_well_with_a_sound_database(tmp_path: Path) -> None:
    database = a_database(tmp_path / "tables.db")
    assert wrongs(database) == ""
    assert list(tmp_path.iterdir()) == [database], "nothing is left beside it"
    said = CliRunner().invoke(app, ["doctor", "--db", str(database), "--port", "0"])
    assert (said.exit_code, said.output.splitlines()[-1]) == (0, "A server can run like this.")
    assert [check.__name__ for check in CHECKS if f" {check.__name__} " not in said.output] == ["proxy"]


def newer(path: Path) -> None:
    changed(path, "INSERT INTO migrations (number) VALUES (999)")


def from_the_future(path: Path) -> None:
    changed(
        path,
        "INSERT INTO tables (id, epoch, seq, game, status, touched, card) VALUES ('x', 1, 1, 'x', 'x', ?, '')",
        int(time.time()) + 9999,
    )


def damaged(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[4096 + 3 : 4096 + 40] = b"\xff" * 37
    path.write_bytes(whole)


def without_its_last_record(path: Path) -> None:
    changed(path, "INSERT INTO table_ids (table_id) VALUES ('abcdef')")
    changed(
        path,
        "INSERT INTO tables (id, epoch, seq, game, status, touched, card) VALUES ('abcdef', 1, 1, 'x', 'x', 1, '')",
    )


def of_another_program(path: Path) -> None:
    path.write_bytes(b"%PDF-1.7 and so on")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (newer, "A newer Jamboree made it: its version is 999"),
        (from_the_future, "which is yet to come. Set the clock"),
        (damaged, "jamboree restore COPY"),
        (without_its_last_record, "Table abcdef is incomplete: record 1 is missing. Restore a copy"),
        (of_another_program, "is not a database, so nothing was written to it"),
    ],
)
def test_a_database_that_is_not_well_is_named(tmp_path: Path, spoil: Callable[[Path], None], said: str) -> None:
    database = a_database(tmp_path / "tables.db")
    spoil(database)
    before = database.read_bytes()
    assert said in wrongs(database)
    assert database.read_bytes() == before, "a doctor changes nothing"
    assert CliRunner().invoke(app, ["doctor", "--db", str(database), "--port", "0"]).exit_code == 1


def test_a_server_that_has_the_database_is_noticed(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "tables.db"))
    try:
        assert any("a server uses it" in text for _, text in findings(tmp_path / "tables.db"))
    finally:
        store.close()


def test_postgresql_is_looked_at_and_its_password_is_not_shown(postgres: str) -> None:
    open_store(postgres).close()
    said = findings(postgres)
    assert any("answers: PostgreSQL" in text for _, text in said)
    assert "fsync is off there" in wrongs(postgres), "the tests' own does without"
    assert any("No records are missing" in text for _, text in said)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("INSERT INTO table_ids (table_id) VALUES ('abcdef')")
        try:
            assert "Table abcdef is incomplete: all of it is missing." in wrongs(postgres)
        finally:
            connection.execute("DELETE FROM table_ids WHERE table_id = 'abcdef'")
    nobody = "postgresql://jam:hunter2@127.0.0.1:9/jam"
    found = configuration({}, {"JAMBOREE_DB": nobody, "JAMBOREE_PORT": "0"})
    texts = " ".join(f"{each.level} {each.what}" for check in CHECKS for each in check(found))
    assert "wrong The database says" in texts and "hunter2" not in texts


def test_a_full_disk_a_wrong_clock_and_a_used_port_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        assert "Stop what uses the port" in wrongs(tmp_path / "x.db", port=str(other.getsockname()[1]))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(5e7))
    assert "Make room" in wrongs(tmp_path / "x.db")
    monkeypatch.undo()
    monkeypatch.setattr(machine_checks, "RELEASED", time.time() + 99)
    assert "before this program was made" in wrongs(tmp_path / "x.db")
    assert "There is no folder" in wrongs(tmp_path / "nowhere" / "x.db")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"proxied": False, "forwarded": [], "address": "127.0.0.1"}, "does not say who is asking"),
        ({"address": CLAIMED}, "passes on what clients claim of themselves"),
        ({"scheme": "http"}, "people come by http, not https"),
        ({"proxied": False, "address": "10.0.0.2"}, "--trust-proxy 10.0.0.2"),
    ],
)
def test_a_proxy_that_forwards_wrongly_is_named(change: dict[str, Any], said: str) -> None:
    url = "https://play.example"
    assert all(each.level == "good" for each in told(url, SEEN, TRUSTED))
    judged = [f"{each.what} {each.advice}" for each in told(url, {**SEEN, **change}, TRUSTED) if each.level == "wrong"]
    assert any(said in text for text in judged), judged


def test_a_proxy_that_could_be_anybody_is_named(tmp_path: Path) -> None:
    found = findings(tmp_path / "x.db", trust_proxy=["0.0.0.0/0", "::/0", "10.0.0.0/8", "127.0.0.1"])
    named = [what for level, what in found if level == "warn" and "trusts every client" in what]
    assert [what.split()[1] for what in named] == ["0.0.0.0/0", "::/0"]


def test_the_default_port_makes_no_difference() -> None:
    assert all(
        each.level == "good" for each in told("https://play.example", {**SEEN, "host": "play.example:443"}, TRUSTED)
    )


def test_a_proxy_without_tls_that_says_nothing_at_all_is_known_by_the_name_it_uses() -> None:
    quiet = {**SEEN, "proxied": False, "forwarded": [], "scheme": "http", "host": "127.0.0.1:8300"}
    (finding,) = told("http://play.example", quiet, Proxies())
    assert finding.level == "wrong" and "X-Forwarded-For" in finding.advice
    (finding,) = told("http://play.example", {**quiet, "host": "play.example"}, Proxies())
    assert (finding.level, finding.what) == ("good", "Nothing stands in front of the server.")


def test_a_public_address_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    assert "can't be reached" in wrongs(tmp_path / "x.db", public_url="http://127.0.0.1:9")
