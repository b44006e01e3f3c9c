"""A damaged, removed, replaced or foreign database: reported at once, and nothing acknowledged is lost."""

import random
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.errors import Refused
from jamboree.server.live.commands.joining import Join
from jamboree.server.store import StoreError, Unavailable, background_check
from jamboree.server.store.backup import back_up, restore
from jamboree.server.store.sqlite import SqliteConnection
from jamboree.server.store.store import open_store

from ..bench.fake_time import until
from ..bench.local import a_registry, gathered
from ..bench.online import online
from .test_store import appended

PAGE = 4096
TABLES = 40


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


async def filled(path: Path) -> list[str]:
    store = open_store(str(path))
    async with a_registry(store) as registry:
        codes = [(await gathered(registry))[0] for _ in range(TABLES)]
    store.close()
    return codes


def scribble(path: Path, page: int, rng: random.Random) -> None:
    """Write nonsense over a page, in the file as it is."""
    with path.open("r+b") as file:
        file.seek(page * PAGE)
        file.write(rng.randbytes(PAGE))


@pytest.mark.parametrize("seed", range(12))
async def test_a_damaged_database_is_reported_and_intact_tables_work(
    database: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    codes, rng = await filled(database), random.Random(seed)
    pages = database.stat().st_size // PAGE
    assert pages > 8
    scribble(database, rng.randrange(pages), rng)
    try:
        store = open_store(str(database))
    except StoreError as error:
        assert "jamboree restore" in str(error)
        return
    async with online(store) as server:
        ready = await server.get("/ready")
        assert (ready.status, str(database) in str(ready.body)) == (503, False)
        assert f"jamboree restore COPY --db {database} --force" in caplog.text
        for code in codes:
            answer = await server.post(f"/api/v1/tables/{code}/join", {"name": "Eve", "watch": True})
            assert answer.status in (201, 404, 503), answer
    store.close()


async def test_one_damaged_table_does_not_block_writes_to_others(database: Path) -> None:
    """Garbage in one leaf of the records: some tables are lost, the others play on."""
    codes, stored = await filled(database), list[bool]()
    connection = SqliteConnection(database)
    [(page,)] = connection.rows("SELECT min(pageno) FROM dbstat WHERE name = 'records' AND pagetype = 'leaf'")
    connection.close()
    scribble(database, int(page) - 1, random.Random(1))
    store = open_store(str(database))
    async with a_registry(store) as registry:
        for code in codes:
            try:
                await (await registry.table(code)).ask(Join("Eve", watch=True))
                stored.append(True)
            except Refused as refusal:
                assert refusal.code in ("not-saved", "table-stopped")
                stored.append(False)
    assert store.health.damage
    assert not store.health.stopped
    assert set(stored) == {True, False}
    store.close()


async def test_damage_is_detected_while_the_server_runs(
    database: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await filled(database)
    monkeypatch.setattr(background_check, "EVERY", 0.05)
    store = open_store(str(database))
    assert store.trouble is None
    scribble(database, database.stat().st_size // PAGE - 1, random.Random(2))
    await until(lambda: store.trouble is not None)
    assert "jamboree restore" in str(store.trouble)
    assert caplog.text.count("jamboree restore") == 1, "it is said once"
    store.close()


def test_the_check_at_startup_is_limited_in_time(database: Path) -> None:
    connection = SqliteConnection(database)
    connection.script(
        "CREATE TABLE t (x); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)"
        " INSERT INTO t SELECT randomblob(50) FROM n; CREATE INDEX i ON t (x)"
    )
    assert connection.faults(0.0, lambda: False) is None
    assert connection.faults(None, lambda: True) is None
    assert connection.faults(None, lambda: False) == []
    connection.close()


async def test_a_backup_replaces_a_damaged_database(database: Path, tmp_path: Path) -> None:
    await filled(database)
    back_up(database, tmp_path / "copy.db")
    for page in range(database.stat().st_size // PAGE):
        scribble(database, page, random.Random(page))
    restore(tmp_path / "copy.db", database, force=True)
    store = open_store(str(database))
    assert store.trouble is None
    store.close()


def replaced(path: Path) -> None:
    shutil.copyfile(path, f"{path}.other")
    Path(f"{path}.other").replace(path)


AWAY: dict[str, Callable[[Path], object]] = {
    "deleted": lambda path: path.unlink(),
    "replaced": replaced,
    "moved away": lambda path: path.rename(f"{path}.moved"),
    "without its log": lambda path: Path(f"{path}-wal").unlink(),
    "without its index": lambda path: Path(f"{path}-shm").unlink(),
    "without its lock": lambda path: Path(f"{path}-lock").unlink(),  # another server could open it
}


@pytest.mark.parametrize("what", AWAY)
async def test_nothing_is_acknowledged_after_the_database_file_was_removed(database: Path, what: str) -> None:
    store = open_store(str(database))
    await store.append(appended(count=3))
    AWAY[what](database)
    for _ in range(2):
        with pytest.raises(Unavailable):
            await store.append(appended(after=3))
    assert "removed or replaced" in str(store.trouble)
    store.close()


async def test_a_symlinked_database_is_watched_and_locked(database: Path) -> None:
    link = database.with_name("link.db")
    link.symlink_to(database)
    store = open_store(str(link))
    with pytest.raises(StoreError, match="Another server"):
        open_store(str(database))
    await store.append(appended())
    Path(f"{database}-wal").unlink()
    with pytest.raises(Unavailable):
        await store.append(appended(after=1))
    store.close()


async def test_removal_of_an_idle_database_is_detected(database: Path) -> None:
    store = open_store(str(database))
    await store.append(appended())
    database.unlink()
    await until(lambda: store.trouble is not None)
    store.close()


async def test_removal_during_a_commit_prevents_its_acknowledgement(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(str(database))
    await store.append(appended())
    transaction = SqliteConnection.transaction

    def interrupted(self: SqliteConnection) -> object:
        database.unlink(missing_ok=True)
        return transaction(self)

    monkeypatch.setattr(SqliteConnection, "transaction", interrupted)
    with pytest.raises(Unavailable):
        await store.append(appended(after=1))
    monkeypatch.undo()
    store.close()


def foreign(path: Path, mode: str = "DELETE") -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.executescript("CREATE TABLE migrations (id); CREATE TABLE accounts (name)")
    connection.close()


def branded(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript("PRAGMA application_id = 77; CREATE TABLE tables (id)")
    connection.close()


FOREIGN: dict[str, Callable[[Path], object]] = {
    "another program's": foreign,
    "another program's with a log": lambda path: foreign(path, "WAL"),
    "branded": branded,
    "a text": lambda path: path.write_text("Dear diary,\n"),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_a_foreign_database_is_not_written_to(database: Path, what: str) -> None:
    FOREIGN[what](database)
    before = database.read_bytes()
    for command in (["serve"], ["backup", str(database.with_name("copy.db"))]):
        answer = CliRunner().invoke(app, [*command, "--db", str(database)])
        assert answer.exit_code == 2
        assert "nothing was written to it" in " ".join(answer.output.split())
    assert (database.read_bytes(), list(database.parent.iterdir())) == (before, [database])


async def test_an_earlier_database_is_recognized_by_its_tables(database: Path) -> None:
    await filled(database)
    connection = SqliteConnection(database)
    connection.script("PRAGMA application_id = 0")
    connection.close()
    open_store(str(database)).close()


def test_two_servers_do_not_share_a_database(database: Path) -> None:
    first = open_store(str(database))
    before = set(database.parent.iterdir())
    answer = CliRunner().invoke(app, ["serve", "--db", str(database)])
    assert (answer.exit_code, "Another server uses" in answer.output) == (2, True)
    assert set(database.parent.iterdir()) == before
    first.close()
    assert list(database.parent.iterdir()) == [database]
    open_store(str(database)).close()


def test_two_servers_do_not_share_a_postgresql_database(postgres: str) -> None:
    first = open_store(postgres)
    with pytest.raises(StoreError, match="Another server uses this database"):
        open_store(postgres)
    first.close()
    open_store(postgres).close()


def others_may(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) & 0o077


def test_the_database_file_is_private(database: Path) -> None:
    for _ in range(2):
        store = open_store(str(database))
        assert {path.suffix for path in database.parent.iterdir()} == {".db", ".db-wal", ".db-shm", ".db-lock"}
        assert [path for path in database.parent.iterdir() if others_may(path)] == []
        store.close()
        database.chmod(0o644)


def test_an_invalid_path_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    nowhere = (tmp_path / "no" / "tables.db", tmp_path / "file" / "tables.db", tmp_path, Path("/proc/tables.db"))
    for where in nowhere:
        answer = CliRunner().invoke(app, ["serve", "--db", str(where)])
        assert (answer.exit_code, "can't be used:" in " ".join(answer.output.split())) == (2, True), answer.output
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


FULL = """
import resource, signal, sys
from jamboree.cli import app
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop()), resource.RLIM_INFINITY))
app(["serve", "--port", "0", "--db", sys.argv.pop()])
"""


@pytest.mark.parametrize("room", [0, 5_000, 20_000])
def test_a_full_disk_at_startup_leaves_no_partial_file(database: Path, room: int) -> None:
    command = [sys.executable, "-c", FULL, str(database), str(room)]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert answer.returncode == 2, answer
    assert "Traceback" not in answer.stderr
    assert answer.stderr.strip().endswith(".")
    assert list(database.parent.iterdir()) == []
