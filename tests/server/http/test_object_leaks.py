"""Connections and tables leave no reference cycles, which only a full garbage collection would free."""

import asyncio
import gc
import sys
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from jamboree.server.edge import http as edge_http
from jamboree.server.edge import websocket
from jamboree.server.http.app import build_app
from jamboree.server.serve import free_port, listening
from jamboree.server.store.store import Store

from ..bench.fake_time import until
from ..bench.local import a_registry, gathered
from ..bench.online import HOST

VISITS = 3
BROWSER = """
import asyncio, contextlib, json, sys, urllib.request
from urllib.parse import urlsplit
from websockets.asyncio.client import connect

POST = "POST {path}/join HTTP/1.1\\r\\nHost: {netloc}\\r\\nContent-Length: 100\\r\\n\\r\\n{{"
UPGRADE = (
    "GET {path}/socket HTTP/1.1\\r\\nHost: {netloc}\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n"
    "Sec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n"
)
NOT_MASKED = bytes([0x81, 1, 120])

async def begin(address, said):
    place = urlsplit("http" + address)
    reader, writer = await asyncio.open_connection(place.hostname, place.port)
    writer.write(said.format(path=place.path, netloc=place.netloc).encode())
    return reader, writer

async def visit():
    async with contextlib.AsyncExitStack() as stack:
        for address in sys.argv[1:]:
            urllib.request.urlopen("http" + address).read()
            line = await stack.enter_async_context(connect("ws" + address + "/socket", proxy=None))
            await line.send(json.dumps({"type": "hello"}))
            await line.recv()
        halves = [await begin(address, POST) for address in sys.argv[1:]]
        broken = [await begin(address, UPGRADE) for address in sys.argv[1:]]
        for reader, _ in broken:
            await reader.readuntil(b"\\r\\n\\r\\n")
        print("there", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await line.send("nonsense")
        await line.recv()
        for reader, writer in broken:
            writer.write(NOT_MASKED)
            await reader.read()
        for _, writer in halves + broken:
            writer.close()

asyncio.run(visit())
"""


@pytest.fixture(autouse=True)
def nothing_is_looked_for_meanwhile() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


async def left_behind(store: Store) -> Counter[str]:
    """Have a browser come to tables and go again, put these away, and see what a search of everything finds."""
    async with a_registry(store) as registry:
        app, port = build_app(registry), free_port(HOST, 0)
        async with listening(app, HOST, port):
            codes = [(await gathered(registry))[0] for _ in range(VISITS)]
            addresses = [f"://{HOST}:{port}/api/v1/tables/{code}" for code in codes]
            program = (sys.executable, "-c", BROWSER, *addresses)
            browser = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE)
            assert browser.stdin and browser.stdout
            await browser.stdout.readline()
            gc.unfreeze()
            gc.collect()
            gc.freeze()  # as the server does several times a second
            browser.stdin.write(b"\n")
            await browser.wait()
            await until(
                lambda: not (app.state.open_sockets or any(registry.tables[code].connections for code in codes))
            )
            for code in codes:
                await registry.unload(code)
            await asyncio.sleep(0.3)
            gc.collect(0)
            garbage = found()
            assert browser.returncode == 0  # it makes garbage, too, so it is kept until now
            return garbage


def found() -> Counter[str]:
    gc.unfreeze()
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    gc.set_debug(0)
    kinds = Counter(type(each).__name__ for each in gc.garbage)
    gc.garbage.clear()
    return kinds


async def test_joining_and_leaving_leaks_no_objects(store: Store) -> None:
    assert await left_behind(store) == {}


async def test_a_reference_cycle_through_a_request_is_detected(store: Store) -> None:
    with patch.object(websocket, "break_reference_cycle", lambda transport: None):
        assert (await left_behind(store))["_SelectorSocketTransport"] == 2 * VISITS, (
            "one for each socket, broken or not"
        )


async def test_a_reference_cycle_through_a_table_is_detected(store: Store) -> None:
    with patch("jamboree.server.live.table.proxy", lambda table: table):
        found = (await left_behind(store))["Table"]
    assert 0 < found <= VISITS, "a collection in between may have freed some"


async def test_an_unfinished_request_is_detected(store: Store) -> None:
    with patch.object(edge_http.GuardedHttpProtocol, "_untrack", forgotten_only):
        assert (await left_behind(store))["GuardedHttpProtocol"] == VISITS


def forgotten_only(connection: edge_http.GuardedHttpProtocol) -> None:
    connection.edge.forget(connection)
    connection._deferred = None
