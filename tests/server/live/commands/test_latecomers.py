"""People who join during a game take the seats of bots, if the host allows it."""

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.commands.host import SetAccess
from jamboree.server.live.commands.joining import AnswerSeatRequest, Join, Leave, RequestSeat, TakeSeat
from jamboree.server.live.presence import GUESTS_COUNTED
from jamboree.server.protocol.terms import Status
from jamboree.server.store.store import Store

from ...bench.fake_time import FakeTime
from ...bench.local import EVERY, Client, a_registry, started


async def test_a_latecomer_replaces_a_bot_if_the_host_allows_it(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"}, hidden_hands=True)
        code = ada.session.code
        table = registry.tables[code]
        with pytest.raises(Refused) as refusal:
            await table.ask(Join("Bob"))
        assert refusal.value.code == "started"
        await table.ask(SetAccess(latecomers=True), "p1")
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
        roster = (await registry.table(code)).state.roster
        assert (roster.names(), roster.bots, roster.latecomers) == (["Ada", "Bob"], {}, True)


async def test_after_the_exchange_the_latecomer_plays_instead_of_the_bot(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
        table = registry.tables[ada.session.code]
        await table.ask(SetAccess(latecomers=True), "p1")
        bob = await table.ask(Join("Bob", watch=True))
        await table.ask(TakeSeat(1, bob.person), bob.person)
        client = Client(registry, ada.session.code, bob.token)
        await client.hello()
        while ada.legal():
            await ada.act(ada.legal()[0], f"{len(ada.received)}")
        before = table.state.seq
        await now.goes_by(registry, 60.0)
        assert table.state.seq == before
        assert (await client.act(client.legal()[0], "mine"))["type"] == "ack"


async def test_the_host_is_asked_for_a_bots_seat(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada,) = await started(registry, "bebop", 3, bots={1: "regular", 2: "rookie"}, hidden_hands=True)
        code = ada.session.code
        table = registry.tables[code]
        bob, cleo = await table.ask(Join("Bob", watch=True)), await table.ask(Join("Cleo", watch=True))
        await table.ask(RequestSeat(1), bob.person)
        await table.ask(RequestSeat(1), cleo.person)
        assert asking(ada) == [None, 1, 1]
        for person in (bob.person, cleo.person):
            with pytest.raises(Refused) as refusal:
                await table.ask(AnswerSeatRequest(bob.person, True), person)
            assert refusal.value.code == "host-only"
        await table.ask(AnswerSeatRequest(bob.person, False), "p1")
        assert asking(ada) == [None, None, 1]
        with pytest.raises(Refused) as refusal:
            await table.ask(AnswerSeatRequest(bob.person, True), "p1")
        assert refusal.value.code == "not-asked"
        await table.ask(RequestSeat(1), bob.person)
        await table.ask(AnswerSeatRequest(bob.person, True), "p1")
        assert asking(ada) == [None, None, None], "the bot whose seat Cleo asked for is gone"
        assert [person["seat"] for person in ada.table["people"]] == [0, 1, None]
        client = Client(registry, code, bob.token)
        assert (await client.hello())["position"]["view"]["viewer"] == 1


async def test_a_request_for_a_seat_is_stored_and_can_be_withdrawn(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        (ada,) = await started(registry, "bebop", 2, bots={1: "regular"})
        code = ada.session.code
        table = registry.tables[code]
        bob = await table.ask(Join("Bob", watch=True))
        await table.ask(RequestSeat(1), bob.person)
    async with a_registry(store, EVERY) as registry:
        table = await registry.table(code)
        assert table.state.roster.seats_asked == {bob.person: 1}
        await table.ask(RequestSeat(None), bob.person)
        assert table.state.roster.seats_asked == {}
        await table.ask(RequestSeat(1), bob.person)
        await table.ask(Leave(), bob.person)
        assert table.state.roster.seats_asked == {}


async def test_no_seat_is_taken_after_the_game(store: Store) -> None:
    """A spectator whose question was still open became the winner of a game they had only watched."""
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        (ada,) = await started(registry, "high-card", 2, bots={1: "regular"})
        table = registry.tables[ada.session.code]
        bob = await table.ask(Join("Bob", watch=True))
        await table.ask(RequestSeat(1), bob.person)
        while table.state.roster.status == Status.PLAYING:
            if ada.legal():
                await ada.act(ada.legal()[0], f"{len(ada.received)}")
            await now.goes_by(registry, 5.0)
        assert asking(ada) == [None, None]
        names = table.state.roster.names()
        with pytest.raises(Refused) as refusal:
            await table.ask(AnswerSeatRequest(bob.person, True), "p1")
        assert refusal.value.code == "not-asked"
        assert table.state.roster.names() == names


async def test_only_spectators_request_seats_and_only_those_of_bots(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, _ = await started(registry, "bebop", 3, bots={2: "regular"})
        table = registry.tables[ada.session.code]
        cleo = await table.ask(Join("Cleo", watch=True))
        for seat, person in ((2, "p2"), (1, cleo.person), (7, cleo.person)):
            with pytest.raises(Refused) as refusal:
                await table.ask(RequestSeat(seat), person)
            assert refusal.value.code == "taken"
        await table.ask(SetAccess(latecomers=True), "p1")
        await table.ask(RequestSeat(2), cleo.person)
        assert table.state.roster.people[cleo.person].seat == 2, "nobody is asked where latecomers are welcome"


def asking(client: Client) -> list[int | None]:
    return [person["wants_seat"] for person in client.table["people"]]


async def test_spectators_do_not_take_seats_of_people(store: Store) -> None:
    async with a_registry(store, EVERY) as registry:
        ada, _ = await started(registry, "bebop", 3, bots={2: "regular"})
        table = registry.tables[ada.session.code]
        await table.ask(SetAccess(latecomers=True), "p1")
        cleo = await table.ask(Join("Cleo", watch=True))
        for person, seat in ((cleo.person, 1), ("p1", 2)):
            with pytest.raises(Refused) as refusal:
                await table.ask(TakeSeat(seat, person), person)
            assert refusal.value.code == "started"


async def test_changes_in_the_number_of_guests_are_batched(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, EVERY, now=now) as registry:
        ada, _ = await started(registry)
        received = len(ada.received)
        guests = [Client(registry, ada.session.code) for _ in range(3)]
        for guest in guests:
            await guest.hello()
        assert [guest.table["guests"] for guest in guests] == [1, 2, 3]
        assert len(ada.received) == received
        await now.goes_by(registry, GUESTS_COUNTED + 0.1)
        assert (ada.table["guests"], len(ada.received)) == (3, received + 1)
        await guests[0].session.end()
        await now.goes_by(registry, GUESTS_COUNTED + 0.1)
        assert ada.table["guests"] == 2
