"""HTTP responses are compressed on request, if nothing in them is private."""

import asyncio
import gzip
import http.client
import json
import random
from typing import Any

import pytest

from jamboree.games import all_games
from jamboree.server.http import compression
from jamboree.server.http.compression import (
    MIN_SIZE,
    EncodedBody,
    compressed,
    compressed_cached,
    gzip_cached,
    negotiate,
)
from jamboree.server.live.commands.host import Expire
from jamboree.server.store.store import Store

from ..bench.local import Client, play_on
from ..bench.online import HOST, Answer, Online, online

ALL = all_games()
OF_GAMES = [f"/games/{key}/{what}?language=nl" for key in ALL for what in ("rules", "examples", "lessons")]
BROWSER = "gzip, deflate, br, zstd"


async def fetched(
    server: Online, path: str, accepted: str | None = BROWSER, method: str = "GET", **more: str
) -> Answer:
    """Fetch something as it is on the wire."""

    def ask() -> Answer:
        connection = http.client.HTTPConnection(HOST, server.port, timeout=30)
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in {**more, **({} if accepted is None else {"accept-encoding": accepted})}.items():
            connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return Answer(response.status, data, {name.lower(): value for name, value in response.headers.items()})

    return await asyncio.to_thread(ask)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        (BROWSER, "gzip"),
        ("GZIP", "gzip"),
        ("gzip;q=0.001", "gzip"),
        ("br, gzip ; q=0.5", "gzip"),
        ("*", "gzip"),
        ("*;q=0.1", "gzip"),
        ("identity;q=0.5, gzip", "gzip"),
        ("identity;q=0, gzip;q=0.2", "gzip"),
        ("", ""),
        ("br", ""),
        ("gzip;q=0", ""),
        ("gzip;q=0.000", ""),
        ("gzip;q=0, *", ""),
        ("*;q=0", ""),
        ("identity, gzip;q=0.5", ""),
        ("gzip;q=nonsense", ""),
        ("gzip;q=nan", ""),
        ("gzip;q=-1", ""),
        ("notgzip", ""),
        (",;q=,", ""),
    ],
)
def test_the_accept_encoding_header_is_honoured(accepted: str, coding: str) -> None:
    assert negotiate(accepted, ["gzip"]) == coding


def test_equal_preferences_select_the_first_coding() -> None:
    assert negotiate("gzip, br", ["br", "gzip"]) == "br"
    assert negotiate("gzip, br;q=0.9", ["br", "gzip"]) == "gzip"


def test_incompressible_responses_are_sent_unchanged() -> None:
    for content in (b"", b"x" * (MIN_SIZE - 1), random.Random(1).randbytes(MIN_SIZE)):
        for form in (compressed(content, "gzip"), compressed_cached(content, "gzip")):
            assert (form.content, form.headers) == (content, compression.VARY)


async def test_public_responses_are_compressed(store: Store) -> None:
    async with online(store, games=ALL) as server:
        for _ in range(8):
            await server.seated("bebop", 4, start=False)
        for path in ("/games", "/tables", "/schema/openapi.json", *OF_GAMES):
            packed, plain = [await fetched(server, f"/api/v1{path}", accepted) for accepted in (BROWSER, None)]
            assert (packed.status, packed.headers["content-encoding"]) == (200, "gzip")
            assert "content-encoding" not in plain.headers
            assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
            assert packed.headers["content-type"] == plain.headers["content-type"]
            assert int(packed.headers["content-length"]) == len(packed.body) < len(plain.body) / 2
            assert gzip.decompress(packed.body) == plain.body
            json.loads(plain.body)


async def test_a_public_text_is_compressed_once(store: Store) -> None:
    async with online(store, games=ALL) as server:
        for _ in range(3):
            await fetched(server, "/api/v1/games/bebop/rules?language=en")
        before = gzip_cached.cache_info()
        await fetched(server, "/api/v1/games/bebop/rules?language=en")
        after = gzip_cached.cache_info()
        assert (after.misses, after.hits) == (before.misses, before.hits + 1)
        assert after.maxsize


async def test_refusals_and_other_responses_are_not_compressed(store: Store) -> None:
    async with online(store, games=ALL) as server:
        for method, path, status in (
            ("GET", "/games/nothing/rules", 422),
            ("GET", "/games/bebop/rules?language=xx", 400),
            ("GET", "/tables/NOWHERE/log", 404),
            ("HEAD", "/games/bebop/rules", 405),
        ):
            answer = await fetched(server, f"/api/v1{path}", method=method)
            assert (answer.status, answer.headers.get("content-encoding")) == (status, None)
            assert method == "HEAD" or json.loads(answer.body)["code"]


async def test_range_requests_receive_the_whole_file(store: Store) -> None:
    async with online(store, games=ALL) as server:
        answer = await fetched(server, "/api/v1/games/bebop/rules", range="bytes=0-9")
        assert answer.status == 200
        assert json.loads(gzip.decompress(answer.body))["markdown"]


async def test_a_players_log_is_compressed_after_the_game(store: Store) -> None:
    async with online(store, games=ALL) as server:
        tickets = await server.seated("bpm", 3)
        code, shown = tickets[0]["table"], {"authorization": f"Bearer {tickets[0]['token']}"}
        clients = [Client(server.registry, code, ticket["token"], "en") for ticket in tickets]
        for client in clients:
            await client.hello()
        await play_on(clients, random.Random(3), 12)
        path = f"/api/v1/tables/{code}/log?language=nl"

        async def coding(**headers: str) -> str | None:
            answer = await fetched(server, path, **headers)
            assert (answer.status, answer.headers["vary"]) == (200, "accept-encoding")
            return answer.headers.get("content-encoding")

        assert await coding(**shown) is None
        assert await coding() == "gzip"
        table = await server.registry.table(code)
        await table.ask(Expire())
        assert await coding(**shown) == "gzip"
        assert (await server.get(path, **shown)).body


async def test_responses_with_secrets_are_never_compressed(store: Store) -> None:
    async with online(store, games=ALL) as server:
        body: dict[str, Any] = {"game": "bpm", "seats": 3, "name": "gzip " * 6, "options": {}}
        wanted = {"accept-encoding": BROWSER}
        opened = await server.post("/api/v1/tables", body, **wanted)
        at, shown = f"/api/v1/tables/{opened.body['table']}", {"authorization": f"Bearer {opened.body['token']}"}
        answers = [
            opened,
            await server.post(f"{at}/join", {"name": "Bob"}, **wanted),
            await server.post(f"{at}/links", **shown, **wanted),
            await server.get(at, **shown, **wanted),
            await server.get(f"{at}/fairness", **wanted),
            await server.get(f"{at}/invite", **wanted),
        ]
        assert [each.status for each in answers] == [201, 201, 201, 200, 200, 200]
        assert all("content-encoding" not in each.headers for each in answers)


def test_short_responses_are_not_compressed_even_if_cached() -> None:
    """Texts that are equal are one in the cache, and not the same object."""
    short = b"so little that packing it would make it longer"
    for _ in range(2):
        assert compressed_cached(bytes(bytearray(short)), "gzip") == EncodedBody(short)
