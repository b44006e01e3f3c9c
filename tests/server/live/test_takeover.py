"""A bot plays for an absent player; a table never waits for ever, and never plays for nobody."""

import asyncio
import gc
import weakref
from typing import Any

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.bots.pool import Choice, Renewed
from jamboree.server.live.bots.worker import Question
from jamboree.server.live.commands.host import Remove
from jamboree.server.live.commands.joining import Leave
from jamboree.server.live.records import Acted, read
from jamboree.server.live.registry import Registry
from jamboree.server.live.replay import journal_of
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime, settled, until
from ..bench.local import EVERY, Client, Thinking, a_registry, started

LAY = {"type": "Lay", "slot": 0}


def table_of(registry: Registry, client: Client) -> Any:
    return registry.tables[client.session.code]


def asked(clients: list[Client]) -> tuple[Client, Client]:
    """Return the player to move and another one."""
    first = next(client for client in clients if client.legal())
    return first, next(client for client in clients if client is not first)


def person(subscriber: Client, who: Client) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in subscriber.table["people"] if each["person"] == who.session.person)
    return found


def clock(client: Client) -> Any:
    return next(each["clock"] for each in reversed(client.received) if "clock" in each)


async def stood_in(store: Store, client: Client) -> list[bool]:
    records = [read(stored) for stored in await store.history(client.session.code)]
    return [record.stood_in for record in records if isinstance(record, Acted)]


async def test_a_bot_plays_for_an_absent_player_until_the_return(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 2)
        away, there = asked(clients)
        await now.goes_by(registry, 100.0)
        await away.session.end()
        seat = person(there, away)["seat"]
        assert clock(there) == {"kind": "grace", "left": 120.0, "of": 120.0, "running": True, "seats": [seat]}
        assert person(there, away)["bot_in"] == 120.0
        await now.goes_by(registry, 119.9)
        assert not person(there, away)["bot_plays"]
        assert await stood_in(store, there) == []
        await now.goes_by(registry, 0.2)
        assert person(there, away)["bot_plays"]
        assert set(await stood_in(store, there)) == {True}
        assert there.legal(), "the turn has come to the other"
        assert clock(there) is None
        moves = len(await stood_in(store, there))
        assert (await away.hello())["bot_moves"] == moves, "returning players learn how many moves were made for them"
        assert not person(there, away)["bot_plays"]
        moves = len(await stood_in(store, there))
        while there.legal():
            await there.act(there.legal()[0], f"{there.seq}")
        await now.goes_by(registry, 200.0)
        assert set((await stood_in(store, there))[moves:]) == {False}, "the table waits for its owner again"
        assert away.legal()


async def test_a_long_absent_player_is_not_waited_for(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        clients = await started(registry, "bebop", 2)
        there, away = asked(clients)
        await away.session.end()
        await now.goes_by(registry, 130.0)
        assert not person(there, away)["bot_plays"], "nothing was asked of them"
        while there.legal() and not person(there, away)["bot_plays"]:
            await there.act(there.legal()[0], f"{there.seq}")
        await now.goes_by(registry, 0.0)
        assert person(there, away)["bot_plays"]
        assert there.legal()


async def test_a_bot_replaces_a_player_who_left_and_may_return(store: Store) -> None:
    async with a_registry(store, EVERY, now=FakeTime()) as registry:
        clients = await started(registry, "bebop", 2)
        leaver, there = asked(clients)
        await leaver.session.end()
        await table_of(registry, there).ask(Leave(), leaver.session.person or "")
        await until(lambda: bool(there.legal()))
        assert person(there, leaver)["bot_plays"]
        await leaver.hello()
        assert not person(there, leaver)["bot_plays"]
        assert len(there.table["people"]) == 2


async def test_a_bot_replaces_a_removed_player_permanently(store: Store) -> None:
    async with a_registry(store, EVERY, now=FakeTime()) as registry:
        ada, bob = await started(registry, "bebop", 2)
        table = table_of(registry, ada)
        with pytest.raises(Refused, match="host"):
            await table.ask(Remove("p1"), "p2")
        await table.ask(Remove("p2"), "p1")
        assert bob.closed
        (bot,) = ada.table["bots"]
        assert (bot["seat"], bot["level"]) == (1, "regular")
        assert [each["person"] for each in ada.table["people"]] == ["p1"]
        assert (await Client(registry, ada.session.code, bob.token).hello())["code"] == "wrong-token"
        while not ada.position["outcome"]:
            await until(lambda: bool(ada.legal() or ada.position["outcome"]))
            if ada.legal():
                await ada.act(ada.legal()[0], f"{ada.seq}")
        assert journal_of(await store.history(ada.session.code)).header.names == ["Ada", bot["name"]]


async def test_a_game_rests_while_all_players_are_absent(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
        stranger = Client(registry, ada.session.code)
        await stranger.hello()
        await until(lambda: bool(ada.legal()))
        await ada.session.end()
        seq = stranger.seq
        await now.goes_by(registry, 3600.0)
        assert stranger.seq == seq
        assert not person(stranger, ada)["bot_plays"]
        await ada.hello()
        while ada.legal():
            await ada.act(ada.legal()[0], f"{ada.seq}")
        seq = ada.seq
        await until(lambda: bool(ada.legal()))
        assert ada.seq > seq


async def test_a_table_of_bots_closes_when_the_last_person_leaves(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada,) = await started(registry, "bebop", 3, bots={0: "rookie", 2: "regular"})
        assert ada.table["host"] == "p1"
        table = table_of(registry, ada)
        await table.ask(Leave(), "p1")
        assert table.state.roster.status == "closed"


class Slow(Thinking):
    """A bot that thinks until it is stopped."""

    def __init__(self) -> None:
        super().__init__(EVERY)
        self.asked, self.go = 0, asyncio.Event()

    async def choose(self, question: Question, renewed: Renewed | None = None) -> Choice:
        self.asked += 1
        await self.go.wait()
        return await super().choose(question)  # it had begun to think about this one


async def test_a_bots_move_is_discarded_if_the_player_returned_meanwhile(store: Store) -> None:
    now, slow = FakeTime(), Slow()
    async with a_registry(store, EVERY, now=now, thinker=slow) as registry:
        clients = await started(registry, "bebop", 2)
        away, there = asked(clients)
        await away.session.end()
        now.value += 121.0
        await there.send(type="ping", id="1")
        await table_of(registry, there).inspect()
        await until(lambda: slow.asked == 1)
        await away.hello()
        slow.go.set()
        await settled(table_of(registry, there))
        assert await stood_in(store, there) == []
        assert (await away.act(away.legal()[0], "mine"))["type"] == "ack"


async def test_a_bots_move_for_an_outdated_position_is_recomputed(store: Store) -> None:
    slow = Slow()
    async with a_registry(store, EVERY, thinker=slow) as registry:
        ada, bob = await started(registry, "high-card", 3, bots={2: "regular"})
        await until(lambda: slow.asked == 1)
        await ada.act(LAY, "1")
        slow.go.set()
        await until(lambda: bool(ada.position["view"]["laid"][2]))
        assert slow.asked == 2
        assert registry.bot_metrics.fallbacks == 0
        assert bob.legal()


async def test_a_cancelled_bot_is_freed_immediately(store: Store) -> None:
    """It holds a question, which is as large as a view; what goes in circles is freed seldom."""
    slow = Slow()
    async with a_registry(store, EVERY, thinker=slow) as registry:
        clients = await started(registry, "bebop", 2, bots={1: "regular"})
        while not slow.asked:
            if clients[0].legal():
                await clients[0].act(clients[0].legal()[0], f"{clients[0].seq}")
            await asyncio.sleep(0)
        table = registry.tables[clients[0].session.code]
        (turn,) = table.scheduler.bot_scheduler._running.values()
        thinking = weakref.ref(turn.work)
        gc.collect()
        gc.disable()
        try:
            del turn
            table.scheduler.bot_scheduler.stop()
            for _ in range(10):
                await asyncio.sleep(0)
            assert thinking() is None
        finally:
            gc.enable()
