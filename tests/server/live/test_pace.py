"""The pace of bots, and skipping ahead for a single human player."""

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.clock import Tempo
from jamboree.server.live.commands.host import SetPace
from jamboree.server.protocol.terms import BotPace
from jamboree.server.store.store import Store

from ..bench.fake_time import FakeTime
from ..bench.local import EVERY, Client, a_registry, started

SLOW = Tempo(thinking=(10.0, 10.0), forced=(10.0, 10.0))
BOTS = {1: "regular", 2: "regular", 3: "regular"}


async def until_asked(registry: object, now: FakeTime, client: Client) -> float:
    """Advance time in small steps until a player is to move; return the elapsed time."""
    gone = 0.0
    while not client.legal():
        await now.goes_by(registry, 0.5)  # type: ignore[arg-type]
        gone += 0.5
    return gone


async def end_turn(client: Client) -> None:
    while client.legal():
        await client.act(client.legal()[0], f"{len(client.received)}")


async def a_round(store: Store, pace: BotPace) -> float:
    """Play a round; say how long a bot took over a step in the middle, since turns have more steps or fewer."""
    now = FakeTime()
    async with a_registry(store, EVERY, 3, SLOW, now=now) as registry:
        (ada,) = await started(registry, "bebop", 4, bots=BOTS)
        await registry.tables[ada.session.code].ask(SetPace(pace), "p1")
        await until_asked(registry, now, ada)
        await end_turn(ada)
        before = ada.seq
        return await until_asked(registry, now, ada) / (ada.seq - before)


async def test_quick_bots_take_a_third_of_the_time_and_instant_ones_none(store: Store) -> None:
    relaxed, quick, instant = [await a_round(store, pace) for pace in BotPace]
    assert 10.0 <= relaxed <= 11.0
    assert 3.0 <= quick <= 4.0
    assert instant <= 0.5


async def test_the_host_sets_the_pace_and_it_is_stored(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, _ = await started(registry, "bebop", 2)
        table = registry.tables[ada.session.code]
        with pytest.raises(Refused) as refusal:
            await table.ask(SetPace(BotPace.QUICK), "p2")
        assert refusal.value.code == "host-only"
        await table.ask(SetPace(BotPace.QUICK), "p1")
        assert ada.table["pace"] == "quick"
    async with a_registry(store, EVERY) as registry:
        assert (await registry.table(ada.session.code)).state.roster.pace == BotPace.QUICK


async def test_a_lone_player_can_hurry_the_bots(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, 3, SLOW, now=now) as registry:
        (ada,) = await started(registry, "bebop", 4, bots=BOTS)
        await until_asked(registry, now, ada)
        await end_turn(ada)
        assert (await ada.send(type="hurry", id="h"))["type"] == "ack"
        assert await until_asked(registry, now, ada) <= 3.0
        await end_turn(ada)
        assert await until_asked(registry, now, ada) >= 10.0


async def test_bots_cannot_be_hurried_among_people(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, _ = await started(registry, "bebop", 3, bots={2: "regular"})
        assert (await ada.send(type="hurry", id="h"))["code"] == "not-allowed"
        guest = Client(registry, ada.session.code)
        await guest.hello()
        assert (await guest.send(type="hurry", id="h"))["code"] == "players-only"
