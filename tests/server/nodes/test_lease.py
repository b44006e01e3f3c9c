"""Leases: one owner per table, by the database's clock, and no writes after the lease has expired."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from typing import Any

import pytest

from jamboree.server.errors import Refused
from jamboree.server.nodes.cluster import open_fenced
from jamboree.server.nodes.lease import LEASE_SECONDS, Lease, NameTaken
from jamboree.server.store import Conflict, DatabaseUnreachable, Stored, StoreError, Unavailable
from jamboree.server.store.postgres import PostgresConnection
from jamboree.server.store.store import open_store

from ..bench.fake_time import until
from ..bench.local import Client, started
from ..store.test_store import appended
from .bench import PATIENT, a_node, bury, execute, set_until


class Clock:
    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


@asynccontextmanager
async def leased(shared: str, *names: str) -> AsyncIterator[list[Lease]]:
    leases = [Lease(shared, name, f"127.0.0.1:{number}", Clock(), PATIENT) for number, name in enumerate(names)]
    for lease in leases:
        await lease.join()
    try:
        yield leases
    finally:
        for lease in leases:
            await lease.leave()


async def a_table(shared: str, lease: Lease, table: str) -> None:
    store = open_fenced(shared, lease)
    try:
        await store.append(appended(table))
    finally:
        store.close()


async def test_a_table_with_a_valid_lease_is_not_taken(shared: str) -> None:
    async with leased(shared, "a", "b") as (a, b):
        await a_table(shared, a, "one")
        assert (await b.take("one"), await b.owner("one")) == (False, a.run)
        assert [peer.run for peer in await b.renew()] == [a.run]
        assert await a.take("one")


async def test_a_table_is_taken_over_after_its_lease_expired(shared: str) -> None:
    async with leased(shared, "a", "b") as (a, b):
        await a_table(shared, a, "two")
        assert not await b.take("two")
        await set_until(shared, "a", -0.1)
        assert (await b.take("two"), await b.owner("two")) == (True, b.run)
        await a.renew()
        assert not a.held, "whoever was buried does not come back to life"
        assert not await a.take("two"), "not even if it thinks so"


async def test_a_lease_beyond_its_maximum_is_expired(shared: str) -> None:
    async with leased(shared, "a", "b") as (a, b):
        await a_table(shared, a, "three")
        await set_until(shared, "a", 3600.0)
        assert await b.take("three")


async def test_a_lease_expires_by_the_local_clock_first(shared: str) -> None:
    async with leased(shared, "a") as (lease,):
        assert lease.held
        lease.now.time += PATIENT - 0.2  # type: ignore[attr-defined]
        assert not lease.held
        await lease.renew()
        assert lease.held


async def test_a_server_name_is_unique(shared: str) -> None:
    async with leased(shared, "a"):
        again = Lease(shared, "a", "127.0.0.1:9")
        with pytest.raises(NameTaken, match='named "a"'):
            await again.join()
        await set_until(shared, "a", -0.1)
        await again.join()
        await again.leave()


async def test_a_late_renewal_does_not_end_the_next_lease(shared: str) -> None:
    async with leased(shared, "a") as (lease,):
        await asyncio.gather(lease.join(), lease.renew())
        assert lease.held


async def test_a_join_with_a_lost_reply_can_be_repeated(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with leased(shared, "a") as (lease,):
        with monkeypatch.context() as patched:
            patched.setattr(lease._renewals, "ask", _unanswered(lease._renewals.ask))
            with pytest.raises(DatabaseUnreachable):
                await lease.join()
        await lease.join()
        assert lease.held and await lease.renew() == []


def _unanswered(ask: Any) -> Any:
    async def asked(question: Any) -> None:
        await ask(question)
        raise DatabaseUnreachable("There was no answer.")

    return asked


async def test_a_server_knows_when_another_lease_could_expire(shared: str) -> None:
    async with leased(shared, "a") as (a,):
        await a.renew()
        assert a.next_expiry == inf
        async with leased(shared, "b") as (b,):
            await set_until(shared, "b", 0.5)
            assert [peer.run for peer in await a.renew()] == [b.run]
            assert a.next_expiry < 0.5


async def test_a_rejoining_server_gives_up_its_tables(shared: str) -> None:
    async with leased(shared, "a", "b") as (a, b):
        await a_table(shared, a, "four")
        await a.join()
        assert await b.take("four")


async def test_a_server_stopped_during_a_commit_loses_its_tables(shared: str) -> None:
    async with leased(shared, "a", "b") as (a, b):
        await a_table(shared, a, "stopped")
        connection = PostgresConnection(shared)
        connection.hold(LEASE_SECONDS)
        with pytest.raises(DatabaseUnreachable), connection.transaction():
            connection.change("UPDATE tables SET seq = seq + 1 WHERE id = ?", "stopped")
            await bury(shared, "a")
            assert await b.take("stopped"), "the database lets go of what a stopped server has locked"
        connection.close()


async def test_a_table_is_handed_over(shared: str) -> None:
    async with leased(shared, "a", "b") as (a, b):
        await a_table(shared, a, "five")
        (peer,) = await a.renew()
        await a.hand_over("five", peer)
        assert (await a.owner("five"), await a.take("five"), await b.take("five")) == (b.run, False, True)


async def test_single_and_clustered_servers_do_not_share_a_database(shared: str) -> None:
    async with leased(shared, "a") as (lease,):
        store = open_fenced(shared, lease)
        try:
            with pytest.raises(DatabaseUnreachable, match="Another server uses this database"):
                await asyncio.to_thread(open_store, shared)
        finally:
            store.close()


async def test_an_expired_lease_forbids_writing(shared: str) -> None:
    async with leased(shared, "a") as (a,):
        store = open_fenced(shared, a)
        try:
            await store.append(appended("six"))
            a.give_up()
            for _ in range(2):
                with pytest.raises(Unavailable):
                    await store.append(appended("six", after=1))
                await a.renew()  # brings nothing back that was given up
        finally:
            store.close()


async def test_an_unaware_server_is_fenced_by_the_epoch(shared: str) -> None:
    async with leased(shared, "a", "b") as (a, b):
        store = open_fenced(shared, a)
        try:
            await store.append(appended("seven"))
            await set_until(shared, "a", -1.0)
            assert await b.take("seven")
            assert a.held, "it does not know yet"
            with pytest.raises(Conflict):
                await store.append(appended("seven", after=1))
            with pytest.raises(StoreError, match="Another server"):
                await store.load("seven")
        finally:
            store.close()


async def test_a_server_unloads_its_tables_when_its_lease_expires(shared: str) -> None:
    async with a_node(shared, "a") as (node, _, registry), a_node(shared, "b") as (_, _, other):
        clients = await started(registry)
        code, first = clients[0].session.code, node.lease.run
        with pytest.raises(Refused) as refused:
            await other.table(code)
        assert refused.value.code == "not-saved"
        await bury(shared, "a")
        assert (await other.table(code)).state.roster.people
        await until(lambda: all(client.closed for client in clients))
        await until(lambda: node.ready and node.lease.run != first)
        assert code not in registry.tables
        assert (await node.owner(code)) in node.peers.values()


@pytest.mark.parametrize("again", [False, True], ids=["without a lease", "by another lease"])
async def test_a_table_loaded_during_expiry_is_unloaded(
    shared: str, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would prevent the server from rejoining."""
    async with a_node(shared, "a") as (node, store, registry):
        (ada, _), first = await started(registry), node.lease.run
        code, read, go_on, load = ada.session.code, asyncio.Event(), asyncio.Event(), store.load
        await registry.unload(code)

        async def slow(table: str) -> Stored:
            found = await load(table)
            read.set()
            await go_on.wait()
            return found

        monkeypatch.setattr(store, "load", slow)
        opening = asyncio.create_task(registry.table(code))
        await read.wait()
        await bury(shared, "a")
        await until(lambda: node.lease.run != first if again else node._expired)
        go_on.set()
        with pytest.raises(Refused):
            await opening
        await until(lambda: node.ready)
        assert not registry.tables and (await registry.table(code)).state.roster.people


async def test_a_zombie_server_writes_nothing_and_stops(shared: str) -> None:
    """The former owner has its table in memory and a valid lease by its own clock, while a peer owns the table."""
    async with a_node(shared, "a") as (_, _, registry), a_node(shared, "b") as (_, store, other):
        ada, bob = await started(registry)
        code = ada.session.code
        await execute(shared, "UPDATE tables SET node = '' WHERE id = %s", code)
        there = Client(other, code, bob.token)
        await there.hello()
        before = len(await store.history(code))
        answer = await ada.act({"type": "Lay", "slot": 0}, "zombie")
        assert answer["type"] == "error" and answer["code"] == "table-stopped"
        await until(lambda: ada.closed and code not in registry.tables)
        assert len(await store.history(code)) == before
        assert (await there.act({"type": "Lay", "slot": 0}, "living"))["type"] == "ack"


async def test_draining_hands_over_all_tables(shared: str) -> None:
    async with a_node(shared, "a") as (node, _, registry), a_node(shared, "b") as (heir, _, other):
        clients = [client for _ in range(3) for client in await started(registry)]
        codes = {client.session.code for client in clients}
        await until(lambda: len(node.peers) == 1)
        await node.drain()
        assert not registry.tables and all(client.closed for client in clients)
        for code in codes:
            assert (await node.owner(code)) == node.peers[heir.lease.run]
            assert (await other.table(code)).code == code
        with pytest.raises(Refused):
            await registry.table(next(iter(codes)))
