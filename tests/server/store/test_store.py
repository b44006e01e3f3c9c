"""The store's contract, on every supported database."""

import asyncio
import gc
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import psycopg
import pytest

from jamboree.server.store import (
    Append,
    Conflict,
    Listing,
    Record,
    SaveClock,
    Snapshot,
    StoreError,
    UnknownTable,
    migrations,
)
from jamboree.server.store.connection import Connect
from jamboree.server.store.contract import Change
from jamboree.server.store.health import StoreHealth
from jamboree.server.store.migrations import migrate
from jamboree.server.store.queries import commit
from jamboree.server.store.store import Store, connectors, open_store
from jamboree.server.store.writer import OnCommit, Writer


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database."""
    if request.param == "sqlite":
        return str(tmp_path / "tables.db")
    address = str(request.getfixturevalue("postgres"))
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    return address


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = open_store(database)
    yield opened
    opened.close()


LISTING = Listing("high-card", "gathering", 1_000, "{}")


def appended(table: str = "t", epoch: int = 1, after: int = 0, count: int = 1, **more: object) -> Append:
    records = tuple(Record(f"record {after + at + 1}") for at in range(count))
    return Append(table=table, epoch=epoch, after=after, records=records, listing=LISTING, **more)  # type: ignore[arg-type]


def bodies(records: list[Record]) -> list[str]:
    return [record.body for record in records]


async def test_appended_records_are_read_back(store: Store) -> None:
    await store.append(appended(count=2))
    await store.append(appended(after=2))
    stored = await store.load("t")
    assert (stored.epoch, stored.seq, stored.snapshot, stored.listing) == (1, 3, None, LISTING)
    assert bodies(stored.records) == ["record 1", "record 2", "record 3"]


async def test_records_survive_reopening(database: str) -> None:
    first = open_store(database)
    await first.append(appended())
    first.close()
    second = open_store(database)
    assert (await second.load("t")).seq == 1
    second.close()


async def test_a_closed_store_is_one_file(tmp_path: Path) -> None:
    """Copying the file of a stopped server copies everything."""
    path = tmp_path / "tables.db"
    store = open_store(str(path))
    await store.append(appended())
    assert (await store.load("t")).seq == 1  # by a reader that is open from now on
    store.close()
    assert not {"tables.db-wal", "tables.db-shm"} & {each.name for each in tmp_path.iterdir()}
    (copy := tmp_path / "copy.db").write_bytes(path.read_bytes())
    again = open_store(str(copy))
    assert (await again.load("t")).seq == 1
    again.close()


async def test_only_the_owner_stores_remaining_time(store: Store) -> None:
    await store.append(appended())
    assert (await store.load("t")).clock == ""
    await store.save_clock(SaveClock("t", 1, "first"))
    await store.save_clock(SaveClock("t", 1, "second"))
    await store.append(appended(after=1, claim=True))
    await store.save_clock(SaveClock("t", 1, "of a former owner"))
    await store.save_clock(SaveClock("nowhere", 1, "of no table"))
    stored = await store.load("t")
    assert (stored.clock, stored.seq, len(stored.records)) == ("second", 2, 2)


async def test_an_unknown_table_is_reported(store: Store) -> None:
    with pytest.raises(UnknownTable):
        await store.load("nowhere")
    with pytest.raises(Conflict):
        await store.append(appended("nowhere", after=3))


@pytest.mark.parametrize(
    "late",
    [
        appended(after=0),
        appended(after=1),
        appended(after=3),
        appended(after=2, epoch=0),
        appended(after=2, epoch=2),
        appended(after=2, epoch=2, claim=True),
    ],
    ids=["made twice", "too late", "too early", "owner before", "owner to come", "claim by another"],
)
async def test_a_conflicting_append_is_refused_without_effect(store: Store, late: Append) -> None:
    await store.append(appended(count=2))
    before = await store.load("t")
    with pytest.raises(Conflict):
        await store.append(late)
    assert await store.load("t") == before
    await store.append(appended(after=2))
    assert store.trouble is None


async def test_a_claim_fences_the_earlier_owner(store: Store) -> None:
    await store.append(appended())
    await store.append(appended(after=1, count=0, claim=True))
    with pytest.raises(Conflict):
        await store.append(appended(after=1))
    await store.append(appended(after=1, epoch=2))
    assert (await store.load("t")).epoch == 2


async def test_a_snapshot_replaces_earlier_records_when_loading(store: Store) -> None:
    await store.append(appended(count=2, snapshot="two"))
    await store.append(appended(after=2))
    stored = await store.load("t")
    assert stored.snapshot == Snapshot(2, "two")
    assert bodies(stored.records) == ["record 3"]
    assert bodies(await store.history("t")) == ["record 1", "record 2", "record 3"]
    await store.append(appended(after=3, snapshot="four"))
    assert (await store.load("t")).snapshot == Snapshot(4, "four")


async def test_a_replay_is_stored_with_its_table(store: Store) -> None:
    await store.append(appended())
    assert await store.replay("t") is None
    await store.append(appended(after=1, replay=b"\0replay\xff"))
    assert await store.replay("t") == b"\0replay\xff"


async def test_chat_is_stored_until_it_is_unreadable(store: Store) -> None:
    await store.append(appended())
    for number in range(60):
        lines = (f"line {2 * number}", f"line {2 * number + 1}")
        await store.append(appended(after=1, count=0, talk=lines, unread=(f"line {number - 40}",)))
    stored = await store.load("t")
    assert stored.seq == 1
    assert stored.talk == [f"line {number}" for number in range(20, 120)]


async def test_expired_names_and_chat_are_erased_and_records_stay(store: Store) -> None:
    for table, status, touched in (("old", "finished", 5), ("new", "finished", 50), ("open", "playing", 5)):
        listing = Listing("high-card", status, touched, '{"host":"Ada"}')
        record = Record("joined", "Ada")
        await store.append(
            Append(
                table=table, epoch=1, after=0, records=(record,), listing=listing, snapshot="Ada", talk=("hello, Ada",)
            )
        )
    await store.erase_expired(10)
    old = await store.load("old")
    assert (old.records, old.snapshot, old.talk, old.listing.card) == ([Record("joined")], None, [], "{}")
    for table in ("new", "open"):
        saved = await store.load(table)
        assert (saved.snapshot, saved.talk, saved.listing.card) == (
            Snapshot(1, "Ada"),
            ["hello, Ada"],
            '{"host":"Ada"}',
        )
        assert await store.history(table) == [Record("joined", "Ada")]
    assert await store.unchanged_since("playing", 10) == ["open"]


async def test_tables_are_listed_by_status_and_last_change(store: Store) -> None:
    for table, status, touched in (("a", "gathering", 5), ("b", "playing", 9), ("c", "gathering", 7)):
        listing = Listing("high-card", status, touched, table.upper())
        await store.append(Append(table=table, epoch=1, after=0, records=(), listing=listing))
    assert [(table, listing.card) for table, listing in await store.listed("gathering")] == [("c", "C"), ("a", "A")]
    assert len(await store.listed("gathering", 1)) == 1


async def test_unlisted_tables_do_not_displace_listed_ones(store: Store) -> None:
    for number in range(5):
        listing = Listing("high-card", "gathering", 2_000 + number, "{}", listed=False)
        await store.append(Append(table=f"hidden {number}", epoch=1, after=0, records=(), listing=listing))
    await store.append(appended("open"))
    assert [table for table, _ in await store.listed("gathering", 1)] == ["open"]


async def test_earlier_tables_keep_their_listing(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = migrations._steps()
    with monkeypatch.context() as patch:
        patch.setattr(migrations, "_steps", lambda: steps[:3])
        connection = connectors(database)[0]()
        migrate(connection)
    for table, card in (("open", '{"listed":true}'), ("hidden", '{"listed":false}'), ("erased", "{}")):
        connection.change(
            "INSERT INTO tables (id, epoch, seq, game, status, touched, card) VALUES (?, 1, 1, 'g', 'finished', 1, ?)",
            table,
            card,
        )
    connection.close()
    opened = open_store(database)
    assert [table for table, _ in await opened.listed("finished")] == ["open"]
    opened.close()


async def test_any_text_survives_storage(store: Store) -> None:
    text = '{"name":"Zoë \U0001f3b7 \'\\"; DROP TABLE records"}'
    await store.append(Append(table="t", epoch=1, after=0, records=(Record(text, text),), listing=LISTING))
    assert (await store.load("t")).records == [Record(text, text)]


async def test_tables_share_a_commit_and_a_conflict_affects_one_of_them(store: Store) -> None:
    await store.append(appended("late"))
    before = store.groups
    appends = [store.append(appended(f"table {number}")) for number in range(60)]
    answers = await asyncio.gather(*appends, store.append(appended("late")), return_exceptions=True)
    assert answers[:-1] == [None] * 60
    assert isinstance(answers[-1], Conflict)
    assert store.groups - before < 30
    assert (await store.load("table 59")).seq == 1


async def test_cancelling_the_wait_does_not_cancel_the_commit(store: Store) -> None:
    waiting = asyncio.create_task(store.append(appended()))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    while True:
        try:
            assert (await store.load("t")).seq == 1
            return
        except UnknownTable:
            await asyncio.sleep(0.01)


async def test_two_writers_on_one_database_never_both_commit(database: str) -> None:
    open_store(database).close()
    write, read = connectors(database)
    stores = [Store(write, read), Store(write, read)]
    await stores[0].append(appended())
    for after in range(1, 20):
        answers = await asyncio.gather(*(each.append(appended(after=after)) for each in stores), return_exceptions=True)
        assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "NoneType"]
    assert (await stores[1].load("t")).seq == 20
    for each in stores:
        each.close()


def test_migrations_run_once_and_a_newer_database_is_refused(database: str) -> None:
    open_store(database).close()
    open_store(database).close()
    connection = connectors(database)[0]()
    connection.change("INSERT INTO migrations (number) VALUES (?)", 9_999)
    with pytest.raises(StoreError, match="A newer Jamboree"):
        migrate(connection)
    connection.close()


def test_a_failed_group_commit_is_rolled_back(database: str) -> None:
    open_store(database).close()
    connection = connectors(database)[0]()
    broken = Append(table="b", epoch=1, after=0, records=(Record(None),), listing=LISTING)  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        commit(connection, [appended("a"), broken])
    assert connection.rows("SELECT id FROM tables") == []
    connection.close()


def test_a_failed_writer_stops_writing(database: str) -> None:
    open_store(database).close()
    writer = Writer(connectors(database)[0])
    broken = Append(table="b", epoch=1, after=0, records=(Record(None),), listing=LISTING)  # type: ignore[arg-type]
    answers: SimpleQueue[StoreError | None] = SimpleQueue()
    for append in (broken, appended("a")):
        writer.submit(append, answers.put)
        assert "Nothing can be saved" in str(answers.get(timeout=10))
    assert writer.health.stopped
    writer.close()


def test_a_database_that_cannot_be_opened_is_reported(tmp_path: object) -> None:
    with pytest.raises(StoreError, match=r"tables\.db can't be used: there is no folder \S"):
        open_store(f"{tmp_path}/no/such/folder/tables.db")
    with pytest.raises(StoreError, match="The database says"):
        open_store("postgresql:///nothing?host=/nowhere&connect_timeout=1")


class Late(Writer):
    """A connection that answers on request."""

    def __init__(self, connect: Connect, health: StoreHealth) -> None:
        self.answers: list[OnCommit] = []

    def submit(self, change: Change, answer: OnCommit) -> None:
        self.answers.append(answer)

    def close(self) -> None:
        pass


async def test_a_failed_change_without_a_waiter_is_not_logged_as_unretrieved(tmp_path: Path) -> None:
    troubles: list[dict[str, object]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: troubles.append(context))
    late: list[Late] = []

    def writer(connect: Connect, health: StoreHealth) -> Late:
        late.append(Late(connect, health))
        return late[0]

    connect, read = connectors(str(tmp_path / "tables.db"))
    store = Store(connect, read, writer)
    waiting = asyncio.create_task(store.append(appended()))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    late[0].answers.pop()(StoreError("The disk is full."))
    await asyncio.sleep(0.01)
    gc.collect()
    assert troubles == []
