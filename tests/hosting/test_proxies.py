"""The configurations in deploy/ with the real nginx and HAProxy: TLS, sockets, client addresses, a stripped path."""

import asyncio
import http.client
import json
import socket
import ssl
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.asyncio.client import connect

from jamboree.client import Client
from jamboree.server.edge.addresses import Proxies
from jamboree.server.store.store import Store
from tests.server.bench.online import ADMIN_TOKEN, HOST, Online, Player, online

from .front import Front, in_front

OPEN = {"game": "high-card", "seats": 2, "name": "Ada", "keep": "cookie"}
SOMEBODY = "127.0.0.9"  # no proxy of ours
PROXIES = ["nginx", "haproxy"]
WHOLE = {"nginx": "jamboree.conf", "haproxy": "haproxy.cfg"}
UNDER = {"nginx": "under-a-path.conf", "haproxy": "under-a-path.cfg"}


class Answer(NamedTuple):
    status: int
    body: Any
    headers: dict[str, str]


def trusting(front: Front) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(front.pem))


def ask(front: Front, name: str, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    """Send a request over TLS, like a browser that resolved the name."""
    connection = http.client.HTTPSConnection(name, front.port, timeout=30, context=trusting(front))
    connection._create_connection = lambda address, *more: _dial(front.port)  # type: ignore[attr-defined]
    content = None if body is None else json.dumps(body).encode()
    connection.request(method, path, content, {"host": name, "content-type": "application/json", **headers})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    is_json = "json" in answer.headers.get("content-type", "")
    return Answer(
        answer.status,
        json.loads(data) if data and is_json else data.decode(),
        {name.lower(): value for name, value in answer.headers.items()},
    )


def _dial(port: int) -> Any:
    return socket.create_connection((HOST, port), 30, source_address=(SOMEBODY, 0))


async def played(front: Front, name: str, prefix: str, server: Online) -> None:
    """Open a table, find its link and cookie right, sit at it over TLS, and be known by one's own address."""
    tables, page = f"{prefix}/api/v1/tables", {"origin": f"https://{name}"}
    opened = await asyncio.to_thread(ask, front, name, "POST", tables, OPEN, **page)
    assert opened.status == 201, opened
    cookie = opened.headers["set-cookie"]
    assert f"Path={prefix}/api/v1;" in cookie and "secure" in cookie.lower()
    code = opened.body["table"]
    invite = await asyncio.to_thread(ask, front, name, "GET", f"{tables}/{code}/invite", None, **page)
    assert invite.body["link"] == f"https://{name}{prefix}/#/t/{code}"
    where = f"wss://{name}{tables}/{code}/socket"
    token = {"cookie": cookie.partition(";")[0], "origin": f"https://{name}"}
    async with connect(
        where, host=HOST, port=front.port, ssl=trusting(front), additional_headers=token, proxy=None
    ) as line:
        assert (await Player(line).hello())["you"]["person"] == "p1"
    shown = {"authorization": f"Bearer {ADMIN_TOKEN}", "x-forwarded-for": "6.6.6.6"}
    seen = (await asyncio.to_thread(ask, front, name, "GET", f"{prefix}/api/v1/admin/load", None, **shown)).body["seen"]
    assert seen["proxied"] and seen["address"] == SOMEBODY, "what a client claims is not believed"
    assert (seen["scheme"], seen["host"]) == ("https", name)


@pytest.mark.parametrize("name", PROXIES)
async def test_a_server_with_its_own_host_name(store: Store, tmp_path: Path, name: str) -> None:
    url = "https://play.example"
    async with online(store, url, proxies=Proxies([HOST])) as server:
        with in_front(name, WHOLE[name], server.port, tmp_path, "play.example") as front:
            await played(front, "play.example", "", server)
            page = await asyncio.to_thread(ask, front, "play.example", "GET", "/")
            assert page.status == 200 and "max-age" in page.headers["strict-transport-security"]
            assert (await asyncio.to_thread(ask, front, "play.example", "GET", "/metrics")).status == 404
            plain = http.client.HTTPConnection(HOST, front.plain, timeout=30)
            plain.request("GET", "/x", headers={"host": "play.example"})
            sent_on = plain.getresponse()
            assert (sent_on.status, sent_on.headers["location"]) == (308, "https://play.example/x")
            plain.close()


@pytest.mark.parametrize("name", PROXIES)
async def test_a_server_under_a_path(store: Store, tmp_path: Path, name: str) -> None:
    url = "https://school.example/jam"
    async with online(store, url, proxies=Proxies([HOST])) as server:
        with in_front(name, UNDER[name], server.port, tmp_path, "school.example") as front:
            await played(front, "school.example", "/jam", server)
            page = await asyncio.to_thread(ask, front, "school.example", "GET", "/jam/")
            assert page.status == 200
            bare = await asyncio.to_thread(ask, front, "school.example", "GET", "/jam")
            assert bare.status == 308 and bare.headers.get("location", bare.headers.get("Location", "")).endswith(
                "/jam/"
            )
            outside = await asyncio.to_thread(ask, front, "school.example", "GET", "/api/v1/tables")
            assert outside.status in (404, 503), "only the path is ours"
            assert (await asyncio.to_thread(ask, front, "school.example", "GET", "/jam/metrics")).status == 404


async def test_cookies_are_scoped_to_the_path(store: Store) -> None:
    async with online(store, "https://school.example/jam", proxies=Proxies([HOST])) as server:
        at_home = await server.post("/api/v1/tables", OPEN, origin=f"http://{HOST}:{server.port}")
        assert "Path=/api/v1;" in at_home.headers["set-cookie"]
        forwarded = {"x-forwarded-for": "192.0.2.9", "x-forwarded-host": "school.example"}
        outside = await server.post("/api/v1/tables", OPEN, origin="https://school.example", **forwarded)
        assert "Path=/jam/api/v1;" in outside.headers["set-cookie"]
        foreign = await server.post("/api/v1/tables", OPEN, origin="https://school.example.evil")
        assert foreign.status == 403


def test_clients_accept_an_address_with_a_path() -> None:
    assert Client("https://school.example/jam/").url == "https://school.example/jam"
