"""A server on the loopback interface, and clients that connect to it."""

import asyncio
import gzip
import http.client
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from litestar import Litestar
from websockets.asyncio.client import ClientConnection, connect

from jamboree.server.edge.addresses import Proxies
from jamboree.server.edge.rate_limits import RateLimits
from jamboree.server.http.app import build_app
from jamboree.server.http.static_site import FOLDER
from jamboree.server.live.registry import Registry
from jamboree.server.serve import free_port, listening
from jamboree.server.store.store import Store

from ..http.promised import broken_promises
from .local import a_registry, actions, next_position

HOST = "127.0.0.1"
METRICS_TOKEN = "for those who run it"
ADMIN_TOKEN = "for those who steer it"


class Answer(NamedTuple):
    status: int
    body: Any
    headers: dict[str, str]


class Online:
    """A server's address, with what a test wants to look at from inside."""

    def __init__(self, port: int, registry: Registry, app: Litestar) -> None:
        self.port, self.registry, self.app = port, registry, app

    async def get(self, path: str, **headers: str) -> Answer:
        return await asyncio.to_thread(self.call, "GET", path, None, headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return await asyncio.to_thread(self.call, "POST", path, body, headers)

    async def metrics(self) -> str:
        """Request the metrics with the operator's token."""
        return str((await self.get("/metrics", authorization=f"Bearer {METRICS_TOKEN}")).body)

    async def admin(self, path: str, body: Any = None) -> Answer:
        """Send a request with the operator's token; a POST if there is a body."""
        shown = {"authorization": f"Bearer {ADMIN_TOKEN}"}
        method = "GET" if body is None else "POST"
        return await asyncio.to_thread(self.call, method, f"/api/v1/admin/{path}", body, shown)

    async def head(self, path: str) -> Answer:
        return await asyncio.to_thread(self.call, "HEAD", path, None, {})

    async def raw(self, path: str) -> bytes:
        """Ask for a path as it is written, which a careful client would tidy up first."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n".encode("latin-1"))
        answer = await reader.read()
        writer.close()
        return answer

    def call(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        return call(self.port, method, path, body, headers)

    async def seated(self, game: str = "high-card", seats: int = 2, start: bool = True) -> list[dict[str, Any]]:
        """Open a table, fill it and start; return the seats' credentials."""
        host = (await self.post("/api/v1/tables", {"game": game, "seats": seats, "name": "Ada"})).body
        places = [host]
        for name in ("Bob", "Cleo", "Dirk")[: seats - 1]:
            places.append((await self.post(f"/api/v1/tables/{host['table']}/join", {"name": name})).body)
        if start:
            answer = await self.post(f"/api/v1/tables/{host['table']}/start", authorization=f"Bearer {host['token']}")
            assert answer.status == 204, answer
        return places

    def socket(self, table: str, **headers: str) -> Any:
        address = f"ws://{HOST}:{self.port}/api/v1/tables/{table}/socket"
        return connect(address, additional_headers=headers, compression=None, max_size=None, proxy=None)


def call(port: int, method: str, path: str, body: Any, headers: dict[str, str], source: str = HOST) -> Answer:
    connection = http.client.HTTPConnection(HOST, port, timeout=30, source_address=(source, 0))
    content = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request(method, path, content, {"content-type": "application/json", **headers})
    response = connection.getresponse()
    data = _unpacked(response.read(), response.headers.get("content-encoding"))
    connection.close()
    assert broken_promises(method, path, response, data) == []
    is_json = "json" in response.headers.get("content-type", "")
    return Answer(response.status, json.loads(data) if data and is_json else data.decode(), dict(response.headers))


def _unpacked(data: bytes, coding: str | None) -> bytes:
    """Read an answer as its coding says; files of a test are no real ones."""
    if coding == "gzip" and data.startswith(b"\x1f\x8b"):
        return gzip.decompress(data)
    return zlib.decompress(data) if coding == "deflate" else data


@asynccontextmanager
async def online(
    store: Store,
    public_url: str = "",
    site: Path = FOLDER,
    limits: RateLimits | None = None,
    proxies: Proxies | None = None,
    **more: Any,
) -> AsyncIterator[Online]:
    async with a_registry(store, **more) as registry:
        app = build_app(
            registry, public_url, site, limits, proxies, metrics_token=METRICS_TOKEN, admin_token=ADMIN_TOKEN
        )
        port = free_port(HOST, 0)
        async with listening(app, HOST, port):
            yield Online(port, registry, app)


class Player:
    """A socket that has said hello."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.seq = 0
        self.position: Any = None
        self.groups: Any = None
        self.events: list[Any] = []
        self.received: list[Any] = []

    async def hello(self, token: str | None = None, seen: int | None = None) -> Any:
        await self.send(type="hello", token=token, seen=seen)
        return await self.until("welcome")

    async def send(self, **message: Any) -> None:
        await self.socket.send(msgspec.json.encode(message).decode())

    async def until(self, *kinds: str) -> Any:
        """Take in messages up to one of a kind."""
        while True:
            message = await self.take()
            if message["type"] in kinds:
                return message

    async def take(self) -> Any:
        message = msgspec.json.decode(await self.socket.recv())
        self.received.append(message)
        if message["type"] in ("welcome", "update"):
            self.seq, self.position = message["seq"], next_position(self.position, message)
            self.groups = message.get("actions") or self.groups
            for step in [*(message.get("missed") or []), *([message] if "events" in message else [])]:
                self.events += step["events"]
        return message

    async def act(self, action: dict[str, Any], name: str) -> Any:
        await self.send(type="act", id=name, action=action)
        return await self.until("ack", "error")

    def legal(self) -> list[dict[str, Any]]:
        return actions(self.groups, self.position["legal"])
