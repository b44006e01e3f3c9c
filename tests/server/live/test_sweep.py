"""Abandoned tables, expired names, and wall-clock jumps."""

import random
import time

import pytest

from jamboree.server.live import registry as registries
from jamboree.server.live.registry import DAY
from jamboree.server.store.store import Store
from jamboree.server.wall_clock import WallClock

from ..bench.fake_time import FakeTime
from ..bench.local import Client, a_registry, gathered, play_on, started

HOUR, MONTH = 3600.0, 31 * DAY


def after(days: float) -> WallClock:
    """Make the clock of a server that is started so many days from now."""
    return WallClock(lambda: time.time() + days * DAY)


class Clocks:
    """A wall clock that can be set, and a monotonic one that cannot."""

    def __init__(self) -> None:
        self.set_by, self.steady = 0.0, FakeTime()

    def wall(self) -> WallClock:
        return WallClock(lambda: 1e9 + self.steady() + self.set_by, self.steady)


async def test_abandoned_tables_are_closed(store: Store) -> None:
    async with a_registry(store) as registry:
        gathering, _ = await gathered(registry)
        playing = (await started(registry))[0].session.code
    for days, statuses in ((2, ("closed", "playing")), (31, ("closed", "closed"))):
        async with a_registry(store, wall=after(days)) as registry:
            await registry.sweep()
            tables = [await registry.table(code) for code in (gathering, playing)]
            assert tuple(table.state.roster.status for table in tables) == statuses


async def test_the_age_of_tables_grows_while_the_server_runs(store: Store) -> None:
    clocks = Clocks()
    async with a_registry(store, now=clocks.steady, wall=clocks.wall()) as registry:
        code, _ = await gathered(registry)
        clocks.steady.value += 2 * DAY
        await registry.sweep()
        assert (await registry.table(code)).state.roster.status == "closed"


@pytest.mark.parametrize("jump", [HOUR, MONTH, 12 * MONTH])
@pytest.mark.parametrize("sign", [1, -1])
async def test_a_jumping_wall_clock_closes_and_erases_nothing(store: Store, jump: float, sign: int) -> None:
    clocks = Clocks()
    async with a_registry(store, now=clocks.steady, wall=clocks.wall()) as registry:
        gathering, _ = await gathered(registry)
        players, finished = await started(registry), await started(registry)
        await play_on(finished, random.Random(1))
        for player, set_by in zip(players, (sign * jump, 0.0), strict=True):  # it jumps, and is put right again
            clocks.set_by = set_by
            await registry.sweep()
            assert (await player.act(player.legal()[0], "on"))["type"] == "ack"
            clocks.steady.value += HOUR
        await registry.sweep()
        statuses = [(await registry.table(code)).state.roster.status for code in (gathering, players[0].session.code)]
        assert statuses == ["gathering", "playing"]
        assert all(record.body for record in await store.history(finished[0].session.code))
        assert any(record.personal for record in await store.history(finished[0].session.code))


async def test_a_recently_visited_table_is_not_closed_by_its_date(store: Store) -> None:
    """The clock was set a month ahead while the server was down; the players came back and one is away just now."""
    async with a_registry(store) as registry:
        clients = await started(registry)
        code, token = clients[0].session.code, clients[0].token
    clocks = Clocks()
    clocks.set_by = time.time() - 1e9 - clocks.steady() + MONTH
    async with a_registry(store, now=clocks.steady, wall=clocks.wall()) as registry:
        back = Client(registry, code, token)
        await back.hello()
        await back.session.end()
        await registry.sweep()
        assert (await registry.table(code)).state.roster.status == "playing"
        await registry.unload(code)
        await registry.table(code)  # a request of a stranger
        await registry.sweep()
        assert (await registry.table(code)).state.roster.status == "playing"
        clocks.steady.value += MONTH
        await registry.sweep()
        assert (await registry.table(code)).state.roster.status == "closed"


async def test_the_times_of_visits_are_forgotten_eventually(store: Store) -> None:
    clocks = Clocks()
    async with a_registry(store, now=clocks.steady, wall=clocks.wall()) as registry:
        playing, finished = await started(registry), await started(registry)
        await play_on(finished, random.Random(1))
        for client in (*playing, *finished):
            await client.session.end()
            await registry.unload(client.session.code)
        assert [*registry._visited] == [playing[0].session.code], "nobody is waited for where a game is over"
        clocks.steady.value += MONTH
        await registry.sweep()
        assert not registry._visited


async def test_idle_tables_are_unloaded_and_reloaded(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        code = clients[0].session.code
        idle, _ = await gathered(registry)
        for table in registry.tables.values():
            table.used -= 2 * registries.IDLE
        await registry.sweep()
        await registry.store.listed("playing")
        assert (code in registry.tables, idle in registry.tables) == (True, False), "the first one has a viewer"
        assert (await registry.table(idle)).state.roster.status == "gathering"


async def test_tables_are_unloaded_sooner_if_many_are_loaded(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registries, "MOST_UNWATCHED", 2)
    async with a_registry(store) as registry:
        codes = [(await gathered(registry))[0] for _ in range(4)]
        for minutes, code in enumerate(codes, 1):
            registry.tables[code].used -= minutes * 60
        await registry.sweep()
        await registry.store.listed("gathering")
        assert [code in registry.tables for code in codes] == [True, True, False, False], "the longest unused go first"


async def test_expired_names_and_chat_are_erased_and_the_game_stays(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry)
        await clients[0].send(type="say", id="s", text="my secret name")
        await play_on(clients, random.Random(1))
        code = clients[0].session.code
    async with a_registry(store, wall=after(89)) as registry:
        await registry.sweep()
        assert (await store.load(code)).talk
    async with a_registry(store, wall=after(91)) as registry:
        await registry.sweep()
        assert (await store.load(code)).talk == []
        subscriber = Client(registry, code, clients[0].token)
        await subscriber.hello()
        assert [each["name"] for each in subscriber.table["people"]] == ["", ""]
        assert subscriber.position["outcome"]
        assert not any(record.personal for record in await store.history(code))


async def test_tables_are_sorted_by_the_minute_of_their_last_move(store: Store) -> None:
    clocks = Clocks()
    async with a_registry(store, now=clocks.steady, wall=clocks.wall()) as registry:
        players = await started(registry, seats=3)

        async def moved(after: float) -> int:
            clocks.steady.value += after
            able = next(player for player in players if player.legal())
            assert (await able.act(able.legal()[0], f"after {clocks.steady()}"))["type"] == "ack"
            return (await store.load(players[0].session.code)).listing.touched

        began = (await store.load(players[0].session.code)).listing.touched
        assert await moved(50) == began
        assert await moved(20) == began + 70
        await play_on(players, random.Random(1))
        stored = await store.load(players[0].session.code)
        assert (stored.listing.status, stored.listing.touched) == ("finished", began + 70)
        clocks.steady.value += 5
        await players[0].send(type="say", id="x", text="Well played")
        assert (await store.load(players[0].session.code)).listing.touched == began + 75
