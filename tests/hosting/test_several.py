"""The configurations in deploy/ for several servers: a table's clients reach one server, and one server may fail."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from jamboree.server.edge.addresses import Proxies
from jamboree.server.serve import free_port
from jamboree.server.store.store import open_store
from tests.server.bench.online import HOST, Player
from tests.server.nodes.bench import a_server

from .front import Front, in_front
from .test_proxies import OPEN, PROXIES, ask, played, trusting

NAME, URL = "play.example", "https://play.example"
FILES = {"nginx": "several.conf", "haproxy": "several.cfg"}
TABLES = "/api/v1/tables"
BEARER = {**OPEN, "keep": "bearer"}


@pytest.mark.parametrize("name", PROXIES)
async def test_a_tables_people_reach_its_server_and_its_successor(postgres: str, tmp_path: Path, name: str) -> None:
    open_store(postgres).close()
    shared: dict[str, Any] = {"public_url": URL, "proxies": Proxies([HOST])}
    async with a_server(postgres, "one", **shared) as one, a_server(postgres, "two", **shared) as two:
        servers = {"10.0.0.5:8300": one.port, "10.0.0.6:8300": two.port}
        with in_front(name, FILES[name], servers, tmp_path, NAME) as front:
            await played(front, NAME, "", one)
            for _ in range(4):
                opened = await asyncio.to_thread(
                    ask, front, NAME, "POST", TABLES, {**OPEN, "keep": "bearer"}, origin=URL
                )
                code, token = opened.body["table"], opened.body["token"]
                async with line(front, code) as first, line(front, code) as second:
                    await Player(first).hello(token)
                    await Player(second).hello()
                    (there,) = [each for each in (one, two) if code in each.registry.tables]
                    assert len(there.app.state.open_sockets) == 2, "nobody was passed on"
        gone = {"10.0.0.5:8300": one.port, "10.0.0.6:8300": free_port(HOST, 0)}
        with in_front(name, FILES[name], gone, tmp_path, NAME) as front:
            for _ in range(4):
                answer = await asyncio.to_thread(ask, front, NAME, "GET", f"{TABLES}/{code}")
                assert answer.status == 200, answer


def line(front: Front, code: str) -> connect:
    where = f"wss://{NAME}{TABLES}/{code}/socket"
    return connect(where, host=HOST, port=front.port, ssl=trusting(front), proxy=None)
