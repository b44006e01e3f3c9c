"""Access to a table: locks, bans, spectators, places and devices."""

from collections.abc import Mapping
from typing import Any

import pytest

from jamboree.server.errors import Refused
from jamboree.server.live.commands.base import Context
from jamboree.server.live.commands.host import Ban, LiftBan, SetAccess
from jamboree.server.live.commands.joining import (
    LONG_GONE,
    MOST_EVER,
    MOST_PEOPLE,
    Join,
    MintLink,
    SignOut,
    Ticket,
    UseLink,
)
from jamboree.server.live.commands.playing import Start
from jamboree.server.live.records import Left, Opened
from jamboree.server.live.roster import MOST_TOKENS, Roster
from jamboree.server.live.state import TableState
from jamboree.server.live.table import Table
from jamboree.server.protocol.bodies import OpenTable
from jamboree.server.protocol.terms import Spectators, Status
from jamboree.server.store.store import Store
from jamboree.server.tokens import hashed

from ...bench.fake_time import FakeTime
from ...bench.local import GAMES, Client, a_registry, gathered, started
from ...bench.online import Online, online

TABLES = "/api/v1/tables"


async def refused(asking: Any) -> str:
    with pytest.raises(Refused) as refusal:
        await asking
    return refusal.value.code


async def test_a_locked_table_admits_only_returning_people(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry, seats=3, bots={2: "rookie"})
        table = registry.tables[code]
        visitor, there = Client(registry, code), Client(registry, code, bob.token)
        await visitor.hello()
        await there.hello()
        assert await refused(table.ask(SetAccess(locked=True), bob.person)) == "host-only"
        await table.ask(SetAccess(locked=True), ada.person)
        assert (visitor.received[-1]["code"], visitor.closed) == ("locked", True)
        assert there.table["locked"] is True
        assert await refused(table.ask(Join("Cleo", watch=True))) == "locked"
        assert (await Client(registry, code).hello())["code"] == "locked"
        assert (await Client(registry, code, bob.token).hello())["type"] == "welcome"
        await table.ask(SetAccess(locked=False), ada.person)
        assert (await Client(registry, code).hello())["type"] == "welcome"
    async with a_registry(store) as registry:
        await (await registry.table(code)).ask(SetAccess(locked=True), ada.person)
    async with a_registry(store) as registry:
        assert (await Client(registry, code).hello())["code"] == "locked", "a lock outlives the server"


WATCHING: dict[Spectators, dict[str, Any]] = {
    Spectators.EVERYBODY: {"anybody": "welcome", "joined": "welcome", "new": None},
    Spectators.JOINED: {"anybody": "join-to-watch", "joined": "welcome", "new": None},
    Spectators.NOBODY: {"anybody": "no-spectators", "joined": "no-spectators", "new": "no-spectators"},
}


@pytest.mark.parametrize("spectators", WATCHING)
@pytest.mark.parametrize("when", ["before", "during"])
async def test_the_host_controls_access_for_spectators(store: Store, spectators: Spectators, when: str) -> None:
    """Before the game the link is enough to see the table: it is how people join."""
    expected = WATCHING[spectators]
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry)
        table = registry.tables[code]
        subscriber = await table.ask(Join("Wim", watch=True))
        there = {"anybody": Client(registry, code), "joined": Client(registry, code, subscriber.token)}
        for client in there.values():
            await client.hello()
        if when == "before":
            await table.ask(SetAccess(spectators=spectators), ada.person)
            assert {client.closed for client in there.values()} == {False}
        await table.ask(Start(), ada.person)
        if when == "during":
            await table.ask(SetAccess(spectators=spectators), ada.person)
        for who, token in (("anybody", None), ("joined", subscriber.token)):
            assert there[who].closed == (expected[who] != "welcome")
            received = await Client(registry, code, token).hello()
            assert received.get("code", received["type"]) == expected[who]
        assert (await Client(registry, code, bob.token).hello())["type"] == "welcome"
        if expected["new"]:
            assert await refused(table.ask(Join("Xandra", watch=True))) == expected["new"]
        else:
            assert await table.ask(Join("Xandra", watch=True))


async def test_without_access_the_log_is_refused_too(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        path = f"{TABLES}/{tickets[0]['table']}"
        assert (await server.get(f"{path}/log")).status == 200
        answer = await server.post(f"{path}/access", {"spectators": "joined"}, **bearer(tickets[0]))
        assert answer.status == 204
        answer = await server.get(f"{path}/log")
        assert (answer.status, answer.body["code"]) == (403, "join-to-watch")
        assert (await server.get(f"{path}/log", **bearer(tickets[1]))).status == 200


SHUT = [
    ({"locked": True}, "locked"),
    ({"spectators": "nobody"}, "no-spectators"),
    ({"spectators": "joined"}, "join-to-watch"),
]


@pytest.mark.parametrize(("access", "code"), SHUT)
async def test_without_access_the_people_are_not_listed(store: Store, access: dict[str, Any], code: str) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        path = f"{TABLES}/{tickets[0]['table']}"
        await server.post(f"{path}/access", access, **bearer(tickets[0]))
        answer = await server.get(path)
        assert (answer.status, answer.body["code"]) == (403, code)
        assert (await server.get(path, **bearer(tickets[1]))).body["you"]["seat"] == 1


async def test_a_finished_locked_table_lists_only_its_players(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry)
        table = registry.tables[code]
        await table.ask(Join("Wim", watch=True))
        await Client(registry, code, ada.token).hello()
        await table.ask(SetAccess(locked=True), ada.person)
        assert await refused(table.inspect()) == "locked"
        table.state.roster.status = Status.FINISHED
        assert [(each.name, each.connected) for each in (await table.inspect()).people] == [
            ("Ada", False),
            ("Bob", False),
        ]
        assert [each.connected for each in (await table.inspect(bob.person)).people] == [True, False, False]


async def test_a_locked_table_is_not_in_the_list(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated(start=False)
        path = f"{TABLES}/{tickets[0]['table']}"
        for locked, listed in ((False, 1), (True, 0), (False, 1)):
            await server.post(f"{path}/access", {"locked": locked}, **bearer(tickets[0]))
            assert len((await server.get(TABLES)).body) == listed


def bearer(ticket: Mapping[str, Any]) -> dict[str, str]:
    return {"authorization": f"Bearer {ticket['token']}"}


async def banned(server: Online, **more: Any) -> tuple[str, list[dict[str, Any]]]:
    """Let the host ban the second player."""
    tickets = await server.seated(**more)
    path = f"{TABLES}/{tickets[0]['table']}"
    answer = await server.post(f"{path}/ban", {"person": tickets[1]["person"]}, **bearer(tickets[0]))
    assert answer.status == 204, answer
    return path, tickets


@pytest.mark.parametrize("start", [False, True])
async def test_a_banned_person_is_recognised_by_token_and_name(store: Store, start: bool) -> None:
    async with online(store) as server:
        path, (ada, bob) = await banned(server, start=start)
        cookie = f"jamboree-{ada['table']}={bob['token']}"
        known: list[tuple[dict[str, Any], dict[str, str]]] = [
            ({"name": "Someone else", "watch": True}, {"cookie": cookie}),
            ({"name": "Someone else", "watch": True}, bearer(bob)),
            ({"name": " bOb ", "watch": True}, {}),
        ]
        for body, headers in known:
            answer = await server.post(f"{path}/join", body, **headers)
            assert (answer.status, answer.body["code"]) == (403, "banned"), (body, headers)
        assert (await server.get(path, cookie=cookie)).body["code"] == "banned", "nor do they watch with this browser"
        assert (await server.post(f"{path}/leave", **bearer(bob))).body["code"] == "banned"
        assert (await server.post(f"{path}/join", {"name": "Cleo", "watch": True})).status == 201
        seats = (await server.get(path)).body["bots"]
        assert len(seats) == start, "a bot plays on for a banned player"


async def test_the_name_of_a_banned_person_cannot_be_used(store: Store) -> None:
    async with online(store) as server:
        path, (ada, _) = await banned(server, start=False)
        for name, status in ((" bOb ", 403), ("Ada the first", 204)):
            assert (await server.post(f"{path}/name", {"name": name}, **bearer(ada))).status == status


async def test_only_the_host_sees_and_lifts_bans(store: Store) -> None:
    async with online(store) as server:
        path, (ada, _) = await banned(server, start=False)
        cleo = (await server.post(f"{path}/join", {"name": "Cleo"})).body
        assert (await server.get(f"{path}/bans", **bearer(cleo))).body["code"] == "host-only"
        (ban,) = (await server.get(f"{path}/bans", **bearer(ada))).body
        assert ban["name"] == "Bob"
        assert (await server.post(f"{path}/unban", {"ban": ban["ban"]}, **bearer(cleo))).body["code"] == "host-only"
        assert (await server.post(f"{path}/unban", {"ban": ban["ban"]}, **bearer(ada))).status == 204
        assert (await server.get(f"{path}/bans", **bearer(ada))).body == []
        assert (await server.post(f"{path}/join", {"name": "Bob", "watch": True})).status == 201


async def test_a_banned_person_is_told_and_stays_banned_after_a_restart(store: Store) -> None:
    async with a_registry(store) as registry:
        code, (ada, bob) = await gathered(registry)
        there = Client(registry, code, bob.token)
        await there.hello()
        await registry.tables[code].ask(Ban(bob.person), ada.person)
        assert (there.received[-1]["code"], there.closed) == ("banned", True)
    async with a_registry(store) as registry:
        assert (await Client(registry, code, bob.token).hello())["code"] == "banned"
        table = await registry.table(code)
        (number,) = table.state.roster.bans
        await table.ask(LiftBan(number), ada.person)
        assert await table.ask(Join("Bob", tokens=(hashed(bob.token),)))


async def crowded(table: Table) -> list[Ticket]:
    """Let as many people join to watch as the table takes."""
    tickets = MOST_PEOPLE - len(table.state.roster.people)
    return [await table.ask(Join(f"Guest {number}", watch=True)) for number in range(tickets)]


async def test_absent_spectators_make_room(store: Store) -> None:
    now = FakeTime()
    async with a_registry(store, now=now) as registry:
        code, host = await registry.open(OpenTable(game="high-card", seats=2, name="Ada"))
        table = await registry.table(code)
        guests = await crowded(table)
        await now.goes_by(registry, LONG_GONE / 2)
        assert await refused(table.ask(Join("Late", watch=True))) == "full"
        there = Client(registry, code, guests[0].token)
        await there.hello()
        assert (await table.ask(Join("Bob"))).seat == 1, "a player goes before an absent guest"
        await now.goes_by(registry, LONG_GONE)
        for number in range(70):
            assert await table.ask(Join(f"Later {number}", watch=True))
            await now.goes_by(registry, LONG_GONE + 1)
        people = table.state.roster.people
        assert not people[guests[0].person].gone, "a guest who is there keeps their place"
        assert not people[host.person].gone
        assert sum(not person.away_for_good for person in people.values()) == MOST_PEOPLE


async def test_a_table_full_of_spectators_still_admits_players(store: Store) -> None:
    async with a_registry(store) as registry:
        code, host = await registry.open(OpenTable(game="high-card", seats=2, name="Ada"))
        table = await registry.table(code)
        guests = await crowded(table)
        for guest in guests:
            await Client(registry, code, guest.token).hello()
        assert await refused(table.ask(Join("Late", watch=True))) == "full"
        assert (await table.ask(Join("Bob"))).seat == 1
        people = table.state.roster.people
        assert [key for key, person in people.items() if person.gone] == [guests[-1].person], "whoever came last"
        assert await refused(table.ask(Join("Cleo"))) == "full", "every seat is taken"
        assert not people[host.person].gone


def test_joining_and_leaving_does_not_exhaust_the_seats_of_players() -> None:
    state = TableState(GAMES["high-card"], Roster.opened(Opened("high-card", 1, seats=2, options={}, listed=True)))
    for _ in range(MOST_EVER):
        joined = Join("Eve", watch=True).decide(Context(state))
        joined.fold_into(state)
        state.fold(Left(joined.answer.person))
    with pytest.raises(Refused):
        Join("Late", watch=True).decide(Context(state))
    assert Join("Bob").decide(Context(state)).answer.seat == 0


async def test_a_ninth_device_is_refused_without_signing_out_another(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        table = registry.tables[ada.session.code]
        person = str(ada.session.person)
        tokens = [(await table.ask(UseLink(await table.ask(MintLink(), person)))).token for _ in range(MOST_TOKENS - 1)]
        assert await refused(table.ask(MintLink(), person)) == "too-many-devices"
        assert table.authenticate(str(ada.token)) == person, "the first device still is"
        other = Client(registry, ada.session.code, tokens[0])
        await other.hello()
        await table.ask(SignOut(), person, hashed(str(ada.token)))
        assert (other.received[-1]["code"], other.closed, ada.closed) == ("signed-out", True, False)
        assert (await Client(registry, ada.session.code, tokens[0]).hello())["code"] == "wrong-token"
        assert await table.ask(MintLink(), person)


async def test_an_old_device_link_does_not_admit_a_ninth_device(store: Store) -> None:
    async with a_registry(store) as registry:
        ada, _ = await started(registry)
        table, person = registry.tables[ada.session.code], str(ada.session.person)
        for _ in range(MOST_TOKENS - 1):
            link = await table.ask(MintLink(), person)
            await table.ask(UseLink(link))
        table.state.roster.people[person].link = hashed("late")
        assert await refused(table.ask(UseLink("late"))) == "too-many-devices"
