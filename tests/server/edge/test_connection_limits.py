"""Limits on sockets, and on data queued for their readers."""

import asyncio

import pytest
from websockets.exceptions import InvalidStatus

from jamboree.server.edge import connection_limits, outbox
from jamboree.server.edge.connection_limits import ConnectionLimits, ConnectionSlot
from jamboree.server.edge.outbox import MAX_PER_READER, MAX_TOTAL, Outbox, OutboxBudget
from jamboree.server.edge.rate_limits import RateLimits
from jamboree.server.errors import Refused
from jamboree.server.store.store import Store

from ..bench.fake_time import until
from ..bench.online import Player, online


def entered(there: ConnectionLimits, address: str, table: str, person: str | None = None) -> ConnectionSlot:
    slot = ConnectionSlot(there, address, table)
    slot.assign(person)
    return slot


def test_spectators_do_not_occupy_the_slots_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "SPECTATORS_BY_ADDRESS", 2)
    there = ConnectionLimits()
    watching = [entered(there, "school", "t") for _ in range(2)]
    with pytest.raises(Refused):
        entered(there, "school", "t")
    entered(there, "school", "t", "p1")
    entered(there, "home", "t")
    watching[0].release()
    entered(there, "school", "t")


def test_spectators_of_many_addresses_leave_slots_for_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "MAX_SOCKETS", 10)
    monkeypatch.setattr(connection_limits, "MAX_SPECTATORS", 6, raising=False)
    there = ConnectionLimits()
    with pytest.raises(Refused):
        for number in range(10):
            entered(there, f"address {number}", f"table {number}")
    for number in range(4):
        entered(there, "home", "t", f"p{number}")


@pytest.mark.parametrize(
    ("bound", "person", "elsewhere"),
    [
        ("SPECTATORS_BY_TABLE", None, ("home", "other", None)),
        ("SEATED_BY_ADDRESS", "p1", ("home", "t", "p1")),
        ("BY_PERSON", "p1", ("home", "t", "p2")),
    ],
)
def test_every_limit_holds(
    monkeypatch: pytest.MonkeyPatch, bound: str, person: str | None, elsewhere: tuple[str, str, str | None]
) -> None:
    monkeypatch.setattr(connection_limits, bound, 1)
    there = ConnectionLimits()
    entered(there, "school", "t", person)
    with pytest.raises(Refused):
        entered(there, "school", "t", person)
    entered(there, *elsewhere)


def test_one_client_does_not_exhaust_the_slots_of_a_school() -> None:
    there, sent_away = ConnectionLimits(), list[str]()
    for table in range(50):
        for _ in range(10):
            entered(there, "school", f"invented {table}", "p1").on_evict = lambda: sent_away.append("bully")
    for pupil in range(100):
        for _ in range(3):
            entered(there, "school", f"table {pupil // 2}", f"p{pupil}").on_evict = lambda: sent_away.append("pupil")
    assert sent_away == ["bully"] * 300
    assert there.total == 500
    with pytest.raises(Refused):
        entered(there, "school", "invented 0", "p1")


def test_a_slot_is_counted_once_when_its_role_changes() -> None:
    there = ConnectionLimits()
    slot = ConnectionSlot(there, "school", "t")
    slot.assign(None)
    slot.assign("p1")
    slot.assign("p1")
    assert there.total == 1
    slot.release()
    slot.release()
    assert (there.total, there.spectators, there._seated, there._spectators_by_address, there._by_person) == (
        0,
        0,
        {},
        {},
        {},
    )


async def test_an_evicted_connection_is_told_the_reason(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "SEATED_BY_ADDRESS", 2)
    async with online(store, limits=RateLimits()) as server:
        ada, bob = await server.seated()
        mine, his = ({"authorization": f"Bearer {ticket['token']}"} for ticket in (ada, bob))
        async with server.socket(ada["table"], **mine) as first, server.socket(ada["table"], **mine) as second:
            await Player(first).hello(ada["token"])
            greedy = Player(second)
            await greedy.hello(ada["token"])
            async with server.socket(ada["table"], **his) as third:
                await Player(third).hello(bob["token"])
                assert (await greedy.until("error"))["code"] == "crowded"
                await second.wait_closed()
                assert second.close_code == 1008


async def test_excess_spectators_are_refused_while_players_connect(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection_limits, "SPECTATORS_BY_ADDRESS", 2)
    async with online(store, limits=RateLimits()) as server:
        ticket = (await server.seated())[0]
        code, there = ticket["table"], server.app.state.limits.connections
        async with server.socket(code) as one, server.socket(code) as two:
            await Player(one).hello()
            with pytest.raises(InvalidStatus):
                async with server.socket(code):
                    pass
            async with server.socket(code, authorization=f"Bearer {ticket['token']}") as mine:
                assert (await Player(mine).hello(ticket["token"]))["you"]["seat"] == 0
            await Player(two).hello(ticket["token"])
            async with server.socket(code) as third:
                await Player(third).hello()
        await until(lambda: there.total == 0)


def test_outbox_limits_shrink_as_memory_fills() -> None:
    shared = OutboxBudget()
    assert shared.per_reader == MAX_PER_READER
    shared.total = MAX_TOTAL - 1024 * outbox.SHARE
    assert shared.per_reader == 1024

    async def fill() -> None:
        box = Outbox(budget=shared)
        box.put(b"x" * 1000)
        assert not box.overflowed, "one frame always fits"
        box.put(b"x" * 1000)
        assert box.overflowed
        assert shared.total == MAX_TOTAL - 1024 * outbox.SHARE, "what was dropped does not count"

    asyncio.run(fill())


async def test_the_queue_of_a_closed_socket_is_freed(store: Store) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        async with server.socket(code) as socket:
            await Player(socket).hello()
            (line,) = server.app.state.open_sockets
            for _ in range(3):
                line.outbox.put(b" " * 1000)
        await until(lambda: server.app.state.metrics.sockets == 0)
        assert server.app.state.outbox_budget.total == 0


async def test_messages_for_a_closed_socket_do_not_count(store: Store) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        async with server.socket(code) as socket:
            await Player(socket).hello()
            (line,) = server.app.state.open_sockets
        await until(lambda: server.app.state.metrics.sockets == 0)
        line.outbox.put(b" " * 1000)  # as a table does that goes on after the server said goodbye
        assert server.app.state.outbox_budget.total == 0
