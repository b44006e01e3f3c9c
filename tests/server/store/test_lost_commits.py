"""A write-ahead log that is lost after a kill: reported with instructions, without false alarms."""

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.store import StoreError, migrations, sqlite, writer
from jamboree.server.store.backup import back_up, restore
from jamboree.server.store.migrations import migrate
from jamboree.server.store.sqlite import SqliteConnection
from jamboree.server.store.sqlite_files import is_locked
from jamboree.server.store.store import Store, open_store

from ..bench.fake_time import until
from ..bench.online import ADMIN_TOKEN, call, online
from ..test_serve import opened, served
from .test_store import appended

RECORDS = 30


@pytest.fixture(autouse=True)
def never_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave all commits in the log, as in the moment after a move."""
    monkeypatch.setattr(writer, "IDLE", 60.0)


async def killed(folder: Path, *stored: str, records: int = RECORDS) -> Path:
    """Let a server commit, and return its files as a kill leaves them; `stored` are their suffixes."""
    live = folder / "live" / "tables.db"
    live.parent.mkdir(exist_ok=True)
    store = open_store(str(live))
    for number in range(records):
        await store.append(appended(after=number))
    path = folder / "killed" / "tables.db"
    path.parent.mkdir(exist_ok=True)
    for ending in ("", *stored):
        shutil.copyfile(f"{live}{ending}", f"{path}{ending}")
    store.close()
    return path


async def seq(store: Store) -> int:
    return (await store.load("t")).seq


def beside(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


async def test_after_a_kill_everything_is_present_and_the_kill_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = await killed(tmp_path, "-wal", "-lock")
    store = open_store(str(path))
    assert (await seq(store), store.trouble, store.health.was_clean) == (RECORDS, None, False)
    assert "was not stopped cleanly; all acknowledged commits are present" in caplog.text
    async with online(store) as server:
        ready = await server.get("/ready")
        assert (ready.status, ready.body["problems"]) == (
            200,
            ["The last stop was not clean; its commits are all here."],
        )
        figures = await server.metrics()
        assert "jamboree_last_stop_unclean 1" in figures and "jamboree_commits_lost 0" in figures
    store.close()
    caplog.clear()
    again = open_store(str(path))
    assert (again.health.was_clean, caplog.text) == (True, "")
    again.close()


async def test_a_server_without_its_write_ahead_log_refuses_to_start(tmp_path: Path) -> None:
    path = await killed(tmp_path, "-wal", "-lock")
    wal = Path(f"{path}-wal")
    wal.rename(tmp_path / "elsewhere")
    before = beside(path)
    for _ in range(2):
        with pytest.raises(StoreError, match=rf"The last {RECORDS} commits are missing") as refused:
            open_store(str(path))
        assert f"Put {wal} back" in str(refused.value)
        assert f"jamboree restore COPY --db {path} --force" in str(refused.value)
        assert f"jamboree accept-loss --db {path} --yes" in str(refused.value)
        assert beside(path) == before, "nothing was written"
    (tmp_path / "elsewhere").rename(wal)
    store = open_store(str(path))
    assert (await seq(store), store.trouble) == (RECORDS, None)
    store.close()


async def test_an_outdated_write_ahead_log_is_detected(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    for number in range(RECORDS):
        await store.append(appended(after=number))
        if number == 9:
            shutil.copyfile(f"{path}-wal", tmp_path / "copy.db-wal")
    for ending in ("", "-lock"):
        shutil.copyfile(f"{path}{ending}", f"{tmp_path / 'copy.db'}{ending}")
    store.close()
    with pytest.raises(StoreError, match=f"The last {RECORDS - 10} commits are missing"):
        open_store(str(tmp_path / "copy.db"))


async def test_an_empty_write_ahead_log_counts_as_missing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Programs that open a copy leave an empty file beside it."""
    path = await killed(tmp_path)
    Path(f"{path}-wal").touch()
    result = CliRunner().invoke(app, ["doctor", "--db", str(path), "--port", "0"])
    assert (result.exit_code, "Commits may be missing" in result.output) == (1, True)
    Path(f"{path}-wal").touch()
    store = open_store(str(path))
    assert "Commits may be missing" in caplog.text and store.trouble
    store.close()


async def test_a_write_ahead_log_without_a_number_to_compare_proves_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It may have been cut off, or be an earlier one."""
    path = await killed(tmp_path, "-wal")
    wal = Path(f"{path}-wal")
    wal.write_bytes(wal.read_bytes()[: wal.stat().st_size // 2])
    result = CliRunner().invoke(app, ["doctor", "--db", str(path), "--port", "0"])
    assert (result.exit_code, "Nothing shows whether its last commits are present" in result.output) == (0, True)
    store = open_store(str(path))
    assert (await seq(store) < RECORDS, store.trouble) == (True, None)
    assert "nothing shows whether its last commits are present" in caplog.text
    async with online(store) as server:
        [problem] = (await server.get("/ready")).body["problems"]
        assert problem == "The last stop was not clean; nothing shows whether its last commits are here."
    store.close()


async def test_an_accepted_loss_is_not_reported(tmp_path: Path) -> None:
    path = await killed(tmp_path, "-lock")
    arguments = ["accept-loss", "--db", str(path)]
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 0 and f"The last {RECORDS} commits are missing" in " ".join(shown.output.split())
    with pytest.raises(StoreError):
        open_store(str(path))
    assert CliRunner().invoke(app, [*arguments, "--yes"]).exit_code == 0
    assert [each.name for each in path.parent.iterdir()] == ["tables.db"]
    store = open_store(str(path))
    assert (store.trouble, store.health.was_clean) == (None, True)
    await store.append(appended())
    store.close()


async def test_a_copy_without_its_log_is_served_and_reported_until_accepted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing shows whether commits are missing, or how many."""
    path = await killed(tmp_path)
    for _ in range(2):
        caplog.clear()
        store = open_store(str(path))
        assert "Commits may be missing" in caplog.text and f"{path}-wal" in caplog.text
        async with online(store) as server:
            ready = await server.get("/ready")
            assert (ready.status, str(path) in str(ready.body)) == (503, False)
            assert ready.body["problems"] == ["What was saved last before the server was started may be missing."]
            assert "jamboree_commits_lost 1" in await server.metrics()
            assert "Commits may be missing" in (await server.admin("load")).body["trouble"]
            assert len(await server.seated()) == 2, "it can be played at meanwhile"
        store.close()
    result = CliRunner().invoke(app, ["doctor", "--db", str(path), "--port", "0"])
    assert (result.exit_code, "Commits may be missing" in result.output) == (1, True)
    assert CliRunner().invoke(app, ["accept-loss", "--db", str(path), "--yes"]).exit_code == 0
    store = open_store(str(path))
    assert store.trouble is None
    store.close()


def opened_by_another_program(path: Path) -> None:
    """The last to close a database merges its log and deletes it."""
    command = [
        sys.executable,
        "-c",
        "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM tables')",
    ]
    subprocess.run([*command, str(path)], check=True, timeout=30)


def restored(path: Path) -> None:
    copy = path.with_name("copy.db")
    back_up(path, copy)
    restore(copy, path, force=True)
    copy.unlink()


def restored_by_hand(path: Path) -> None:
    copy = path.with_name("copy.db")
    back_up(path, copy)
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    copy.replace(path)


def moved(path: Path) -> None:
    Path(f"{path}-lock").unlink()


def backed_up(path: Path) -> None:
    before = beside(path)
    back_up(path, path.with_name("copy.db"))
    path.with_name("copy.db").unlink()
    assert before.items() <= beside(path).items()


def examined(path: Path) -> None:
    for _ in range(2):
        result = CliRunner().invoke(app, ["doctor", "--db", str(path), "--port", "0"])
        assert (result.exit_code, "was not stopped cleanly" in " ".join(result.output.split())) == (0, True), (
            result.output
        )
    assert not is_locked(path)


def forgotten(path: Path) -> None:
    assert CliRunner().invoke(app, ["forget", "Ada", "--yes", "--db", str(path)]).exit_code == 0
    assert [each.name for each in path.parent.iterdir()] == ["tables.db"]


HARMLESS: dict[str, Callable[[Path], object]] = {
    "nothing": lambda path: None,
    "another program opened it": opened_by_another_program,
    "a copy was made": backed_up,
    "a copy was put back": restored,
    "a copy was put back by hand": restored_by_hand,
    "it was moved with its log": moved,
    "the doctor has checked it": examined,
    "a person was erased": forgotten,
}


@pytest.mark.parametrize("what", HARMLESS)
async def test_without_a_loss_nothing_is_reported(tmp_path: Path, what: str, caplog: pytest.LogCaptureFixture) -> None:
    path = await killed(tmp_path, "-wal", "-lock")
    HARMLESS[what](path)
    store = open_store(str(path))
    assert (await seq(store), store.trouble) == (RECORDS, None)
    assert "missing" not in caplog.text
    store.close()
    assert [each.name for each in path.parent.iterdir()] == ["tables.db"]


async def test_a_new_database_after_a_kill_is_complete(tmp_path: Path) -> None:
    path = await killed(tmp_path, "-wal", "-lock")
    for ending in ("", "-wal"):
        Path(f"{path}{ending}").unlink()
    store = open_store(str(path))
    assert (store.trouble, store.health.was_clean) == (None, True)
    store.close()


async def test_a_cleanly_closed_database_is_complete_when_copied(tmp_path: Path) -> None:
    await killed(tmp_path)
    shutil.copyfile(tmp_path / "live" / "tables.db", tmp_path / "copy.db")
    store = open_store(str(tmp_path / "copy.db"))
    assert (await seq(store), store.trouble, store.health.was_clean) == (RECORDS, None, True)
    store.close()


async def test_an_earlier_database_is_complete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, steps = tmp_path / "tables.db", migrations._steps()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_steps", lambda: steps[:8])
        database = SqliteConnection(path)
        migrate(database)
    shutil.copyfile(path, tmp_path / "alone.db")
    for suffix in ("", "-wal"):
        shutil.copyfile(f"{path}{suffix}", f"{tmp_path / 'both.db'}{suffix}")
    database.close()
    for name in ("tables.db", "both.db"):
        store = open_store(str(tmp_path / name))
        assert (store.trouble, store.health.was_clean) == (None, True)
        store.close()


async def test_restoring_a_copy_without_its_log_warns_of_missing_commits(tmp_path: Path) -> None:
    alone, target = await killed(tmp_path), tmp_path / "target.db"
    result = CliRunner().invoke(app, ["restore", str(alone), "--db", str(target)])
    assert (result.exit_code, "Commits may be missing in that copy" in " ".join(result.output.split())) == (0, True)
    store = open_store(str(target))
    assert "Commits may be missing" in str(store.trouble)
    store.close()
    copied = CliRunner().invoke(app, ["backup", str(tmp_path / "again.db"), "--db", str(alone)])
    assert "Commits may be missing in this copy" in " ".join(copied.output.split())


@pytest.mark.parametrize("busy", [False, True])
async def test_losing_the_log_loses_few_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, busy: bool) -> None:
    """A second after the last commit, and every few seconds while there are more, all is in the file itself."""
    monkeypatch.setattr(writer, "IDLE", 60.0 if busy else 0.05)
    monkeypatch.setattr(sqlite, "CHECKPOINT_EVERY", 0.0 if busy else 60.0)
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    await store.append(appended(count=RECORDS))

    def there() -> bool:
        shutil.copyfile(path, tmp_path / "copy.db")
        copy = sqlite3.connect(tmp_path / "copy.db")
        [(count,)] = copy.execute("SELECT COUNT(*) FROM records")
        copy.close()
        return bool(count == RECORDS)

    await until(there)
    assert Path(f"{path}-wal").stat().st_size, "it is copied, not waited for"
    store.close()


async def test_a_disk_failure_is_not_a_clean_shutdown(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    await store.append(appended())
    store.health.stop("The disk is full.")
    store.close()
    assert Path(f"{path}-lock").exists()
    again = open_store(str(path))
    assert (again.health.was_clean, again.trouble, await seq(again)) == (False, None, 1)
    again.close()


def test_a_killed_server_that_lost_its_log_reports_it(tmp_path: Path) -> None:
    """End to end: the whole program is killed, and its log deleted or left behind."""
    path, copy = tmp_path / "tables.db", tmp_path / "elsewhere" / "tables.db"
    with served(path, "--port", "0") as (program, port):
        ada, _ = opened(port)
        program.send_signal(signal.SIGKILL)
        program.wait(30)
    copy.parent.mkdir()
    shutil.copyfile(path, copy)
    Path(f"{path}-wal").unlink()
    refused = CliRunner().invoke(app, ["serve", "--db", str(path), "--port", "0"])
    assert refused.exit_code == 2
    assert "commits are missing" in " ".join(refused.output.split())
    with served(copy, "--port", "0") as (_, port):
        shown = {"authorization": f"Bearer {ADMIN_TOKEN}"}
        assert call(port, "GET", f"/api/v1/tables/{ada['table']}", None, {}).status == 404
        assert call(port, "GET", "/ready", None, shown).status == 503
