"""Missing and altered records: reported by the log, /ready and the metrics, on both databases, without false alarms."""

import asyncio
import random

import apsw
import psycopg
import pytest
from typer.testing import CliRunner

from jamboree.cli import app
from jamboree.server.store import Append, Conflict, Incomplete, Record, background_check, integrity, migrations
from jamboree.server.store.background_check import IntegrityChecker
from jamboree.server.store.contract import ErasePerson
from jamboree.server.store.integrity import incomplete_tables
from jamboree.server.store.migrations import migrate
from jamboree.server.store.store import connectors, open_store

from ..bench.fake_time import until
from ..bench.online import ADMIN_TOKEN, online
from .test_store import LISTING, appended, database

__all__ = ["database"]

RECORDS = 5
SPOIL = {
    "the last record": (["DELETE FROM records WHERE table_id = 't' AND seq = 5"], "record 5 is missing"),
    "the first record": (["DELETE FROM records WHERE table_id = 't' AND seq = 1"], "record 1 is missing"),
    "records in the middle": (
        ["DELETE FROM records WHERE table_id = 't' AND seq IN (2, 4)"],
        "records 2, 4 are missing",
    ),
    "all records": (["DELETE FROM records WHERE table_id = 't'"], "all of its records are missing"),
    "the row": (["DELETE FROM tables WHERE id = 't'"], "its row in the table `tables` is missing"),
    "everything": (
        ["DELETE FROM records WHERE table_id = 't'", "DELETE FROM tables WHERE id = 't'"],
        "all of it is missing",
    ),
    "the last count": (["UPDATE tables SET seq = 4 WHERE id = 't'"], "its row counts 4 records, and it had more"),
    "what a record says": (
        ["UPDATE records SET body = 'record 9' WHERE table_id = 't' AND seq = 3"],
        "its records do not match their digest",
    ),
    "the order": (
        [
            "UPDATE records SET body = CASE seq WHEN 2 THEN 'record 3' ELSE 'record 2' END"
            " WHERE table_id = 't' AND seq IN (2, 3)"
        ],
        "its records do not match their digest",
    ),
    "the last record and its count": (
        ["DELETE FROM records WHERE table_id = 't' AND seq = 5", "UPDATE tables SET seq = 4 WHERE id = 't'"],
        "its digest covers 5 records, and its row counts 4",
    ),
}


def run(database: str, *statements: str) -> None:
    """Change a database without regard to its references."""
    if "://" in database:
        with psycopg.connect(database, autocommit=True) as postgres:
            postgres.execute("SET session_replication_role = replica")  # no foreign keys
            for statement in statements:
                postgres.execute(statement.encode())
        return
    sqlite = apsw.Connection(database)  # two SQLites in one process would undo each other's locks
    for statement in statements:
        sqlite.execute(statement)
    sqlite.close()


async def filled(database: str) -> None:
    """Write three tables, one of them with a snapshot of its first records."""
    store = open_store(database)
    for table in ("s", "t", "u"):
        await store.append(appended(table, count=2, snapshot="two" if table == "u" else None))
        await store.append(appended(table, after=2, count=RECORDS - 2))
    store.close()


def checked(database: str) -> dict[str, str] | None:
    connection = connectors(database)[1]()
    try:
        return incomplete_tables(connection, True, lambda: False)
    finally:
        connection.close()


@pytest.mark.parametrize("what", SPOIL)
async def test_missing_and_altered_records_are_reported(database: str, what: str) -> None:
    statements, fault = SPOIL[what]
    await filled(database)
    assert checked(database) == {}
    run(database, *statements)
    assert checked(database) == {"t": fault}


@pytest.mark.parametrize("what", SPOIL)
async def test_a_read_of_a_damaged_table_fails_and_names_it(
    database: str, what: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IntegrityChecker, "_check", lambda *_: True)
    statements, fault = SPOIL[what]
    await filled(database)
    store = open_store(database)
    run(database, *statements)
    assert store.trouble is None
    for read in (store.history, store.load):
        with pytest.raises(Incomplete, match=f"Table t is incomplete: {fault}"):
            await read("t")
    assert store.trouble == f"Incomplete tables: t ({fault})."
    assert caplog.text.count(f"table t is incomplete: {fault}") == 1, "it is logged once"
    assert (await store.load("s")).seq == len(await store.history("u")) == RECORDS
    await store.append(appended("s", after=RECORDS))
    with pytest.raises(Conflict):
        await store.append(appended("t"))
    store.close()


async def test_records_before_a_snapshot_are_not_required(database: str) -> None:
    await filled(database)
    run(database, "DELETE FROM records WHERE table_id = 'u' AND seq = 2")
    store = open_store(database)
    assert (await store.load("u")).seq == RECORDS
    with pytest.raises(Incomplete, match="record 2 is missing"):
        await store.history("u")
    run(database, "DELETE FROM records WHERE table_id = 'u' AND seq = 5")
    with pytest.raises(Incomplete, match="record 5 is missing"):
        await store.load("u")
    store.close()


@pytest.mark.parametrize("when", ["at the start", "while the server runs"])
async def test_unread_damage_is_detected(
    database: str, when: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await filled(database)
    if when == "at the start":
        run(database, *SPOIL["the last record"][0])
    else:
        monkeypatch.setattr(background_check, "EVERY", 0.05)
    store = open_store(database)
    assert store.trouble is None or when == "at the start"
    if when != "at the start":
        run(database, *SPOIL["what a record says" if "://" not in database else "the last record"][0])
    await until(lambda: list(store.health.incomplete) == ["t"])
    assert "table t is incomplete" in caplog.text
    store.close()


async def test_a_repaired_table_is_not_reported(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_check, "EVERY", 0.05)
    await filled(database)
    run(database, *SPOIL["the last record"][0])
    store = open_store(database)
    await until(lambda: store.trouble is not None)
    run(database, "INSERT INTO records (table_id, seq, body) VALUES ('t', 5, 'record 5')")
    await until(lambda: store.trouble is None)
    assert len(await store.history("t")) == RECORDS
    store.close()


async def test_the_number_of_damaged_tables_is_public_and_their_codes_are_not(database: str) -> None:
    store = open_store(database)
    async with online(store) as server:
        codes = [(await server.seated())[0]["table"] for _ in range(3)]
        sound = (await server.get("/ready")).body
        assert (sound["ready"], sound["sentence"], set(sound) & {"problems", "tables"}) == (
            True,
            "Tables are open.",
            set(),
        )
        assert "jamboree_tables_incomplete 0" in await server.metrics()
        for code in codes[:2]:
            await server.registry.unload(code)
            run(database, f"DELETE FROM records WHERE table_id = '{code}' AND seq = 1")
        for code, status in zip(codes, (503, 503, 200), strict=True):
            answer = await server.get(f"/api/v1/tables/{code}")
            assert (answer.status, answer.body.get("code")) == (status, None if status == 200 else "incomplete")
            assert status == 200 or "can't be opened" in answer.body["sentence"]
        readiness = await server.get("/ready")
        assert (readiness.status, readiness.body["problems"]) == (503, ["Records of 2 tables are missing or altered."])
        assert not any(code in str(readiness.body) for code in codes), "a code lets its owner watch"
        shown = await server.get("/ready", authorization=f"Bearer {ADMIN_TOKEN}")
        assert shown.body["tables"] == dict.fromkeys(codes[:2], "record 1 is missing")
        assert "jamboree_tables_incomplete 2" in await server.metrics()
        assert "jamboree_database_ok 0" in await server.metrics()
        assert f"{codes[0]} (record 1 is missing)" in (await server.admin("load")).body["trouble"]
    store.close()


async def test_the_code_of_a_missing_table_is_not_reused(database: str) -> None:
    """Its records may still be there, and would be mixed with those of the new table."""
    await filled(database)
    run(database, *SPOIL["the row"][0])
    store = open_store(database)
    with pytest.raises(Conflict):
        await store.append(appended("t"))
    assert store.health.stopped is None
    store.close()


async def test_an_earlier_database_receives_digests(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = migrations._steps()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_steps", lambda: steps[:7])
        connection = connectors(database)[0]()
        migrate(connection)
        connection.close()
    for table, last in (("short", 4), ("whole", 5)):
        run(
            database,
            "INSERT INTO tables (id, epoch, seq, game, status, touched, card)"
            f" VALUES ('{table}', 1, 5, 'g', 'playing', 1, '')",
            *(
                f"INSERT INTO records (table_id, seq, body) VALUES ('{table}', {seq}, '{{}}')"
                for seq in range(1, last + 1)
            ),
        )
    run(database, "INSERT INTO records (table_id, seq, body) VALUES ('lost', 1, '{}')")
    open_store(database).close()
    missing = {"short": "record 5 is missing", "lost": "its row in the table `tables` is missing"}
    assert checked(database) == missing
    run(database, "UPDATE records SET body = '[]' WHERE table_id = 'whole' AND seq = 2")
    assert checked(database) == {**missing, "whole": "its records do not match their digest"}


async def test_records_of_an_earlier_version_are_valid(database: str) -> None:
    """During an update of several servers those of the version before write for a while, and know no digests."""
    await filled(database)
    run(
        database,
        "UPDATE tables SET seq = 6 WHERE id = 't'",
        "INSERT INTO records (table_id, seq, body) VALUES ('t', 6, 'record 6')",
    )
    assert checked(database) == {}
    store = open_store(database)
    await store.append(appended("t", after=6))
    assert len(await store.history("t")) == 7
    store.close()
    assert checked(database) == {}


async def test_digests_are_right_after_every_operation(database: str) -> None:
    store, rng = open_store(database), random.Random(8)
    heads: dict[str, tuple[int, int]] = {}
    for number in range(200):
        table = rng.choice("abcdef")
        epoch, seq = heads.get(table, (1, 0))
        records = tuple(
            Record(f'{{"n":"{number} {each}"}}', '{"name":"Ada"}') for each in range(rng.randint(seq == 0, 3))
        )
        listing = LISTING if seq == 0 or rng.random() < 0.5 else None
        claim = seq > 0 and rng.random() < 0.2
        if seq and rng.random() < 0.2:
            with pytest.raises(Conflict):
                await store.append(Append(table=table, epoch=epoch + 5, after=seq, records=records, listing=LISTING))
        await store.append(
            Append(table=table, epoch=epoch, after=seq, records=records, listing=listing, claim=claim, snapshot="{}")
        )
        heads[table] = (epoch + claim, seq + len(records))
    await store.erase_person(ErasePerson(next(iter(heads)), names=("Ada",)))
    await store.erase_expired(5_000)
    store.close()
    assert checked(database) == {}
    connection = connectors(database)[1]()
    rows = connection.rows("SELECT id, seq, digest_seq FROM tables WHERE digest IS NOT NULL")
    connection.close()
    assert {table: (seq, to) for table, seq, to in rows} == {table: (seq, seq) for table, (_, seq) in heads.items()}


async def test_many_tables_are_checked_in_batches(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integrity, "TABLES_AT_ONCE", 2)
    store = open_store(database)
    for number in range(9):
        await store.append(appended(f"t{number}"))
    store.close()
    run(database, "DELETE FROM records WHERE table_id IN ('t0', 't8')", "DELETE FROM tables WHERE id IN ('t5', 't8')")
    found = checked(database)
    assert found and list(found) == ["t0", "t5", "t8"], "in the order of their codes"
    connection = connectors(database)[1]()
    assert incomplete_tables(connection, True, lambda: True) is None
    connection.close()


async def test_incomplete_tables_are_listed_in_order(database: str) -> None:
    """One of them is found only by its contents, which are read after the record counts of all tables."""
    store = open_store(database)
    for number in range(30):
        await store.append(appended(f"t{number:02}"))
    store.close()
    run(
        database,
        "DELETE FROM records WHERE table_id <> 't07'",
        "UPDATE records SET body = 'record 9' WHERE table_id = 't07'",
    )
    assert list(checked(database) or {}) == [f"t{number:02}" for number in range(30)]


async def test_acknowledged_records_lost_by_the_database_are_reported(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    """After a failover to a lagging replica a table is consistent, but shorter than what players were shown."""
    store = open_store(database)
    await store.append(appended("t", count=3))
    await store.append(appended("s"))
    run(
        database,
        "DELETE FROM records WHERE table_id = 't' AND seq = 3",
        "UPDATE tables SET seq = 2, digest = NULL WHERE id = 't'",
    )
    with pytest.raises(Conflict):
        await store.append(appended("t", after=3))
    fault = "records 3 to 3 were acknowledged, and the database has lost them"
    await until(lambda: store.health.faulty_tables == {"t": fault})
    assert f"table t is incomplete: {fault}" in caplog.text
    with pytest.raises(Conflict):
        await store.append(appended("s", epoch=9, after=1))
    assert len(store.health.faulty_tables) == 1, "who is late is only late"
    store.close()


def jamboree(database: str, *words: str) -> str:
    return CliRunner().invoke(app, list(words), env={"JAMBOREE_DB": database}).output


async def test_a_loss_is_reported_until_it_is_accepted(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_check, "EVERY", 0.05)
    await filled(database)
    assert jamboree(database, "accept-loss", "--yes") == "Nothing is missing.\n"
    run(database, *SPOIL["the last record"][0], "DELETE FROM tables WHERE id = 's'")
    for _ in range(2):
        shown = jamboree(database, "accept-loss")
        assert "Table t is incomplete: record 5 is missing." in shown and "--yes" in shown
        assert set(checked(database) or {}) == {"s", "t"}, "it was only shown"
    assert "no longer reported" in jamboree(database, "accept-loss", "--yes")
    assert checked(database) == {}
    store = open_store(database)
    await asyncio.sleep(0.2)
    for table in ("s", "t"):
        with pytest.raises(Incomplete):
            await store.load(table)
    assert store.trouble is None
    assert (await store.load("u")).seq == RECORDS
    store.close()
    run(database, "DELETE FROM records WHERE table_id = 'u' AND seq = 3")
    assert checked(database) == {"u": "record 3 is missing"}, "what goes missing later is another loss"
