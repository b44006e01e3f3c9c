"""Repeated connection drops during games: clients reconnect fast and miss nothing."""

import asyncio
import os
import random
import time
from contextlib import suppress
from typing import Any

import pytest

from jamboree.client import Client, Declined, TableConnection, rate_limiter
from jamboree.server.protocol.frames import Update, Welcome
from jamboree.server.store.store import Store
from tests.server.bench.local import EVERY
from tests.server.bench.online import HOST, online

from .proxy import Proxy, proxied

DROPS = int(os.environ.get("JAMBOREE_DROPS", "12"))
TABLES = 4
SOON = 1.0 if DROPS >= 1000 else 20.0  # seconds; a few drops on a busy machine prove nothing about speed
MAX_INTERVAL = 0.1  # seconds between two drops


def by_key(key: str, version: int) -> Any:
    return EVERY[key]


class Listener:
    """Collects the steps that a client receives, and notices each welcome."""

    def __init__(self, seat: TableConnection) -> None:
        self.seat, self.received = seat, list[tuple[int, Any]]()
        self.welcomed = asyncio.Event()
        self.task = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for news in self.seat.news():
            if isinstance(news, Welcome):
                self.received += [(step.seq, step.events) for step in news.missed or []]
                self.welcomed.set()
            elif isinstance(news, Update):
                self.received.append((news.seq, news.events))


class Drops:
    """A table whose host has a bad connection and, for comparison, a good one."""

    def __init__(self, proxy: Proxy, port: int, rng: random.Random) -> None:
        self.proxy, self.rng = proxy, rng
        self.client = Client(f"http://{HOST}:{port}", by_key)
        self.times: list[float] = []
        self.steps = 0

    async def run(self, count: int) -> None:
        async with self.client:
            while len(self.times) < count:
                await self._play(count)
        assert self.steps, "something was played"

    async def _play(self, count: int) -> None:
        host = await self.client.open("bebop", 2, "Ada")
        guest = await self.client.join(host.table, "Bob")
        bad = TableConnection(self.proxy.url, host.table, host.token, None, by_key)
        async with bad as ada, self.client.connect(host) as twin, self.client.connect(guest) as bob:
            cut, reference = Listener(ada), Listener(twin)
            await self.client.start(host)
            playing = asyncio.create_task(self._keep_playing([ada, bob]))
            while not playing.done() and len(self.times) < count:
                await asyncio.sleep(self.rng.uniform(0, MAX_INTERVAL))
                await self._drop(cut)
            playing.cancel()
            await asyncio.wait([playing])
            while ada.seq != twin.seq or bob.seq != twin.seq:  # until everything in flight has arrived
                await asyncio.sleep(0.01)
            for listener in (cut, reference):
                listener.task.cancel()
            assert cut.received == reference.received, "every step once and in order"
            self.steps += len(reference.received)

    async def _drop(self, listener: Listener) -> None:
        listener.welcomed.clear()
        begun = time.monotonic()
        self.proxy.cut()
        await listener.welcomed.wait()
        self.times.append(time.monotonic() - begun)

    async def _keep_playing(self, seats: list[TableConnection]) -> None:
        while not any(seat.position and seat.position.outcome for seat in seats):
            for seat in seats:
                if seat.position and seat.position.offers:
                    with suppress(Declined):  # the update of the other player's move is on its way
                        await seat.act(self.rng.choice(seat.position.offers).action)
            await asyncio.sleep(0.01)


async def reconnect_times(port: int, number: int) -> list[float]:
    """Drop a connection many times and return the seconds that each reconnect took."""
    async with proxied(port) as proxy:
        drops = Drops(proxy, port, random.Random(number))
        await drops.run(-(-DROPS // TABLES))
        return drops.times


async def test_dropped_clients_reconnect_and_receive_every_step_once(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        found = await asyncio.gather(*(reconnect_times(server.port, number) for number in range(TABLES)))
    times = sorted(each for times in found for each in times)
    late = times[len(times) * 99 // 100]
    print(f"{len(times)} drops: back after {times[len(times) // 2]:.2f} s, 99 in 100 after {late:.2f} s")
    assert late <= SOON


async def test_the_rate_limit_is_per_connection(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's limit is per connection, so the client's starts afresh on a new one."""
    monkeypatch.setattr(rate_limiter, "MAX_MESSAGES", 3)  # hello, ready, and ready again after the welcome
    monkeypatch.setattr(rate_limiter, "WINDOW", 600.0)
    async with online(store) as server, proxied(server.port) as proxy, Client(f"http://{HOST}:{server.port}") as client:
        host = await client.open("bebop", 2, "Ada")
        async with TableConnection(proxy.url, host.table, host.token) as ada:
            listener = Listener(ada)
            await ada.ready()
            await listener.welcomed.wait()
            listener.welcomed.clear()
            proxy.cut()
            async with asyncio.timeout(20):
                await listener.welcomed.wait()
            listener.task.cancel()
