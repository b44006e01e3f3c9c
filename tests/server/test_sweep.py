"""Tables nobody comes back to, names that are forgotten, and a wall clock that jumps."""

import random
import time

import pytest

from jamboree.server.store import Store
from jamboree.server.table import registry as houses
from jamboree.server.table.registry import DAY
from jamboree.server.wall_clock import WallClock

from .fake_time import FakeTime
from .local import Client, a_house, gathered, play_on, started

HOUR, MONTH = 3600.0, 31 * DAY


def after(days: float) -> WallClock:
    """Make the clock of a server that is started so many days from now."""
    return WallClock(lambda: time.time() + days * DAY)


class Clocks:
    """A wall clock that can be set, beside one that nobody sets."""

    def __init__(self) -> None:
        self.set_by, self.steady = 0.0, FakeTime()

    def wall(self) -> WallClock:
        return WallClock(lambda: 1e9 + self.steady() + self.set_by, self.steady)


async def test_tables_nobody_comes_back_to_are_closed(store: Store) -> None:
    async with a_house(store) as house:
        gathering, _ = await gathered(house)
        playing = (await started(house))[0].session.code
    for days, statuses in ((2, ("closed", "playing")), (31, ("closed", "closed"))):
        async with a_house(store, wall=after(days)) as house:
            await house.sweep()
            tables = [await house.table(code) for code in (gathering, playing)]
            assert tuple(table.memory.lobby.status for table in tables) == statuses


async def test_days_that_go_by_while_the_server_runs_count(store: Store) -> None:
    clocks = Clocks()
    async with a_house(store, now=clocks.steady, wall=clocks.wall()) as house:
        code, _ = await gathered(house)
        clocks.steady.value += 2 * DAY
        await house.sweep()
        assert (await house.table(code)).memory.lobby.status == "closed"


@pytest.mark.parametrize("jump", [HOUR, MONTH, 12 * MONTH])
@pytest.mark.parametrize("sign", [1, -1])
async def test_a_wall_clock_that_jumps_closes_nothing_and_erases_nothing(store: Store, jump: float, sign: int) -> None:
    clocks = Clocks()
    async with a_house(store, now=clocks.steady, wall=clocks.wall()) as house:
        gathering, _ = await gathered(house)
        players, finished = await started(house), await started(house)
        await play_on(finished, random.Random(1))
        for player, set_by in zip(players, (sign * jump, 0.0), strict=True):  # it jumps, and is put right again
            clocks.set_by = set_by
            await house.sweep()
            assert (await player.act(player.legal()[0], "on"))["type"] == "ack"
            clocks.steady.value += HOUR
        await house.sweep()
        statuses = [(await house.table(code)).memory.lobby.status for code in (gathering, players[0].session.code)]
        assert statuses == ["gathering", "playing"]
        assert all(record.body for record in await store.history(finished[0].session.code))
        assert any(record.personal for record in await store.history(finished[0].session.code))


async def test_a_table_that_somebody_was_at_is_not_closed_by_the_date(store: Store) -> None:
    """The clock was set a month ahead while the server was down; the players came back and one is away just now."""
    async with a_house(store) as house:
        clients = await started(house)
        code, token = clients[0].session.code, clients[0].token
    clocks = Clocks()
    clocks.set_by = time.time() - 1e9 - clocks.steady() + MONTH
    async with a_house(store, now=clocks.steady, wall=clocks.wall()) as house:
        back = Client(house, code, token)
        await back.hello()
        await back.session.end()
        await house.sweep()
        assert (await house.table(code)).memory.lobby.status == "playing"
        clocks.steady.value += MONTH
        await house.sweep()
        assert (await house.table(code)).memory.lobby.status == "closed"


async def test_tables_nobody_uses_are_put_away_and_found_again(store: Store) -> None:
    async with a_house(store) as house:
        clients = await started(house)
        code = clients[0].session.code
        idle, _ = await gathered(house)
        for table in house.tables.values():
            table.used -= 2 * houses.IDLE
        await house.sweep()
        await house.store.listed("playing")
        assert (code in house.tables, idle in house.tables) == (True, False), "somebody looks at the first"
        assert (await house.table(idle)).memory.lobby.status == "gathering"


async def test_when_very_many_tables_are_open_they_are_put_away_sooner(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(houses, "MOST_UNWATCHED", 2)
    async with a_house(store) as house:
        codes = [(await gathered(house))[0] for _ in range(4)]
        for minutes, code in enumerate(codes, 1):
            house.tables[code].used -= minutes * 60
        await house.sweep()
        await house.store.listed("gathering")
        assert [code in house.tables for code in codes] == [True, True, False, False], "the longest unused go first"


async def test_names_and_talk_are_erased_and_the_game_stays(store: Store) -> None:
    async with a_house(store) as house:
        clients = await started(house)
        await clients[0].send(type="say", id="s", text="my secret name")
        await play_on(clients, random.Random(1))
        code = clients[0].session.code
    async with a_house(store, wall=after(89)) as house:
        await house.sweep()
        assert (await store.load(code)).talk
    async with a_house(store, wall=after(91)) as house:
        await house.sweep()
        assert (await store.load(code)).talk == []
        watcher = Client(house, code, clients[0].token)
        await watcher.hello()
        assert [each["name"] for each in watcher.table["people"]] == ["", ""]
        assert watcher.position["outcome"]
        assert not any(record.personal for record in await store.history(code))
