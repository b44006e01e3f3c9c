"""Many spectators of one table: frames are built once per kind of viewer, and delivered in slices."""

import asyncio
from typing import Any

import msgspec
import pytest

from jamboree.server.live.commands.joining import TakeSeat
from jamboree.server.live.registry import Registry
from jamboree.server.live.viewers import frame_builder, subscribers
from jamboree.server.live.viewers.subscribers import MAX_QUEUED, SLICE
from jamboree.server.protocol import wire
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store.store import Store

from ...bench.fake_time import until
from ...bench.local import EVERY, Client, a_registry, started
from ...under_load.stage import Ear

LAY = {"type": "Lay", "slot": 0}


async def watched(registry: Registry, count: int, seats: int = 2) -> tuple[list[Client], list[Ear]]:
    players = await started(registry, "high-card", seats)
    ears = [Ear(registry, players[0].session.code, None, ("en", "nl")[number % 2]) for number in range(count)]
    for ear in ears:
        await ear.hello()
    return players, ears


def read(ear: Ear) -> Any:
    return msgspec.json.decode(ear.last)


async def counted(store: Store, patch: pytest.MonkeyPatch, count: int) -> int:
    """Count the frames built for a move, a clock change, a chat line and a mute."""
    written = 0
    encode = wire.encode

    def noted(message: Any) -> bytes:
        nonlocal written
        written += 1
        return encode(message)

    async with a_registry(store, EVERY) as registry:
        (ada, *_), ears = await watched(registry, count)
        table = registry.tables[ada.session.code]
        for module in (subscribers, frame_builder):
            patch.setattr(module, "encode", noted)
        await ada.act(LAY, "1")
        await ada.send(type="say", id="2", text="Hello")
        await ada.send(type="ready", id="3", ready=True)
        table.subscribers._shown_clock = ("another",)
        table.subscribers.show_clock()
        await table.subscribers.welcome_all()
        await until(lambda: all(read(ear)["type"] == "welcome" and ear.received == 6 for ear in ears))
    patch.undo()
    return written


async def test_the_number_of_built_frames_does_not_grow_with_subscribers(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await counted(store, monkeypatch, 2) == await counted(store, monkeypatch, 600)


async def test_a_large_fan_out_does_not_block_other_tables(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada, bob), ears = await watched(registry, 1500)
        received, most = [0], 0

        async def feel() -> None:
            nonlocal most
            while True:
                before = received[0]
                await asyncio.sleep(0)
                received[0] = sum(ear.received for ear in ears)
                most = max(most, received[0] - before)

        received[0] = sum(ear.received for ear in ears)
        feeling = asyncio.create_task(feel())
        assert (await ada.act(LAY, "1"))["type"] == "ack"
        assert bob.received[-1]["type"] == "update", "players are served first"
        assert read(ears[-1])["type"] == "welcome", "and wait for nobody who watches"
        await until(lambda: read(ears[-1])["type"] == "update")
        feeling.cancel()
        assert 0 < most <= 2 * SLICE


async def test_a_subscriber_who_joins_during_a_fan_out_receives_nothing_twice(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada, _), ears = await watched(registry, 10 * SLICE)
        await ada.act(LAY, "1")
        late = Ear(registry, ada.session.code, None, "nl")
        assert (await late.hello())["seq"] == ada.seq
        await registry.tables[ada.session.code].resync(ears[-1].session, lambda: None)
        await until(lambda: read(ears[-3])["type"] == "update")
        await asyncio.sleep(0.01)
        assert (late.received, read(late)["type"]) == (1, "welcome")
        assert (ears[-1].received, read(ears[-1])["type"]) == (2, "welcome")


async def test_an_overflowing_fan_out_is_replaced_by_welcomes(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada, _), ears = await watched(registry, 10 * SLICE)
        table = registry.tables[ada.session.code]
        for _ in range(5 * MAX_QUEUED):
            table.subscribers.show_table()
            assert len(table.subscribers._others._due) <= MAX_QUEUED
        await ada.act(LAY, "1")
        await until(lambda: all(ear.received > 1 and read(ear).get("seq") == ada.seq for ear in ears))
        assert all(ear.received <= MAX_QUEUED + 3 for ear in ears)
        assert read(ears[0])["type"] in ("welcome", "update")


async def test_changes_without_a_new_position_use_small_frames(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada, bob), (ear,) = await watched(registry, 1)
        for answer in (
            await ada.send(type="ready", id="1", ready=True),
            await ada.send(type="pause", id="2", paused=True),
        ):
            assert answer["type"] == "ack"
        received = [message["type"] for message in bob.received]
        assert received[received.index("welcome") + 1 :].count("welcome") == 0
        assert bob.received[-1]["table"]["paused"] == "coming"
        assert read(ear)["type"] == "table"


async def test_taking_a_seat_sends_a_new_welcome(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, ticket = await registry.open(OpenTable(game="high-card", seats=3, name="Ada", listed=False))
        ada, subscriber = Client(registry, code, ticket.token), Client(registry, code)
        await ada.hello()
        await subscriber.hello()
        table = await registry.table(code)
        await table.ask(TakeSeat(2, ticket.person), ticket.person)
        assert (ada.received[-1]["type"], ada.received[-1]["you"]["seat"]) == ("welcome", 2)
        assert subscriber.received[-1]["type"] == "table"
