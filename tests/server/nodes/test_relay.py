"""Requests and sockets that reach a server other than the table's owner."""

import asyncio
import http.client
import random
from contextlib import AsyncExitStack
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from jamboree.server import serve
from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.rate_limits import GUESSES, RateLimits
from jamboree.server.errors import Refused
from jamboree.server.nodes import node
from jamboree.server.nodes.relay import RELAY_KEY, VISITOR_ORIGIN
from jamboree.server.store import ErasePerson, Unavailable

from ..bench.fake_time import until
from ..bench.local import play_on, started
from ..bench.online import ADMIN_TOKEN, HOST, Player, call
from .bench import Served, a_server, bury, execute


def bearer(token: str | None) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def finished(served: Served) -> tuple[str, list[dict[str, str]]]:
    """Play a game to its end; return the table, and the headers of each player."""
    clients = await started(served.registry)
    await play_on(clients, random.Random(1))
    return clients[0].session.code, [bearer(client.token) for client in clients]


async def move(shared: str, table: str, old: Served, new: Served) -> None:
    """Bring a table from one server to another, as if the first had handed it over."""
    await old.registry.unload(table)
    await execute(shared, "UPDATE tables SET node = %s WHERE id = %s", new.member.node.lease.run, table)


async def closed(player: Player) -> int | None:
    with pytest.raises(ConnectionClosed):
        while True:
            await asyncio.wait_for(player.take(), 60)
    return player.socket.close_code


async def test_a_game_is_played_through_another_server(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        host = (await a.post("/api/v1/tables", {"game": "high-card", "seats": 2, "name": "Ada"})).body
        code, page = host["table"], {"origin": f"http://{HOST}:{b.port}"}
        joined = await b.post(f"/api/v1/tables/{code}/join", {"name": "Bob", "keep": "cookie"}, **page)
        assert joined.status == 201 and joined.body["token"] is None
        cookie = {"cookie": joined.headers["set-cookie"].partition(";")[0]}
        assert (await b.post(f"/api/v1/tables/{code}/start", **bearer(host["token"]))).status == 204
        async with a.socket(code) as one:
            ada = Player(one)
            await ada.hello(host["token"])
            async with b.socket(code, **cookie, **page) as other:
                bob = Player(other)
                await bob.hello()
                assert (await bob.act(bob.legal()[0], "through b"))["type"] == "ack"
                assert (await ada.until("update"))["seq"] == ada.seq
        assert set(a.registry.tables) == {code} and not b.registry.tables
        answer = await b.get(f"/api/v1/tables/{code}", **cookie)
        assert answer.body["you"]["person"] == joined.body["person"]
        assert code in [each["table"] for each in (await b.get("/api/v1/tables?status=playing")).body]


@pytest.mark.parametrize("public", ["", "https://play.example"])
async def test_origins_and_links_are_those_of_the_contacted_server(shared: str, public: str) -> None:
    """The one that has the table knows neither the header Host nor whether a proxy stood in between."""
    trusted: dict[str, Any] = {"public_url": public, "proxies": Proxies([HOST])}
    async with a_server(shared, "a", **trusted) as a, a_server(shared, "b", **trusted) as b:
        host = (await a.post("/api/v1/tables", {"game": "high-card", "seats": 2, "name": "Ada"})).body
        path, own = f"/api/v1/tables/{host['table']}", f"{HOST}:{b.port}"
        behind = {"host": "play.example", "x-forwarded-for": "192.0.2.9", "x-forwarded-proto": "https"}
        for page, headers, status in (
            (f"http://{own}", {}, 201),
            (f"https://{own}", {}, 403),
            ("https://play.example", behind, 201),
            ("http://play.example", behind, 403),
        ):
            joining = {"name": "Bob", "watch": True, "keep": "cookie"}
            assert (await b.post(f"{path}/join", joining, origin=page, **headers)).status == status, page
        at_own = await b.get(f"{path}/invite")
        assert at_own.body["link"] == f"{public or f'http://{own}'}/#/t/{host['table']}"
        for made_up in {}, {"x-forwarded-host": "evil.example"}:
            invited = await b.get(f"{path}/invite", **behind, **made_up)
            if public and made_up:
                assert invited.status == 421
            else:
                assert invited.body["link"] == f"https://play.example/#/t/{host['table']}"


async def test_refusals_are_relayed_unchanged(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        host = (await a.post("/api/v1/tables", {"game": "high-card", "seats": 2, "name": "Ada"})).body
        path = f"/api/v1/tables/{host['table']}"
        for through in (a, b):
            assert (await through.post(f"{path}/start")).body["code"] == "no-token"
            assert (await through.post(f"{path}/join", {"name": ""})).status in (400, 422)
            assert (await through.get("/api/v1/tables/bcdfgh")).body["code"] == "unknown-table"
            assert (await through.get(f"{path}/journal")).body["code"] == "not-finished"
            with pytest.raises(InvalidStatus):
                async with through.socket(host["table"], origin="http://elsewhere.example", **bearer(host["token"])):
                    pass


async def test_forged_visitor_headers_are_ignored(shared: str) -> None:
    """The headers by which servers talk to each other mean nothing outside, and inside only with the key."""
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        host = (await a.post("/api/v1/tables", {"game": "high-card", "seats": 2, "name": "Ada"})).body
        inner = int(a.member.node.lease.address.rpartition(":")[2])
        mine = {RELAY_KEY: a.member.node.lease.run, VISITOR_ORIGIN: '["192.0.2.1","http","x",true]'}
        for through in (a, b):
            load = await through.get("/api/v1/admin/load", **bearer(ADMIN_TOKEN), **mine)
            assert load.body["seen"]["address"] == HOST
        for key in ("", "guessed", b.member.node.lease.run):
            asked = http.client.HTTPConnection(HOST, inner, timeout=60)
            asked.request(
                "GET", f"/api/v1/tables/{host['table']}", headers={RELAY_KEY: key, VISITOR_ORIGIN: mine[VISITOR_ORIGIN]}
            )
            answer = await asyncio.to_thread(asked.getresponse)
            assert (answer.status, answer.read()) == (404, b"")
            asked.close()


VISITED = '["192.0.2.1","http","x",true]'
ODD: dict[str, tuple[int, str, str, str | None, str | bytes | None]] = {
    "no visitor": (400, "GET", "/live", None, None),
    "a visitor that is no JSON": (400, "GET", "/live", "{", None),
    "a visitor of another form": (400, "GET", "/live", '{"address": 1}', None),
    "a visitor in no text": (400, "GET", "/live", "\xff\xfe", None),
    "a very deep visitor": (400, "GET", "/live", "[" * 20_000, None),
    "nothing to do": (404, "POST", "/nodes/", None, "[]"),
    "nothing that is done": (404, "POST", "/nodes/explode/abcdef", None, "[]"),
    "no table": (404, "POST", "/nodes/accept", None, "[]"),
    "too many parts": (404, "POST", "/nodes/accept/abcdef/more", None, "[]"),
    "no code": (404, "POST", "/nodes/accept/%2e%2e", None, "[]"),
    "a table that is not there": (404, "POST", "/nodes/accept/bcdfgh", None, '["x"]'),
    "another method": (405, "GET", "/nodes/accept/abcdef", None, None),
    "no body": (400, "POST", "/nodes/accept/abcdef", None, None),
    "a body that is no JSON": (400, "POST", "/nodes/forget/abcdef", None, "{"),
    "a body that is no text": (400, "POST", "/nodes/forget/abcdef", None, b'["\xff\xfe"]'),
    "a body of another form": (400, "POST", "/nodes/forget/abcdef", None, '{"a": 1}'),
    "words that are none": (400, "POST", "/nodes/forget/abcdef", None, "[1, null]"),
    "a very deep body": (400, "POST", "/nodes/forget/abcdef", None, "[" * 30_000),
    "a very large body": (413, "POST", "/nodes/forget/abcdef", None, '["' + "x" * 70_000 + '"]'),
    "a gift to nobody": (400, "POST", "/nodes/give/abcdef", None, "[]"),
    "a gift to several": (400, "POST", "/nodes/give/abcdef", None, '["x", "y"]'),
    "a gift to a stranger": (421, "POST", "/nodes/give/abcdef", None, '["x"]'),
}


async def test_malformed_internal_requests_are_refused(shared: str) -> None:
    """A server of another version, say: it gets a status of 4xx, and nothing breaks here."""
    async with a_server(shared, "a") as a:
        inner = int(a.member.node.lease.address.rpartition(":")[2])

        def ask(method: str, path: str, visitor: str | None, body: str | bytes | None) -> int:
            asked = http.client.HTTPConnection(HOST, inner, timeout=60)
            shown = {RELAY_KEY: a.member.node.lease.run} | ({VISITOR_ORIGIN: visitor} if visitor else {})
            asked.request(method, path, body, shown)
            answer = asked.getresponse()
            answer.read()
            asked.close()
            return answer.status

        for name, (status, method, path, visitor, body) in ODD.items():
            assert await asyncio.to_thread(ask, method, path, visitor, body) == status, name
        assert await asyncio.to_thread(ask, "GET", "/live", VISITED, None) == 200
        for path in ("/nodes/accept/abcdef", "/api/v1/tables/abcdef/socket"):
            with pytest.raises(InvalidStatus) as refused:
                async with connect(
                    f"ws://{HOST}:{inner}{path}", additional_headers={RELAY_KEY: a.member.node.lease.run}
                ):
                    pass
            assert refused.value.response.status_code == 403


async def test_rate_limits_apply_to_the_visitors_address(shared: str) -> None:
    async with a_server(shared, "a", RateLimits()) as a, a_server(shared, "b", RateLimits()) as b:
        host = (await a.post("/api/v1/tables", {"game": "high-card", "seats": 2, "name": "Ada"})).body
        path, visitor = f"/api/v1/tables/{host['table']}", "127.0.0.7"
        assert (await asyncio.to_thread(call, b.port, "GET", path, None, {}, visitor)).status == 200
        assert visitor in a.app.state.limits.requests._spent
        assert visitor not in b.app.state.limits.requests._spent


async def test_guessing_is_limited_across_servers(shared: str) -> None:
    """By a socket as little as by a request: the one that is let in would be the code of a table."""
    async with a_server(shared, "a") as a, a_server(shared, "b", RateLimits()) as b:
        host = (await a.post("/api/v1/tables", {"game": "high-card", "seats": 2, "name": "Ada"})).body
        b.app.state.limits.guesses.spend(HOST, GUESSES.limit)
        assert (await b.get(f"/api/v1/tables/{host['table']}")).body["code"] == "too-fast"
        with pytest.raises(InvalidStatus):
            async with b.socket(host["table"]):
                pass
        assert set(a.registry.tables) == {host["table"]}


async def test_a_rematch_is_found_and_accepted_across_servers(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        old, (ada, bob) = await finished(a)
        new = (await b.post(f"/api/v1/tables/{old}/rematch", **ada)).body["table"]
        assert new in a.registry.tables, "it is opened where the old one is"
        await move(shared, new, a, b)
        assert (await a.post(f"/api/v1/tables/{old}/rematch", **bob)).body["table"] == new
        assert not any(person.invited for person in b.registry.tables[new].state.roster.people.values())
        forked = await b.post(f"/api/v1/tables/{old}/fork", {"step": 1}, **ada)
        assert forked.body["table"] in a.registry.tables


async def test_erasure_reaches_rematches_on_other_servers(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        old, (ada, bob) = await finished(a)
        new = (await a.post(f"/api/v1/tables/{old}/rematch", **ada)).body["table"]
        await a.post(f"/api/v1/tables/{old}/rematch", **bob)
        await move(shared, new, a, b)
        assert (await a.post(f"/api/v1/tables/{old}/forget-me", **bob)).status == 204
        names = [person.name for person in b.registry.tables[new].state.roster.people.values()]
        assert "Ada" in names and "Bob" not in names


async def spoken_of_elsewhere(shared: str, a: Served, b: Served) -> tuple[str, str, dict[str, str]]:
    """Let Bob leave a game and be mentioned in its rematch on another server; return both tables and Bob's token."""
    clients = await started(a.registry)
    old, (ada, bob) = clients[0].session.code, [bearer(client.token) for client in clients]
    await clients[0].send(type="say", id="hi", text="Bob was here")
    await play_on(clients, random.Random(1))
    assert (await a.post(f"/api/v1/tables/{old}/leave", **bob)).status == 204
    new = (await a.post(f"/api/v1/tables/{old}/rematch", **ada)).body["table"]
    await move(shared, new, a, b)
    assert (await b.get(f"/api/v1/tables/{new}")).status == 200
    assert len(b.registry.tables[new].state.talk) == 1
    return old, new, bob


async def test_erasure_deletes_mentions_in_rematches_on_other_servers(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        old, new, bob = await spoken_of_elsewhere(shared, a, b)
        assert (await a.post(f"/api/v1/tables/{old}/forget-me", **bob)).status == 204
        assert len(b.registry.tables[new].state.talk) == 0


async def test_erasure_can_be_repeated_after_losing_a_server(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def lost(*_: object) -> None:
        raise Refused("table-stopped", "This table's server was lost; look whether this was done.")

    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        old, new, bob = await spoken_of_elsewhere(shared, a, b)
        with monkeypatch.context() as patched:
            patched.setattr(a.registry.peers, "ask", lost)
            assert (await a.post(f"/api/v1/tables/{old}/forget-me", **bob)).body["code"] == "table-stopped"
        assert (await a.post(f"/api/v1/tables/{old}/forget-me", **bob)).status == 204
        assert len(b.registry.tables[new].state.talk) == 0


async def test_a_server_without_a_lease_erases_nothing(shared: str) -> None:
    """The current owner would not know, and would keep the name."""
    async with a_server(shared, "a") as a:
        code = (await a.seated())[0]["table"]
        a.member.node.lease.give_up()
        with pytest.raises(Unavailable):
            await a.member.store.erase_person(ErasePerson(code, "p1"))


async def test_the_contacted_server_takes_over_a_dead_servers_table(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        tickets = await a.seated()
        code = tickets[0]["table"]
        async with AsyncExitStack() as sockets:
            bob = Player(await sockets.enter_async_context(a.socket(code)))
            await bob.hello(tickets[1]["token"])
            ada = Player(await sockets.enter_async_context(b.socket(code)))
            await ada.hello(tickets[0]["token"])
            assert code in a.registry.tables
            await bury(shared, "a")
            assert (await closed(ada), await closed(bob)) == (1012, 1012)
        async with b.socket(code) as socket:
            again = Player(socket)
            await again.hello(tickets[0]["token"])
            assert code in b.registry.tables
            assert (await again.act(again.legal()[0], "on"))["type"] == "ack"
        await until(lambda: a.member.node.ready)
        assert (await a.get(f"/api/v1/tables/{code}")).status == 200
        assert code not in a.registry.tables


async def test_a_leaving_server_redirects_people_and_is_not_ready(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        tickets = await a.seated()
        code = tickets[0]["table"]
        assert (await a.get("/ready")).status == 200
        await until(lambda: bool(a.member.node.peers))
        async with a.socket(code) as socket:
            ada = Player(socket)
            await ada.hello(tickets[0]["token"])
            await a.member.node.drain()
            assert await closed(ada) == 1012
        assert (await a.get("/ready")).status == 503
        async with a.socket(code) as socket:
            again = Player(socket)
            await again.hello(tickets[0]["token"])
            assert (await again.act(again.legal()[0], "on"))["type"] == "ack"
        assert code in b.registry.tables and not a.registry.tables


async def test_a_table_moves_to_its_people_and_stays_while_they_are_connected(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        tickets = await a.seated()
        code = tickets[0]["table"]
        await until(lambda: bool(a.member.node.peers))
        async with b.socket(code) as first:
            ada = Player(first)
            await ada.hello(tickets[0]["token"])
            assert code in b.registry.tables and code not in a.registry.tables
            async with a.socket(code) as second:
                bob = Player(second)
                await bob.hello(tickets[1]["token"])
                assert (await bob.act(bob.legal()[0], "on"))["type"] == "ack"
                assert code in b.registry.tables and code not in a.registry.tables


async def test_unauthenticated_visitors_do_not_move_tables(shared: str) -> None:
    """Silent sockets at one server after another move an empty table only once."""
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        code = (await a.seated())[0]["table"]
        await until(lambda: bool(a.member.node.peers) and bool(b.member.node.peers))
        async with b.socket(code):
            await until(lambda: code in b.registry.tables)
        for _ in range(3):
            async with a.socket(code) as socket:
                await Player(socket).hello()
            await until(lambda: not b.registry.tables[code].connections)
        assert code in b.registry.tables and code not in a.registry.tables
        later = a.member.node.now() + node.STICKY_SECONDS + 1
        b.member.node.now = lambda: later
        async with a.socket(code) as socket:
            await Player(socket).hello()
            assert code in a.registry.tables and code not in b.registry.tables


async def test_a_hello_to_a_moved_table_is_told_to_reconnect(shared: str) -> None:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        tickets = await a.seated()
        async with a.socket(tickets[0]["table"]) as socket:
            await move(shared, tickets[0]["table"], a, b)
            ada = Player(socket)
            await ada.send(type="hello", token=tickets[0]["token"])
            assert (await ada.take())["code"] == "not-saved"
            assert await closed(ada) == 1012


async def test_an_ip_ban_applies_to_all_servers(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "SYNC_BANS_EVERY", 0.05)
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        hearing = asyncio.create_task(serve.sync_bans(b.app, b.member.store))
        for path, address_bans in (("bans", True), ("bans/lift", False)):
            body = {"address": "192.0.2.7", **({"days": 1, "note": "floods"} if address_bans else {})}
            assert (await a.admin(path, body)).status == 204
            await until(lambda address_bans=address_bans: b.app.state.ip_bans.is_banned("192.0.2.7") == address_bans)  # type: ignore[misc]
        hearing.cancel()


async def test_a_late_socket_is_relayed_to_the_tables_new_server(shared: str) -> None:
    """The server that is asked first believes for a moment that a table is where it was."""
    async with a_server(shared, "a") as a, a_server(shared, "b") as b, a_server(shared, "c") as c:
        tickets = await a.seated()
        code = tickets[0]["table"]
        await until(lambda: len(c.member.node.peers) == 2)
        assert (await c.get(f"/api/v1/tables/{code}")).status == 200
        await move(shared, code, a, b)
        async with b.socket(code) as held:
            await Player(held).hello(tickets[1]["token"])
            assert c.member.node.has_cached(code)
            async with c.socket(code) as socket:
                ada = Player(socket)
                await ada.hello(tickets[0]["token"])
                assert (await ada.act(ada.legal()[0], "on"))["type"] == "ack"
        assert (await c.get(f"/api/v1/tables/{code}")).status == 200
        assert not a.registry.tables and not c.registry.tables


async def test_a_server_with_incomplete_tables_stays_ready(shared: str) -> None:
    """Otherwise the proxy would exclude every server, and complete tables could not be played either."""
    async with a_server(shared, "a") as a, a_server(shared, "b") as b:
        code = (await a.seated())[0]["table"]
        await a.registry.unload(code)
        await execute(shared, "DELETE FROM records WHERE table_id = %s", code)
        for each in (a, b):
            assert (await each.get(f"/api/v1/tables/{code}")).status == 503
        ready = await a.get("/ready")
        assert (ready.status, ready.body["problems"]) == (200, ["Records of 1 table are missing or altered."])
        await execute(shared, "UPDATE table_ids SET loss_accepted = 1 WHERE table_id = %s", code)
