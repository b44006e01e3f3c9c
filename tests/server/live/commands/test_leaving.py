"""Joining and leaving: one role per person, no way back in after a removal, and nothing shown before it is stored."""

import asyncio
import random
from typing import Any

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import Remove
from jamboree.server.live.commands.joining import Join, Leave
from jamboree.server.live.registry import Registry
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.store import Append, Unavailable
from jamboree.server.store.store import Store

from ...bench.fake_time import until
from ...bench.local import Client, a_registry, gathered, play_on, started
from ...bench.online import online

LAY = {"type": "Lay", "slot": 0}


async def test_leaving_ends_the_other_tabs_of_the_person(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob = await started(registry)
        await registry.tables[ada.session.code].ask(Leave(), str(bob.session.person))
        assert (await bob.act(LAY, "one"))["code"] == "left"
        back = Client(registry, ada.session.code, bob.token)
        await back.hello()
        assert not next(each for each in ada.table["people"] if each["name"] == "Bob")["bot_plays"]
        assert (await back.act(LAY, "two")).get("code") != "left"


async def test_a_removed_person_cannot_return_and_is_told_why(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry)
        table = await registry.table(code)
        there, late = Client(registry, code, bob.token), Client(registry, code, bob.token)
        await there.hello()
        shown_out = asyncio.create_task(table.ask(Remove(bob.person), ada.person))
        await asyncio.sleep(0)
        assert (await late.hello())["code"] == "wrong-token"
        await shown_out
        assert there.received[-1]["code"] == "removed"
        assert table.state.roster.people[bob.person].gone


async def test_spectators_who_left_receive_nothing(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        table = registry.tables[ada.session.code]
        guest = await table.ask(Join("Guest", watch=True))
        there = Client(registry, ada.session.code, guest.token)
        await there.hello()
        await table.ask(Leave(), guest.person)
        assert there.closed
        received = len(there.received)
        await ada.act(LAY, "one")
        assert len(there.received) == received
        assert there.received[-1]["code"] == "wrong-token"


async def test_removed_people_make_room(store: Store) -> None:
    async with a_registry(store) as registry:
        code, host = await registry.open(OpenTable(game="high-card", seats=2, name="Ada"))
        table = await registry.table(code)
        for number in range(70):
            guest = await table.ask(Join(f"Guest {number}", watch=True))
            await table.ask(Remove(guest.person), host.person)
        assert (await table.ask(Join("Bob"))).seat == 1


async def test_concurrent_rematch_requests_open_one_table(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await started(registry, seats=3)
        await play_on(clients, random.Random(1))
        code = clients[0].session.code
        codes = await asyncio.gather(*(registry.rematch(code, str(client.session.person)) for client in clients))
        assert len(set(codes)) == 1
        assert len(await store.listed("gathering")) == 1


class Refusing:
    """A store that thinks about an append for as long as a test wants, and then fails."""

    def __init__(self, store: Store) -> None:
        self.store, self.failing = store, False
        self.asked, self.fail = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    async def append(self, append: Append) -> None:
        if not self.failing:
            return await self.store.append(append)
        self.asked.set()
        await self.fail.wait()
        raise Unavailable("the disk is gone")


async def test_an_unstored_end_reveals_nothing(store: Store) -> None:
    slow = Refusing(store)
    async with online(slow) as server:  # type: ignore[arg-type]
        tickets = await server.seated()
        code = tickets[0]["table"]
        registry: Registry = server.registry
        table = await registry.table(code)
        await table.ask(Leave(), tickets[1]["person"])
        slow.failing = True
        leaving = asyncio.create_task(table.ask(Leave(), tickets[0]["person"]))
        await slow.asked.wait()
        asking = [asyncio.create_task(server.get(f"/api/v1/tables/{code}/{what}")) for what in ("fairness", "journal")]
        await until(lambda: len(table.inbox._jobs) == len(asking))
        slow.fail.set()
        fairness, journal = await asyncio.gather(*asking)
        assert not fairness.body.get("secret")
        assert journal.status == 409
        with pytest.raises(Refused, match="could not be saved"):
            await leaving
