"""Tables nobody comes back to, and names that are forgotten."""

import random
import time

import pytest

from jamboree.server import house as houses
from jamboree.server.house import DAY
from jamboree.server.store import Store

from .local import Client, a_house, gathered, play_on, started


async def test_tables_nobody_comes_back_to_are_closed(store: Store) -> None:
    async with a_house(store) as house:
        gathering, _ = await gathered(house)
        playing = (await started(house))[0].session.code
        await house.sweep(time.time() + 2 * DAY)
        assert (await house.table(gathering)).memory.lobby.status == "closed"
        assert (await house.table(playing)).memory.lobby.status == "playing"
        await house.sweep(time.time() + 31 * DAY)
        assert (await house.table(playing)).memory.lobby.status == "closed"


async def test_tables_nobody_uses_are_put_away_and_found_again(store: Store) -> None:
    async with a_house(store) as house:
        clients = await started(house)
        code = clients[0].session.code
        idle, _ = await gathered(house)
        for table in house.tables.values():
            table.used -= 2 * houses.IDLE
        await house.sweep(time.time())
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
        await house.sweep(time.time())
        await house.store.listed("gathering")
        assert [code in house.tables for code in codes] == [True, True, False, False], "the longest unused go first"


async def test_names_and_talk_are_erased_and_the_game_stays(store: Store) -> None:
    async with a_house(store) as house:
        clients = await started(house)
        await clients[0].send(type="say", id="s", text="my secret name")
        await play_on(clients, random.Random(1))
        code = clients[0].session.code
    async with a_house(store) as house:
        await house.sweep(time.time() + 89 * DAY)
        assert (await store.load(code)).talk
    async with a_house(store) as house:
        await house.sweep(time.time() + 91 * DAY)
        assert (await store.load(code)).talk == []
        watcher = Client(house, code, clients[0].token)
        await watcher.hello()
        assert [each["name"] for each in watcher.table["people"]] == ["", ""]
        assert watcher.position["outcome"]
        assert not any(record.personal for record in await store.history(code))
