"""Bots in seats: who seats them, and their names."""

import pytest

from jamboree.bots import available_level
from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import NAMES, SeatBot, SetAccess, SetPace
from jamboree.server.live.commands.joining import Join, TakeSeat
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.protocol.terms import BotPace, Spectators
from jamboree.server.store.store import Store

from ...bench.fake_time import until
from ...bench.local import EVERY, a_registry, gathered, started
from ...bench.online import online

TABLES = "/api/v1/tables"


async def test_the_host_adds_and_removes_bots(store: Store) -> None:
    async with online(store, games=EVERY) as server:
        body = {"game": "bebop", "seats": 3, "name": "Ada", "bots": {"2": "rookie"}, "start": True}
        ada = (await server.post(TABLES, body)).body
        code, host = ada["table"], {"authorization": f"Bearer {ada['token']}"}
        bob = (await server.post(f"{TABLES}/{code}/join", {"name": "Bob"})).body
        assert bob["seat"] == 1
        before = (await server.get(f"{TABLES}/{code}")).body
        assert (before["status"], [bot["level"] for bot in before["bots"]]) == ("gathering", ["rookie"])

        async def place(seat: int, level: str | None, **who: str) -> tuple[int, str]:
            answer = await server.post(f"{TABLES}/{code}/bots", {"seat": seat, "level": level}, **who)
            return answer.status, answer.body["code"] if answer.body else ""

        assert await place(2, "regular", authorization=f"Bearer {bob['token']}") == (403, "host-only")
        assert await place(1, "regular", **host) == (409, "taken")
        assert await place(7, "regular", **host) == (409, "taken")
        assert await place(2, "wizard", **host) == (400, "malformed")
        assert await place(2, "regular", **host) == (204, "")
        after = (await server.get(f"{TABLES}/{code}")).body["bots"]
        assert [bot["name"] for bot in before["bots"]] == ["Pip"]
        assert after == [{"seat": 2, "level": "regular", "name": "Mabel"}], "each level has its own character"
        assert await place(2, None, **host) == (204, "")
        refused = await server.post(f"{TABLES}/{code}/start", **host)
        assert refused.body["code"] == "not-full"
        assert await place(2, "rookie", **host) == (204, "")
        assert (await server.post(f"{TABLES}/{code}/start", **host)).status == 204
        assert await place(2, None, **host) == (409, "started")


async def test_the_host_moves_bots_by_moving_people(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, (ada, bob) = await gathered(registry, "bebop", 3, bots={2: "regular"})
        table = await registry.table(code)
        with pytest.raises(Refused, match="host"):
            await table.ask(TakeSeat(2, bob.person), bob.person)
        await table.ask(TakeSeat(2, bob.person), ada.person)
        assert (list(table.state.roster.bots), table.state.roster.person_at(2)) == ([1], bob.person)
        await table.ask(TakeSeat(None, bob.person), bob.person)
        await table.ask(TakeSeat(1, bob.person), ada.person)
        assert (table.state.roster.bots, table.state.roster.free_seats()) == ({}, [2])


async def test_a_second_bot_of_a_level_has_another_lasting_name(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, ada = await registry.open(OpenTable(game="bebop", seats=3, name="Ada", bots={1: "rookie", 2: "rookie"}))
        table = await registry.table(code)
        first, second = (table.state.roster.bots[seat].name for seat in (1, 2))
        assert (first, second in NAMES) == ("Pip", True)
        await table.ask(SeatBot(2, "regular"), ada.person)
        assert table.state.roster.bots[2].name == second


async def test_an_unavailable_level_is_refused_with_the_available_ones(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, ada = await registry.open(OpenTable(game="high-card", seats=3, name="Ada"))
        table = await registry.table(code)
        with pytest.raises(Refused, match="High Card has no such bot; it has: rookie, regular") as refusal:
            await table.ask(SeatBot(2, "star"), ada.person)
        assert (refusal.value.code, table.state.roster.bots) == ("no-level", {})


async def test_an_unavailable_level_of_a_new_table_is_replaced(store: Store) -> None:
    """A table never shows a better player than the one who sits there."""
    async with a_registry(store, EVERY) as registry:
        for game in ("bebop", "high-card"):
            best = available_level(registry.games[game], "star")
            code, _ = await registry.open(OpenTable(game=game, seats=3, name="Ada", bots={1: "star"}))
            table = await registry.table(code)
            assert [bot.level for bot in table.state.roster.bots.values()] == [best]
        assert best == "regular"


async def test_all_names_at_a_table_differ(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, _ = await registry.open(
            OpenTable(game="boogie", seats=8, name=NAMES[0], bots=dict.fromkeys(range(1, 7), "rookie"))
        )
        table = await registry.table(code)
        names = [bot.name for bot in table.state.roster.bots.values()]
        await table.ask(Join(names[0].upper()))
        assert len({name.casefold() for name in table.state.roster.names()}) == 8
        assert len(set(NAMES)) == len(NAMES) > 40


async def test_a_rematch_keeps_the_hosts_settings(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={0: "rookie"}, seconds=77)
        code = ada.session.code
        await registry.tables[code].ask(SetAccess(spectators=Spectators.JOINED, latecomers=True), "p1")
        await registry.tables[code].ask(SetPace(BotPace.QUICK), "p1")
        while not ada.position["outcome"]:
            await until(lambda: bool(ada.legal() or ada.position["outcome"]))
            if ada.legal():
                await ada.act(ada.legal()[0], f"{ada.seq}")
        new = await registry.table(await registry.rematch(code, "p1"))
        before = registry.tables[code].state.roster
        assert (new.state.roster.bots, new.state.roster.seconds) == (before.bots, 77)
        assert new.state.roster.free_seats() == []
        assert (new.state.roster.pace, new.state.roster.spectators) == (BotPace.QUICK, Spectators.JOINED)
        assert new.state.roster.latecomers
