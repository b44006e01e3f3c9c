"""The HTTP API, on a real socket."""

import asyncio
import json
import zlib
from http.client import HTTPConnection
from itertools import accumulate
from typing import Any
from unittest.mock import patch
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import InvalidStatus

from jamboree.core.journal import check, read
from jamboree.server.errors import Refused
from jamboree.server.live.commands import host
from jamboree.server.protocol.delta import apply_delta
from jamboree.server.service import history
from jamboree.server.store import Append, StoreError
from jamboree.server.store.store import Store

from ..bench.local import GAMES
from ..bench.online import HOST, Online, Player, online

TABLES = "/api/v1/tables"


def bearer(ticket: dict[str, Any]) -> str:
    return f"Bearer {ticket['token']}"


async def finished(server: Online) -> list[dict[str, Any]]:
    """Play High Card to its end."""
    tickets = await server.seated()
    async with server.socket(tickets[0]["table"]) as one, server.socket(tickets[0]["table"]) as two:
        players = [Player(one), Player(two)]
        for player, ticket in zip(players, tickets, strict=True):
            await player.hello(ticket["token"])
        for turn in range(20):
            for player in players:
                if player.position["outcome"]:
                    return tickets
                await player.act({"type": "Lay", "slot": 0}, f"{turn}")
    raise AssertionError("the game does not end")


async def test_games_and_health_and_schema(store: Store) -> None:
    async with online(store) as server:
        games = (await server.get("/api/v1/games")).body
        assert {game["key"] for game in games} == set(GAMES)
        assert games[0]["options"]["$ref"] or games[0]["options"]["properties"]
        assert (await server.get("/live")).status == (await server.get("/ready")).status == 200
        schema = (await server.get("/api/v1/schema/openapi.json")).body
        assert f"{TABLES}/{{code}}/join" in schema["paths"]
        assert "jamboree_commits_total" in await server.metrics()


async def test_every_response_has_a_cache_policy(store: Store) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        routes = {route.path_format for route in server.app.routes if hasattr(route, "methods")}
        paths = {path.format(code=code, key="bebop", name="x", path="x") for path in routes}
        for path in sorted({*paths, "/nowhere", "/api/v1/nowhere", "/api/v1/schema/openapi.json"}):
            for method in ("GET", "HEAD", "OPTIONS", "DELETE"):
                answer = await asyncio.to_thread(server.call, method, path, None, {})
                assert answer.headers.get("cache-control") in ("no-store", "no-cache"), (method, path, answer.status)


async def test_a_table_is_opened_listed_joined_and_started(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated(start=False)
        code = tickets[0]["table"]
        (card,) = (await server.get(TABLES)).body
        assert (card["table"], card["free"], card["host"]) == (code, 0, "Ada")
        refused = await server.post(f"{TABLES}/{code}/start", authorization=bearer(tickets[1]))
        assert (refused.status, refused.body["code"]) == (403, "host-only")
        assert (await server.post(f"{TABLES}/{code}/start", authorization=bearer(tickets[0]))).status == 204
        assert (await server.get(f"{TABLES}/{code}")).body["status"] == "playing"
        assert (await server.get(TABLES)).body == []
        assert len((await server.get(f"{TABLES}?status=playing")).body) == 1


async def test_an_unlisted_table_is_not_in_the_list(store: Store) -> None:
    async with online(store) as server:
        body = {"game": "high-card", "seats": 2, "name": "Ada", "listed": False}
        assert (await server.post(TABLES, body)).status == 201
        assert (await server.get(TABLES)).body == []


async def test_journal_and_replay_are_available_after_the_game(store: Store) -> None:
    async with online(store) as server:
        running = await server.seated()
        for what in ("journal", "replay"):
            answer = await server.get(f"{TABLES}/{running[0]['table']}/{what}")
            assert (answer.status, answer.body["code"]) == (409, "not-finished")
        code = (await finished(server))[0]["table"]
        journal = read(json.dumps((await server.get(f"{TABLES}/{code}/journal")).body).encode())
        assert journal.header.names == ["Ada", "Bob"]
        assert check(journal, GAMES["high-card"])
        views = (await server.get(f"{TABLES}/{code}/replay")).body
        assert len(views) == len(journal.entries) + 1
        changes = (await server.get(f"{TABLES}/{code}/replay?changes=true")).body
        assert list(accumulate(changes, apply_delta)) == views
        assert changes[1:] != views[1:]


async def test_a_replay_is_streamed_line_by_line_in_both_stored_formats(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with online(store) as server:
        code = (await finished(server))[0]["table"]
        views = (await server.get(f"{TABLES}/{code}/replay")).body
        lines = (await server.raw(f"{TABLES}/{code}/replay?changes=true")).partition(b"\r\n\r\n")[2]
        assert [json.loads(line.removesuffix(b",")) for line in lines.splitlines() if line.startswith(b"{")]

        async def former(table: str) -> bytes:
            return zlib.compress(json.dumps(views).encode())

        def by_other_rules(*given: Any) -> bytes:
            raise Refused("outdated", "Other rules.")

        monkeypatch.setattr(store, "replay", former)
        monkeypatch.setattr(history, "replay_of", by_other_rules)
        assert (await server.get(f"{TABLES}/{code}/replay")).body == views
        changes = (await server.get(f"{TABLES}/{code}/replay?changes=true")).body
        assert list(accumulate(changes, apply_delta)) == views


async def test_a_journal_is_compressed_if_accepted(store: Store) -> None:
    async with online(store) as server:
        code = (await finished(server))[0]["table"]
        request = Request(f"http://{HOST}:{server.port}{TABLES}/{code}/journal", headers={"Accept-Encoding": "deflate"})
        with await asyncio.to_thread(urlopen, request) as answer:
            assert answer.headers["content-encoding"] == "deflate"
            journal = json.loads(zlib.decompress(answer.read()))
        assert journal == (await server.get(f"{TABLES}/{code}/journal")).body


async def test_a_rematch_accepts_the_same_people_with_their_tokens(store: Store) -> None:
    async with online(store) as server:
        tickets = await finished(server)
        code = tickets[0]["table"]
        again = [
            await server.post(f"{TABLES}/{code}/rematch", authorization=bearer(ticket)) for ticket in tickets[::-1]
        ]
        assert again[0].body == again[1].body
        new = again[0].body["table"]
        people = (await server.get(f"{TABLES}/{new}")).body
        assert [(each["name"], each["seat"]) for each in people["people"]] == [("Ada", 0), ("Bob", 1)]
        assert (await server.post(f"{TABLES}/{new}/start", authorization=bearer(tickets[1]))).status == 204
        assert (await server.get(f"{TABLES}/{code}")).body["rematch"] == new


async def test_a_rematch_has_one_table_regardless_of_the_codes_spelling(store: Store) -> None:
    async with online(store) as server:
        ada, _ = await finished(server)
        code = ada["table"]
        written = (code, code.upper(), f"{code[:3]}-{code[3:]}")
        asked = [server.post(f"{TABLES}/{each}/rematch", authorization=bearer(ada)) for each in written]
        assert len({answer.body["table"] for answer in await asyncio.gather(*asked)}) == 1


async def test_a_rematch_against_bots_starts_immediately(store: Store) -> None:
    async with online(store) as server:
        body = {"game": "high-card", "seats": 2, "name": "Ada", "bots": {"1": "regular"}, "pace": "instant"}
        ada = (await server.post(TABLES, {**body, "start": True})).body
        path = f"{TABLES}/{ada['table']}"
        async with server.socket(ada["table"]) as socket:
            player = Player(socket)
            await player.hello(ada["token"])
            while not (player.position and player.position["outcome"]):
                if player.position and player.legal():
                    await player.act(player.legal()[0], f"{player.seq}")
                else:
                    await player.take()
        new = (await server.post(f"{path}/rematch?start=true", authorization=bearer(ada))).body["table"]
        seen = (await server.get(f"{TABLES}/{new}", authorization=bearer(ada))).body
        assert (seen["status"] in ("seeding", "playing"), seen["pace"]) == (True, "instant")
        again = await server.post(f"{path}/rematch?start=true", authorization=bearer(ada))
        assert (again.status, again.body["table"]) == (201, new)


async def test_a_rematch_with_people_waits_for_them(store: Store) -> None:
    async with online(store) as server:
        tickets = await finished(server)
        path = f"{TABLES}/{tickets[0]['table']}"
        for ticket in tickets:
            new = (await server.post(f"{path}/rematch?start=true", authorization=bearer(ticket))).body["table"]
            assert (await server.get(f"{TABLES}/{new}")).body["status"] == "gathering"


async def test_a_device_link_signs_in_another_device_once(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        code = tickets[0]["table"]
        link = (await server.post(f"{TABLES}/{code}/links", authorization=bearer(tickets[1]))).body["link"]
        back = await server.post(f"{TABLES}/{code}/links/redeem", {"link": link})
        assert (back.body["person"], back.body["seat"]) == ("p2", 1)
        assert back.body["token"] != tickets[1]["token"]
        again = await server.post(f"{TABLES}/{code}/links/redeem", {"link": link})
        assert (again.status, again.body["code"]) == (403, "wrong-token")
        for token in (back.body["token"], tickets[1]["token"]):
            async with server.socket(code) as socket:
                assert (await Player(socket).hello(token))["you"] == {"person": "p2", "seat": 1}


@pytest.mark.parametrize("others", [49, 50, 170])
async def test_a_browser_finds_its_seats_among_many_cookies(store: Store, others: int) -> None:
    async with online(store) as server:
        ours, keep = {"origin": f"http://127.0.0.1:{server.port}"}, {"keep": "cookie"}
        opened = await server.post(TABLES, {"game": "high-card", "seats": 2, "name": "Ada", **keep}, **ours)
        code = opened.body["table"]
        joined = await server.post(f"{TABLES}/{code}/join", {"name": "Bob", "beside": True, **keep}, **ours)
        before = [f"jamboree-abc{number:03}={number:032}" for number in range(others)]
        newest = [answer.headers["set-cookie"].partition(";")[0] for answer in (opened, joined)]
        for asked in (code, code.upper()):
            answer = (await server.get(f"{TABLES}/{asked}", cookie="; ".join([*before, *newest]))).body
            assert (answer["you"]["person"], answer["device"]) == ("p1", ["p1", "p2"])


async def test_old_cookies_expire_before_they_exceed_a_proxys_header_limit(store: Store) -> None:
    async with online(store) as server:
        body = json.dumps({"game": "high-card", "seats": 2, "name": "Ada", "keep": "cookie"})

        def ended(many: int) -> list[str]:
            cookies = "; ".join(f"jamboree-abc{number:03}={number:032}" for number in range(many))
            line = HTTPConnection("127.0.0.1", server.port)
            own = {"content-type": "application/json", "origin": f"http://127.0.0.1:{server.port}"}
            line.request("POST", TABLES, body, {**own, "cookie": cookies})
            new, *old = line.getresponse().headers.get_all("set-cookie", [])
            line.close()
            assert "Max-Age=31536000" in new
            assert all("Max-Age=0" in each and "Path=/api/v1" in each for each in old)
            return [each.partition("=")[0] for each in old]

        assert await asyncio.to_thread(ended, 99) == []
        assert await asyncio.to_thread(ended, 101) == ["jamboree-abc000", "jamboree-abc001"]
        assert len(await asyncio.to_thread(ended, 170)) == 5, "so that the answer fits, too"


async def test_tokens_are_stored_in_http_only_cookies(store: Store) -> None:
    async with online(store) as server:
        body = {"game": "high-card", "seats": 2, "name": "Ada", "keep": "cookie"}
        own = f"http://127.0.0.1:{server.port}"
        assert (await server.post(TABLES, body)).body["code"] == "foreign-origin", "a browser says where it comes from"
        opened = await server.post(TABLES, body, origin=own)
        assert opened.body["token"] is None
        cookie = opened.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.casefold()
        code, stored = opened.body["table"], cookie.partition(";")[0]
        move = {"seat": 1}
        for origin in ("http://evil.example", "null", "https://127.0.0.1"):
            answer = await server.post(f"{TABLES}/{code}/seat", move, cookie=stored, origin=origin)
            assert (answer.status, answer.body["code"]) == (403, "foreign-origin")
            assert (await server.get(f"{TABLES}/{code}/log", cookie=stored, origin=origin)).status == 403
        assert (await server.post(f"{TABLES}/{code}/seat", move, cookie=stored)).status == 403
        assert (await server.get(f"{TABLES}/{code}/log", cookie=stored)).status == 200, "browsers name no origin here"
        with pytest.raises(InvalidStatus):
            async with server.socket(code, cookie=stored):
                pass
        assert (await server.post(f"{TABLES}/{code}/seat", move, cookie=stored, origin=own)).status == 204


async def test_every_request_requires_the_right_token(store: Store) -> None:
    async with online(store) as server:
        here, elsewhere = await server.seated(start=False), await server.seated(start=False)
        code, before = here[0]["table"], (await store.load(here[0]["table"])).seq
        wrong = {"": 401, "Bearer x": 403, bearer(elsewhere[0]): 403, "Basic abc": 401}
        for path in ("leave", "seat", "start", "rematch", "links", "host", "remove", "refuse-name", "mute", "name"):
            body = {"seat": 1} if path == "seat" else {"name": "Eve"} if path == "name" else {"person": "p2"}
            for authorization, status in wrong.items():
                answer = await server.post(f"{TABLES}/{code}/{path}", body, authorization=authorization)
                assert answer.status == status, (path, answer)
        assert (await store.load(code)).seq == before


async def test_the_host_mutes_removes_renames_and_passes_the_role(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated(start=False)
        code, host = tickets[0]["table"], bearer(tickets[0])

        async def people() -> dict[str, Any]:
            return {each["person"]: each for each in (await server.get(f"{TABLES}/{code}")).body["people"]}

        for path in ("mute", "refuse-name"):
            await server.post(f"{TABLES}/{code}/{path}", {"person": "p2"}, authorization=host)
        assert (await people())["p2"]["name"] == "Guest 2"
        assert (await people())["p2"]["muted"]
        mine = await server.post(f"{TABLES}/{code}/host", {"person": "p2"}, authorization=bearer(tickets[1]))
        assert mine.body["code"] == "host-only", "the host has just been here"
        await server.post(f"{TABLES}/{code}/remove", {"person": "p2"}, authorization=host)
        assert "p2" not in await people()
        assert (await server.post(f"{TABLES}/{code}/leave", authorization=bearer(tickets[1]))).status == 403


async def test_a_player_can_replace_an_absent_host(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        table = await server.registry.table(tickets[0]["table"])
        with patch.object(host, "HOST_GRACE", 0.0):
            await table.ask(host.PassHost("p2"), "p2")
        assert table.state.roster.host == "p2"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"[]", 400),
        (b'{"game": "high-card"}', 400),
        ({"game": "high-card", "seats": 2, "name": "Ada", "extra": 1}, 400),
        ({"game": "chess", "seats": 2, "name": "Ada"}, 422),
        ({"game": "high-card", "seats": 20, "name": "Ada"}, 422),
        ({"game": "high-card", "seats": 2, "name": "\u202e"}, 422),
        (b'{"name": "' + b"x" * 100_000 + b'"}', 413),
    ],
    ids=["nothing", "half", "list", "too little", "too much", "game", "seats", "name", "large"],
)
async def test_invalid_requests_are_refused_in_a_sentence(store: Store, body: Any, status: int) -> None:
    async with online(store) as server:
        answer = await server.post(TABLES, body)
        assert answer.status == status
        assert answer.body["code"]
        assert answer.body["sentence"]
        assert await store.listed("gathering") == []


async def test_a_read_only_server_refuses_changes_and_serves_reads(store: Store) -> None:
    async with online(store) as server:
        tickets = await server.seated()
        broken = Append(table=None, epoch=1, after=0, records=(), listing=None)  # type: ignore[arg-type]
        with pytest.raises(StoreError):
            await store.append(broken)
        ready = await server.get("/ready")
        assert (ready.status, ready.body["ready"]) == (503, False)
        assert (await server.get(f"{TABLES}/{tickets[0]['table']}")).status == 200
        async with server.socket(tickets[0]["table"]) as socket:
            player = Player(socket)
            await player.hello(tickets[0]["token"])
            answer = await player.act({"type": "Lay", "slot": 0}, "one")
            assert (answer["type"], answer["code"]) == ("error", "not-saved")
        assert (await server.post(TABLES, {"game": "high-card", "seats": 2, "name": "Ada"})).status == 503
