"""Rematches: seats, copied chat, and the announcement."""

import random

import pytest

from jamboree.server.live.commands.host import Mute
from jamboree.server.live.commands.joining import ChooseAvatar
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.opening import NextGame, same_seats
from jamboree.server.live.records import AvatarTaken
from jamboree.server.live.registry import Registry
from jamboree.server.protocol.terms import Seating
from jamboree.server.store.store import Store

from ...bench.local import EVERY, Client, a_registry, gathered, play_on


async def finished(registry: Registry, seats: int = 3) -> list[Client]:
    """Play a game to its end with a client for each seat."""
    code, tickets = await gathered(registry, "high-card", seats)
    table = await registry.table(code)
    await table.ask(Start(), "p1")
    clients = [Client(registry, code, ticket.token) for ticket in tickets]
    for client in clients:
        await client.hello()
    await play_on(clients, random.Random(1))
    return clients


@pytest.mark.parametrize(("seating", "seats"), [(Seating.SAME, [0, 1, 2]), (Seating.ROTATED, [1, 2, 0])])
async def test_seats_of_a_rematch_follow_the_request(store: Store, seating: Seating, seats: list[int]) -> None:
    async with a_registry(store) as registry:
        clients = await finished(registry)
        names = [each["name"] for each in clients[0].table["people"]]
        table = await registry.table(await registry.rematch(clients[0].session.code, "p1", seating))
        sitting = {each.name: each.seat for each in (await table.inspect()).people}
        assert [sitting[name] for name in names] == seats
        for client, seat in zip(clients, seats, strict=True):
            again = Client(registry, table.code, client.token)
            assert (await again.hello())["you"]["seat"] == seat, "tokens are good there"


async def test_a_shuffled_rematch_seats_everyone_once(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await finished(registry)
        table = await registry.table(await registry.rematch(clients[0].session.code, "p1", Seating.SHUFFLED))
        assert sorted(each.seat for each in (await table.inspect()).people if each.seat is not None) == [0, 1, 2]


async def test_avatars_move_with_people_in_a_rematch(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        code, _ = await gathered(registry, "bebop", 2)
        table = await registry.table(code)
        await table.ask(ChooseAvatar(3), "p1")
        roster = table.state.roster
        records = NextGame(roster, "p1", same_seats(roster, "p1", Seating.ROTATED)).first_records()
        assert [one for one in records if isinstance(one, AvatarTaken)] == [AvatarTaken(0, 1), AvatarTaken(1, 3)]


async def test_a_rematch_is_announced_with_its_requester(store: Store) -> None:
    async with a_registry(store) as registry:
        clients = await finished(registry)
        subscriber = Client(registry, clients[0].session.code)
        await subscriber.hello()
        new = await registry.rematch(clients[0].session.code, "p2")
        for client in (*clients, subscriber):
            assert (client.table["rematch"], client.table["rematch_by"]) == (new, "p2")


async def test_public_chat_is_copied_to_a_rematch(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob, cleo = await finished(registry)
        await ada.send(type="say", id="1", text="Well played!")
        await bob.send(type="say", id="2", text="psst", to="p3")
        code = await registry.rematch(ada.session.code, "p2", Seating.ROTATED)
        again = Client(registry, code, cleo.token)
        talk = (await again.hello())["chat"]
        people = {each["person"]: each["name"] for each in again.table["people"]}
        assert [(people[line["person"]], line["text"]) for line in talk] == [("Ada", "Well played!")]
    async with a_registry(store) as registry:  # and it is kept
        again = Client(registry, code, cleo.token)
        assert [line["text"] for line in (await again.hello())["chat"]] == ["Well played!"]


async def test_muted_people_stay_muted_in_a_rematch(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, bob, _ = await finished(registry)
        await registry.tables[ada.session.code].ask(Mute("p2"), "p1")
        code = await registry.rematch(ada.session.code, "p1")
    async with a_registry(store) as registry:
        again = Client(registry, code, bob.token)
        await again.hello()
        assert [each["muted"] for each in again.table["people"]] == [False, True, False]
        assert (await again.send(type="say", id="1", text="Hello"))["code"] == "muted"
