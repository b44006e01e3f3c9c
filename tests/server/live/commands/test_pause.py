"""The host's pause: it begins with the next turn or phase, stops everything, and survives a restart."""

from typing import Any

import pytest

from jamboree.server.live.commands.host import MAX_PAUSE_SECONDS
from jamboree.server.live.registry import Registry
from jamboree.server.store.store import Store

from ...bench.fake_time import FakeTime, settled, until
from ...bench.local import EVERY, Client, a_registry, started

BOOGIE = {"pace": "own", "plane_seconds": 30, "jump_seconds": 20}


async def pause(client: Client, paused: bool = True) -> dict[str, Any]:
    return await client.send(type="pause", id="pause", paused=paused)


def clock(client: Client) -> Any:
    return next(each["clock"] for each in reversed(client.received) if "clock" in each)


async def finish_turn(clients: list[Client]) -> None:
    """Let the player to move act until another one is to move."""
    first = next(client for client in clients if client.legal())
    while first.legal() and first.table["paused"] == "coming":
        answer = await first.act(first.legal()[0], f"{first.seq}")
        assert answer["type"] == "ack", answer


@pytest.mark.parametrize("seconds", [None, 60])
async def test_a_pause_begins_with_the_next_turn_and_stops_everyone(store: Store, seconds: int | None) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 2, seconds=seconds)
        await now.goes_by(registry, 10.0)
        assert (await pause(clients[1]))["code"] == "host-only"
        assert (await pause(clients[0]))["type"] == "ack"
        assert clients[1].table["paused"] == "coming"
        await finish_turn(clients)
        assert clients[1].table["paused"] == "yes"
        asked = next(client for client in clients if client.legal())
        assert (await asked.act(asked.legal()[0], "x"))["code"] == "paused"
        seq = asked.seq
        assert clock(asked) == {
            "kind": "pause",
            "left": MAX_PAUSE_SECONDS,
            "of": MAX_PAUSE_SECONDS,
            "running": True,
            "seats": [],
        }
        await now.goes_by(registry, 3600.0)
        assert asked.seq == seq
        await pause(clients[0], paused=False)
        assert clients[1].table["paused"] == "no"
        assert clock(asked) == (
            seconds and {"kind": "decision", "left": 60.0, "of": 60.0, "running": True, "seats": [asked_seat(asked)]}
        )
        assert (await asked.act(asked.legal()[0], "x"))["type"] == "ack"


def asked_seat(client: Client) -> int:
    seat: int = client.position["actors"][0]
    return seat


async def test_a_timed_phase_ends_before_a_pause_begins(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "boogie", 3, **BOOGIE)
        for client in clients:
            await client.act({"type": "SayReady"}, "ready")
        await now.goes_by(registry, 5.0)
        await pause(clients[0])
        await clients[1].act({"type": "PromiseTo", "to": 2}, "promise")
        assert clients[0].table["paused"] == "coming"
        await now.goes_by(registry, 25.1)
        assert clients[0].position["view"]["phase"] == "jump"
        assert clients[0].table["paused"] == "yes"
        assert clock(clients[0])["kind"] == "pause"
        card = next(offer for offer in clients[1].legal() if offer["type"] == "PlayCard")
        assert (await clients[1].act(card, "card"))["code"] == "paused"
        await now.goes_by(registry, 1000.0)
        code, tokens = clients[0].session.code, [client.token for client in clients]
    now = FakeTime(0.0)
    async with a_registry(store, EVERY, now=now) as registry:
        again = [Client(registry, code, token) for token in tokens]
        for client in again:
            await client.hello()
        assert again[0].table["paused"] == "yes"
        await now.goes_by(registry, 100.0)
        await pause(again[0], paused=False)
        assert (clock(again[1])["left"], clock(again[1])["running"]) == (20.0, True)
        assert (await again[1].act(card, "card"))["type"] == "ack"
        await now.goes_by(registry, 20.1)
        assert again[0].position["view"]["phase"] == "pulled"


async def test_a_pause_does_not_restore_elapsed_time(store: Store) -> None:
    """Sealed choices belong to the same decision, so the pause begins after the next of them."""
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bpm", 3, seconds=60)
        await pause(clients[0])
        await now.goes_by(registry, 20.0)
        await clients[1].act(clients[1].legal()[0], "1")
        assert clients[2].table["paused"] == "yes"
        await now.goes_by(registry, 500.0)
        await pause(clients[0], paused=False)
        assert (clock(clients[2])["left"], clock(clients[2])["running"]) == (40.0, True)


async def test_a_pause_stops_bots(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada,) = await started(registry, "bebop", 3, bots={1: "regular", 2: "rookie"})
        await until(lambda: bool(ada.legal()))
        await pause(ada)
        await finish_turn([ada])
        table = registry.tables[ada.session.code]
        await settled(table)
        assert ada.table["paused"] == "yes"
        assert ada.position["actors"] != [0]
        seq = ada.seq
        await settled(table)
        assert ada.seq == seq
        await pause(ada, paused=False)
        await until(lambda: bool(ada.legal()))
        assert ada.seq > seq + 1


async def test_an_untimed_phase_is_paused_at_the_next_step(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, "boogie", 3)
        await pause(clients[0])
        await clients[2].act({"type": "SayReady"}, "ready")
        assert clients[1].table["paused"] == "yes"
        assert (await clients[1].act({"type": "SayReady"}, "ready"))["code"] == "paused"


async def test_a_pause_can_be_cancelled_and_needs_a_game(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        clients = await started(registry, "high-card", 2)
        await pause(clients[0])
        await pause(clients[0], paused=False)
        assert clients[1].table["paused"] == "no"
        seq = clients[1].seq
        await pause(clients[0], paused=False)
        assert clients[1].seq == seq, "nothing has changed"
        await pause(clients[0])
        while not clients[0].position["outcome"]:
            if clients[0].table["paused"] == "yes":
                await pause(clients[0], paused=False)
            for client in clients:
                if client.legal():
                    await client.act(client.legal()[0], f"{client.seq}")
        assert clients[0].table["paused"] == "no"
        assert (await pause(clients[0]))["code"] == "not-playing"


async def paused(registry: Registry) -> list[Client]:
    clients = await started(registry, "high-card", 2)
    await pause(clients[0])
    await clients[0].act({"type": "Lay", "slot": 0}, "lay")
    await clients[1].act({"type": "Lay", "slot": 0}, "lay")
    assert clients[1].table["paused"] == "yes"
    return clients


async def test_the_total_time_of_pauses_is_limited(store: Store) -> None:
    """Any player may resume once the time for pauses is used up, and nobody can pause again."""
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        host, guest = await paused(registry)
        await now.goes_by(registry, 1000.0)
        assert (clock(guest)["kind"], clock(guest)["of"]) == ("pause", MAX_PAUSE_SECONDS)
        assert (await pause(guest, paused=False))["code"] == "host-only"
        assert guest.table["pause_over"] is False
        await now.goes_by(registry, MAX_PAUSE_SECONDS - 999.0)
        assert guest.table["pause_over"] is True
        subscriber = Client(registry, host.session.code)
        await subscriber.hello()
        assert (await pause(subscriber, paused=False))["code"] == "players-only"
        assert (await pause(guest, paused=False))["type"] == "ack"
        assert guest.table["paused"] == "no"
        assert (await pause(host))["code"] == "no-pause"


async def test_pauses_accumulate_while_people_wait(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        host, guest = await paused(registry)
        await now.goes_by(registry, 600.0)
        await pause(host, paused=False)
        assert registry.tables[host.session.code].state.roster.pause_spent == 600.0
        code, tokens = host.session.code, (host.token, guest.token)
    now = FakeTime(0.0)
    async with a_registry(store, EVERY, now=now) as registry:
        host, guest = [Client(registry, code, token) for token in tokens]
        for client in (host, guest):
            await client.hello()
        await pause(host)
        while host.table["paused"] != "yes":
            for client in (host, guest):
                if client.legal():
                    await client.act(client.legal()[0], f"{client.seq}")
        assert clock(guest)["left"] == MAX_PAUSE_SECONDS - 600.0
        for client in (host, guest):
            await client.session.end()
        await now.goes_by(registry, 5 * MAX_PAUSE_SECONDS)
        back = Client(registry, code, guest.token)
        await back.hello()
        assert clock(back)["left"] == MAX_PAUSE_SECONDS - 600.0, "nobody was there to wait"
        await now.goes_by(registry, MAX_PAUSE_SECONDS - 599.0)
        assert (await pause(back, paused=False))["type"] == "ack"
