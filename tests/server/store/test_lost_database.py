"""PostgreSQL goes down and comes back: nothing acknowledged is lost, nothing is applied twice, and play continues."""

import asyncio
import os
import random
import signal
from collections.abc import Iterator
from typing import Any, NamedTuple

import psycopg
import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.records import Acted, read
from jamboree.server.live.registry import Registry
from jamboree.server.store import DatabaseUnreachable, Unavailable, queries, writer
from jamboree.server.store.postgres import PostgresConnection
from jamboree.server.store.store import Store, open_store

from ..bench.fake_time import until
from ..bench.local import Client, a_registry, started
from ..bench.online import Player, online
from ..bench.postgres import Private, private_postgres
from .test_store import appended

RESTARTS = int(os.environ.get("JAMBOREE_RESTARTS", "3"))
SIGNS = (signal.SIGQUIT, signal.SIGINT)  # a crash, and an orderly end that does not wait for anybody


@pytest.fixture(scope="module")
def server() -> Iterator[Private]:
    with private_postgres() as private:
        yield private


@pytest.fixture
def store(server: Private) -> Iterator[Store]:
    opened = open_store(server.address)
    yield opened
    opened.close()


async def restart(server: Private, number: int = 0, away: float = 0.0) -> None:
    await asyncio.to_thread(server.stop, SIGNS[number % len(SIGNS)])
    await asyncio.sleep(away)
    await asyncio.to_thread(server.start)


async def test_the_store_reports_a_lost_connection_and_recovers(server: Private, store: Store) -> None:
    await store.append(appended("one"))
    server.stop()
    with pytest.raises(Unavailable):
        await store.append(appended("one", after=1))
    assert store.trouble
    with pytest.raises(DatabaseUnreachable):
        await store.load("one")
    await asyncio.to_thread(server.start)
    await until(lambda: store.trouble is None)
    assert (await store.load("one")).seq == 1
    await store.append(appended("one", after=1))
    assert (store.comebacks, (await store.load("one")).seq) == (1, 2)


async def test_a_database_restart_is_noticed_while_idle(server: Private, store: Store) -> None:
    await store.append(appended("two"))
    await restart(server)
    await until(lambda: store.comebacks == 1)
    await store.append(appended("two", after=1))


async def test_a_commit_with_an_unknown_outcome_is_looked_up_and_not_repeated(
    server: Private, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit succeeded, but its reply was lost."""
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        commit = queries.commit

        def unanswered(*given: Any) -> Any:
            commit(*given)
            monkeypatch.undo()
            raise DatabaseUnreachable("The database says: the connection is lost.")

        monkeypatch.setattr(writer, "commit", unanswered)
        assert (await ada.act({"type": "Lay", "slot": 0}, "once"))["type"] == "ack"
        assert bob.position["view"]["laid"].count(True) == 1, "what is true was read back"
        await until(lambda: store.trouble is None)
        assert (await ada.act({"type": "Lay", "slot": 0}, "once"))["type"] == "ack"
        history = [read(stored) for stored in await store.history(ada.session.code)]
        assert sum(isinstance(record, Acted) for record in history) == 1


async def test_a_second_outage_during_the_lookup_is_waited_for(
    server: Private, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes down between the two reads that find out whether a move was saved."""
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        commit, history, away = queries.commit, queries.history, [True] * 4

        def unanswered(*given: Any) -> Any:
            monkeypatch.setattr(writer, "commit", commit)
            commit(*given)
            raise DatabaseUnreachable("The database says: the connection is lost.")

        def lost(*given: Any) -> Any:
            if away and away.pop():
                raise DatabaseUnreachable("The database says: the connection is lost.")
            return history(*given)

        monkeypatch.setattr(writer, "commit", unanswered)
        monkeypatch.setattr(queries, "history", lost)
        assert (await ada.act({"type": "Lay", "slot": 0}, "once"))["type"] == "ack"
        assert not away


class Played(NamedTuple):
    clients: list[Client]
    acked: dict[str, int]


async def play(registry: Registry, over: asyncio.Event, rng: random.Random) -> list[Played]:
    """Play game after game until it is over."""
    played = []
    while not over.is_set():
        try:
            clients = await started(registry, "bebop", 2)
        except Refused as refusal:
            assert refusal.code == "not-saved"
            await asyncio.sleep(0.05)
        else:
            played.append(Played(clients, await play_one(clients, over, rng)))
    return played


async def play_one(clients: list[Client], over: asyncio.Event, rng: random.Random) -> dict[str, int]:
    """Play a game, retrying with the same id after every failed commit."""
    acked: dict[str, int] = {}
    while not over.is_set():
        able = [client for client in clients if client.legal()]
        if not able:
            break
        client, name = rng.choice(able), f"move {len(acked)}"
        action = rng.choice(client.legal())
        while (answer := await client.act(action, name))["type"] != "ack":
            assert answer["code"] == "not-saved", answer
            await asyncio.sleep(0.05)
        acked[name] = answer["seq"]
        await asyncio.sleep(0.01)
    return acked


async def test_database_restarts_under_load_lose_and_repeat_nothing(server: Private, store: Store) -> None:
    over, rng = asyncio.Event(), random.Random(4)
    async with a_registry(store) as registry:
        playing = [asyncio.create_task(play(registry, over, rng)) for _ in range(4)]
        for number in range(RESTARTS):
            before = store.groups
            await until(lambda: store.groups > before + 5)  # noqa: B023
            await restart(server, number, rng.uniform(0.0, 0.5))
            await until(lambda: store.comebacks > number and store.trouble is None)  # noqa: B023
        await asyncio.sleep(0.3)
        over.set()
        games = [each for played in await asyncio.gather(*playing) for each in played]
        assert any(acked for _, acked in games)
        for clients, acked in games:
            code = clients[0].session.code
            records = [read(stored) for stored in await store.history(code)]
            done = [(each.id, seq) for seq, each in enumerate(records, 1) if isinstance(each, Acted)]
            assert done == list(acked.items()), "each acknowledged move is there once, and nothing else is"
            assert {client.seq for client in clients} == {len(records)}, "nobody was shown what was not kept"


async def test_sockets_survive_or_are_told_to_reconnect(server: Private, store: Store) -> None:
    async with online(store) as served:
        tickets = await served.seated()
        code = tickets[0]["table"]
        async with served.socket(code) as socket:
            ada = Player(socket)
            await ada.hello(tickets[0]["token"])
            await asyncio.to_thread(server.stop)
            await until(lambda: store.trouble is not None)
            assert (await served.get("/ready")).status == 503
            async with served.socket("elsewhere") as turned_away:
                await turned_away.wait_closed()
                assert (turned_away.close_code, turned_away.close_reason) == (1012, "not-saved")
            waiting = asyncio.create_task(ada.act({"type": "Lay", "slot": 0}, "x"))
            await asyncio.to_thread(server.start)
            answer = await waiting
            while answer["type"] == "error" and answer["code"] == "not-saved":
                answer = await ada.act({"type": "Lay", "slot": 0}, "x")
            assert answer["type"] == "ack"
            assert (await served.get("/ready")).status == 200


def test_a_connection_that_breaks_at_once_is_closed(postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that restarts may accept a connection and close it before the first statement."""
    opened: list[psycopg.Connection[Any]] = []

    def breaking(*given: Any, **more: Any) -> psycopg.Connection[Any]:
        opened.append(connect(*given, **more))
        monkeypatch.setattr(opened[-1], "execute", lambda *_: refuse())
        return opened[-1]

    def refuse() -> None:
        raise psycopg.errors.AdminShutdown("terminating connection due to administrator command")

    connect = psycopg.connect
    monkeypatch.setattr(psycopg, "connect", breaking)
    with pytest.raises(DatabaseUnreachable):
        PostgresConnection(postgres)
    assert opened[0].closed
