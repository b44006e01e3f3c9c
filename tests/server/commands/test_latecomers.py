"""Somebody who comes during a game takes the seat of a bot, if the host likes."""

import pytest

from jamboree.server.commands.access import SetAccess
from jamboree.server.commands.command import Join, Move
from jamboree.server.errors import Refused
from jamboree.server.store import Store
from jamboree.server.table.guests import DELAY

from ..bench.fake_time import FakeTime
from ..bench.local import EVERY, Client, a_registry, started


async def test_a_bot_makes_room_if_the_host_likes(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"}, hidden_hands=True)
        code = ada.session.code
        table = registry.tables[code]
        with pytest.raises(Refused) as refusal:
            await table.ask(Join("Bob"))
        assert refusal.value.code == "started"
        await table.ask(SetAccess("p1", latecomers=True))
        bob = await table.ask(Join("Bob"))
        assert bob.seat == 1
        assert ada.table["bots"] == []
        with pytest.raises(Refused) as refusal:
            await table.ask(Join("Cleo"))
        assert refusal.value.code == "full"
        client = Client(registry, code, bob.token)
        welcome = await client.hello()
        assert welcome["you"] == {"person": bob.person, "seat": 1}
        assert welcome["position"]["view"]["viewer"] == 1
    async with a_registry(store, EVERY) as registry:
        lobby = (await registry.table(code)).memory.lobby
        assert (lobby.names(), lobby.bots, lobby.latecomers) == (["Ada", "Bob"], {}, True)


async def test_the_bot_moves_no_more_and_the_latecomer_does(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
        table = registry.tables[ada.session.code]
        await table.ask(SetAccess("p1", latecomers=True))
        bob = await table.ask(Join("Bob", watch=True))
        await table.ask(Move(bob.person, bob.person, 1))
        client = Client(registry, ada.session.code, bob.token)
        await client.hello()
        while ada.legal():
            await ada.act(ada.legal()[0], f"{len(ada.heard)}")
        before = table.memory.seq
        await now.goes_by(registry, 60.0)
        assert table.memory.seq == before
        assert (await client.act(client.legal()[0], "mine"))["type"] == "ack"


async def test_spectators_take_no_seat_of_a_person(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, _ = await started(registry, "bebop", 3, bots={2: "regular"})
        table = registry.tables[ada.session.code]
        await table.ask(SetAccess("p1", latecomers=True))
        cleo = await table.ask(Join("Cleo", watch=True))
        for person, seat in ((cleo.person, 1), ("p1", 2)):
            with pytest.raises(Refused) as refusal:
                await table.ask(Move(person, person, seat))
            assert refusal.value.code == "started"


async def test_guests_are_counted_all_at_once(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        ada, _ = await started(registry)
        heard = len(ada.heard)
        guests = [Client(registry, ada.session.code) for _ in range(3)]
        for guest in guests:
            await guest.hello()
        assert [guest.table["guests"] for guest in guests] == [1, 2, 3]
        assert len(ada.heard) == heard
        await now.goes_by(registry, DELAY + 0.1)
        assert (ada.table["guests"], len(ada.heard)) == (3, heard + 1)
        await guests[0].session.end()
        await now.goes_by(registry, DELAY + 0.1)
        assert ada.table["guests"] == 2
