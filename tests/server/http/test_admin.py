"""The operator's routes, behind a token of their own."""

import asyncio

import pytest
from websockets.exceptions import ConnectionClosed

from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.ip_bans import IpBans, read_network
from jamboree.server.errors import Refused
from jamboree.server.http.app import build_app
from jamboree.server.store import AddressBan
from jamboree.server.store.store import Store

from ..bench.local import a_registry
from ..bench.online import ADMIN_TOKEN, HOST, METRICS_TOKEN, Online, Player, call, online

PLACES = ("load", "tables", "bans")
TABLES = "/api/v1/tables"
ELSEWHERE = "127.0.0.9"


def from_elsewhere(server: Online, path: str = TABLES) -> int:
    return call(server.port, "GET", path, None, {}, source=ELSEWHERE).status


@pytest.mark.parametrize("place", PLACES)
async def test_unauthenticated_requests_reveal_nothing(store: Store, place: str) -> None:
    async with online(store) as server:
        for token in ("", "Bearer wrong", f"Bearer {METRICS_TOKEN}", f"Basic {ADMIN_TOKEN}"):
            answer = await server.get(f"/api/v1/admin/{place}", **({"authorization": token} if token else {}))
            assert (answer.status, answer.body["code"]) == (404, "not-found")
        assert (await server.admin(place)).status == 200
        server.app.state.admin_token = ""
        assert (await server.get(f"/api/v1/admin/{place}", authorization="Bearer ")).status == 404


async def test_unauthenticated_requests_change_nothing(store: Store) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        for path, body in ((f"tables/{code}/close", {}), ("bans", {"address": ELSEWHERE}), ("bans/lift", {})):
            assert (await server.post(f"/api/v1/admin/{path}", body, authorization="Bearer wrong")).status == 404
        assert (await server.get(f"{TABLES}/{code}")).body["status"] == "playing"
        assert await asyncio.to_thread(from_elsewhere, server) == 200


async def test_tables_and_load_are_listed_without_names(store: Store) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        load, tables = await server.admin("load"), await server.admin("tables")
        assert (load.body["tables"], load.body["trouble"]) == (1, "")
        assert load.body["memory"] > 1_000_000 and load.body["cpu"] > 0
        assert [(each["table"], each["status"], each["people"]) for each in tables.body] == [(code, "playing", 2)]
        assert "Ada" not in str(tables.body)


async def test_the_forwarded_headers_are_shown(store: Store) -> None:
    async with online(store, proxies=Proxies([HOST])) as server:
        shown = {"authorization": f"Bearer {ADMIN_TOKEN}", "x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https"}
        seen = (await server.get("/api/v1/admin/load", **shown)).body["seen"]
    assert (seen["address"], seen["scheme"], seen["proxied"]) == ("192.0.2.7", "https", True)
    assert seen["forwarded"] == ["x-forwarded-for", "x-forwarded-proto"]


async def test_an_operator_closes_a_table_for_everyone(store: Store) -> None:
    async with online(store) as server:
        ada, _ = await server.seated()
        async with server.socket(ada["table"]) as socket:
            player = Player(socket)
            await player.hello(ada["token"])
            closed = await server.admin(f"tables/{ada['table']}/close", {"reason": "The\u202e school closes."})
            assert closed.status == 204
            while ((await player.take()).get("table") or {}).get("status") != "closed":
                pass
            assert player.received[-1]["table"]["reason"] == "The school closes."
        again = await server.admin(f"tables/{ada['table']}/close", {})
        assert (again.status, again.body["code"]) == (409, "finished")
        assert (await server.admin("tables/nowhere/close", {})).status == 404


async def test_an_ip_ban_survives_a_restart(store: Store) -> None:
    async with online(store) as server:
        await server.seated()
        assert await asyncio.to_thread(from_elsewhere, server) == 200
        assert (await server.admin("bans", {"address": ELSEWHERE, "note": "floods"})).status == 204
        assert await asyncio.to_thread(from_elsewhere, server) == 403
        assert (await server.get(TABLES)).status == 200, "others come in"
        (ban,) = (await server.admin("bans")).body
        assert (ban["address"], ban["note"]) == (f"{ELSEWHERE}/32", "floods")
    async with a_registry(store) as registry:
        again = build_app(registry, banned=IpBans(await store.address_bans()))
        assert again.state.ip_bans.is_banned(ELSEWHERE)
    async with online(store) as server:
        server.app.state.ip_bans = IpBans(await store.address_bans())
        assert (await server.admin("bans/lift", {"address": ELSEWHERE})).status == 204
        assert await asyncio.to_thread(from_elsewhere, server) == 200
        assert IpBans(await store.address_bans()).is_banned(ELSEWHERE) is False
        again_lifted = await server.admin("bans/lift", {"address": ELSEWHERE})
        assert (again_lifted.status, again_lifted.body["code"]) == (409, "not-banned")


async def test_banning_an_address_closes_its_sockets(store: Store) -> None:
    async with online(store) as server:
        ada, _ = await server.seated()
        async with server.socket(ada["table"]) as socket:
            player = Player(socket)
            await player.hello(ada["token"])
            (open_socket,) = server.app.state.open_sockets
            open_socket.address = ELSEWHERE
            await server.admin("bans", {"address": ELSEWHERE})
            with pytest.raises(ConnectionClosed) as closed:
                await player.until("never")
            assert closed.value.rcvd and closed.value.rcvd.code == 1008
            assert player.received[-1]["code"] == "banned-address"


async def test_operators_cannot_ban_themselves_or_their_proxy(store: Store) -> None:
    async with online(store, proxies=Proxies(["10.0.0.1"])) as server:
        for address in (HOST, "127.0.0.0/8", "0.0.0.0/0", "10.0.0.0/8"):
            refused = await server.admin("bans", {"address": address})
            assert (refused.status, refused.body["code"]) == (409, "yourself")
        for address in ("", "attic", "1.2.3.4/99", "'; drop table records; --"):
            refused = await server.admin("bans", {"address": address})
            assert (refused.status, refused.body["code"]) == (422, "bad-address")
        for days in (0, -1, 99999, "long"):
            assert (await server.admin("bans", {"address": ELSEWHERE, "days": days})).status == 400
        assert (await server.admin("bans")).body == []


async def test_expired_ip_bans_are_deleted(store: Store) -> None:
    async with a_registry(store) as registry:
        now = registry.services.wall.stamp()
        await store.save_ban(AddressBan("192.0.2.0/24", now - 10, "long ago"))
        await store.save_ban(AddressBan("198.51.100.0/24", now + 3600, "still"))
        await registry.sweep()
        assert [network for network, _, _ in await store.address_bans()] == ["198.51.100.0/24"]


def test_an_ip_ban_expires() -> None:
    now = [100.0]
    banned = IpBans([("192.0.2.0/24", 200, "")], lambda: now[0])
    assert banned.is_banned("192.0.2.7") and banned.is_banned("::ffff:192.0.2.7")
    assert not banned.is_banned("192.0.3.7") and not banned.is_banned("nonsense")
    now[0] = 200.0
    assert not banned.is_banned("192.0.2.7")


def test_an_ipv6_ban_covers_the_whole_site() -> None:
    assert str(read_network("2001:db8:1:2::7")) == "2001:db8:1:2::/64"
    with pytest.raises(Refused, match="is not an IP address or network"):
        read_network("attic")
