"""A network partition between servers that all reach the database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from http.client import HTTPConnection
from typing import Any

import psycopg
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.server.bench.online import HOST, Player
from tests.server.nodes.lossy import Way, a_way

from .players import MADE, TROUBLE, Party, Person
from .servers import Server

ADDRESSES = "SELECT name, address FROM nodes"
MOVE = "UPDATE nodes SET address = %s WHERE name = %s"
REFUSED_WITHIN = 15.0  # seconds in which a client at the wrong server is asked to reconnect
IN_WITHIN = 30.0  # seconds in which it is served once the servers reach each other again
RESTART = 1012


class Ways:
    """The connections from every server to the others."""

    def __init__(self, ways: dict[str, Way]) -> None:
        self.ways = ways

    def cut(self) -> None:
        for way in self.ways.values():
            way.cut()

    async def is_taken(self, server: Server, other: Server, code: str) -> None:
        """Wait until another server uses this connection for a table."""
        while not self.ways[server.name].carried:
            await asyncio.to_thread(_look, other.port, code)


def _look(port: int, code: str) -> None:
    asked = HTTPConnection(HOST, port, timeout=10)
    with suppress(*TROUBLE):
        asked.request("GET", f"{MADE}/{code}")
        asked.getresponse().read()
    asked.close()


@asynccontextmanager
async def ways_between(servers: list[Server], where: str) -> AsyncIterator[Ways]:
    """Let servers reach each other over connections that can be cut, and directly again afterwards."""
    async with AsyncExitStack() as stack:
        connection = await stack.enter_async_context(await psycopg.AsyncConnection[Any].connect(where, autocommit=True))
        names = {server.name for server in servers}
        direct = [row for row in await (await connection.execute(ADDRESSES)).fetchall() if row[0] in names]
        ways = {}
        for name, address in direct:
            way, port = await stack.enter_async_context(a_way(int(address.rpartition(":")[2])))
            await connection.execute(MOVE, (f"{HOST}:{port}", name))
            ways[name] = way
        try:
            yield Ways(ways)
        finally:
            for name, address in direct:
                await connection.execute(MOVE, (address, name))


async def is_refused(party: Party, wrong: Server) -> None:
    """Check that a client at the wrong server is asked to reconnect, and is shown nothing."""
    async with asyncio.timeout(REFUSED_WITHIN), connect(address(party, wrong), compression=None, proxy=None) as socket:
        with suppress(ConnectionClosed):
            raise AssertionError(await socket.recv())
        assert socket.close_code == RESTART, socket.close_code


async def is_let_in(person: Person, wrong: Server) -> None:
    """Connect to the wrong server until it relays to the right one."""
    async with asyncio.timeout(IN_WITHIN):
        while True:
            with suppress(*TROUBLE):
                async with connect(address(person.table, wrong), compression=None, proxy=None) as socket:
                    welcome = await Player(socket).hello(person.ticket["token"])
                    assert welcome["you"]["seat"] == person.ticket["seat"]
                    return


def address(party: Party, server: Server) -> str:
    return f"ws://{HOST}:{server.port}{MADE}/{party.code}/socket"
