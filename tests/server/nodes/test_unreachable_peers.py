"""Servers that reach the database but not each other: clients get errors within seconds, and reconnect."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from jamboree.server.errors import Refused
from jamboree.server.nodes import peer_socket, relay
from jamboree.server.nodes.lease import Lease, Peer
from jamboree.server.nodes.node import Node
from jamboree.server.nodes.peer_socket import PeerUnreachable
from jamboree.server.serve import free_port

from ..bench.online import HOST, Player
from .bench import Served, a_server
from .lossy import Way, a_way_to

NOTICED = {"TCP_KEEPIDLE": 1, "TCP_KEEPINTVL": 1, "TCP_KEEPCNT": 1, "TCP_USER_TIMEOUT": 1500}
SOON = 60.0  # seconds; a system's own patience with a connection that says nothing is many minutes


class Apart(NamedTuple):
    """A table on one server that is reached through another."""

    one: Served
    other: Served
    way: Way
    code: str
    tokens: list[str]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeouts."""
    monkeypatch.setattr(peer_socket, "KEEPALIVE_OPTIONS", NOTICED)
    monkeypatch.setattr(relay, "RELOCATE_TIMEOUT", 1.0)


@asynccontextmanager
async def set_apart(shared: str) -> AsyncIterator[Apart]:
    async with a_server(shared, "a") as a, a_server(shared, "b") as b, a_way_to(shared, a, b) as way:
        tickets = await a.seated()
        async with a.socket(tickets[0]["table"]) as held:  # so that it stays where it is
            await Player(held).hello(tickets[0]["token"])
            yield Apart(a, b, way, tickets[0]["table"], [ticket["token"] for ticket in tickets])


async def test_a_relayed_socket_is_closed_when_its_server_is_unreachable(shared: str) -> None:
    async with set_apart(shared) as apart, apart.other.socket(apart.code) as opened:
        bob = Player(opened)
        await bob.hello(apart.tokens[1])
        apart.way.cut()
        with pytest.raises(ConnectionClosed):
            async with asyncio.timeout(SOON):
                while True:
                    await bob.take()
        assert opened.close_code == 1012


async def test_a_socket_that_cannot_be_relayed_is_told_to_reconnect(shared: str) -> None:
    async with set_apart(shared) as apart:
        apart.way.cut()
        async with asyncio.timeout(SOON), apart.other.socket(apart.code) as opened:
            with pytest.raises(ConnectionClosed):
                await opened.recv()
            assert opened.close_code == 1012


async def test_a_request_that_cannot_be_relayed_is_refused(shared: str) -> None:
    async with set_apart(shared) as apart:
        apart.way.cut()
        began = time.monotonic()
        assert (await apart.other.get(f"/api/v1/tables/{apart.code}")).body["code"] == "not-saved"
        assert time.monotonic() - began < SOON
        assert (await apart.one.get(f"/api/v1/tables/{apart.code}")).status == 200


async def test_a_request_with_a_lost_response_is_retried_or_refused(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way is cut once the request is at the other server, which then takes its time."""
    async with set_apart(shared) as apart:
        node = apart.one.member.node
        owner = node.owner

        async def slow(code: str) -> object:
            apart.way.cut()
            await asyncio.sleep(1)
            return await owner(code)

        monkeypatch.setattr(node, "owner", slow)
        async with asyncio.timeout(SOON):
            assert (await apart.other.get(f"/api/v1/tables/{apart.code}")).body["code"] == "not-saved"


@pytest.mark.parametrize(("method", "trouble"), [("GET", PeerUnreachable), ("POST", Refused)])
async def test_a_truncated_response_is_discarded(method: str, trouble: type[Exception]) -> None:
    """A server that is killed during its response may or may not have applied the change."""

    async def begin(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n[1, 2")
        await writer.drain()
        writer.close()

    port = free_port(HOST, 0)
    node, peer = Node(Lease("", "a", "")), Peer("b", "run", f"{HOST}:{port}")
    node.set_peers([peer])
    async with await asyncio.start_server(begin, HOST, port):
        with pytest.raises(trouble):
            await relay.forward(node, peer, method, b"/", [], b"")


async def test_missing_socket_options_are_tolerated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_socket, "KEEPALIVE_OPTIONS", {"TCP_NODELAY": 1, "TCP_OF_ANOTHER_SYSTEM": 1})
    async with await asyncio.start_server(lambda _, writer: writer.close(), HOST, port := free_port(HOST, 0)):
        (await peer_socket.connect_to(f"{HOST}:{port}")).close()
