"""People who come and go leave nothing behind that only a search of everything would free, which stops the server."""

import asyncio
import gc
import sys
from collections import Counter
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from jamboree.server.door import websocket
from jamboree.server.http.app import build_app
from jamboree.server.serve import free_port, listening
from jamboree.server.store import Store

from ..bench.fake_time import until
from ..bench.local import a_registry, gathered
from ..bench.online import HOST

VISITS = 3
BROWSER = """
import asyncio, contextlib, json, sys, urllib.request
from websockets.asyncio.client import connect

async def visit():
    async with contextlib.AsyncExitStack() as stack:
        for address in sys.argv[1:]:
            urllib.request.urlopen("http" + address).read()
            line = await stack.enter_async_context(connect("ws" + address + "/socket", proxy=None))
            await line.send(json.dumps({"type": "hello"}))
            await line.recv()
        await asyncio.to_thread(sys.stdin.readline)

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
            browser = await asyncio.create_subprocess_exec(*program, stdin=asyncio.subprocess.PIPE)
            assert browser.stdin
            await until(lambda: all(registry.tables[code].watched for code in codes))
            gc.unfreeze()
            gc.collect()
            gc.freeze()  # as the server does several times a second
            browser.stdin.write(b"\n")
            await browser.wait()
            await until(lambda: not any(registry.tables[code].watched for code in codes))
            for code in codes:
                await registry.let_go(code)
            await asyncio.sleep(0.1)
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


async def test_people_who_come_and_go_leave_nothing_behind(store: Store) -> None:
    assert await left_behind(store) == {}


async def test_what_is_not_cut_loose_is_found_here(store: Store) -> None:
    with patch.object(websocket, "untie", lambda transport: None):
        assert (await left_behind(store))["_SelectorSocketTransport"] == VISITS, "one for each socket"


async def test_a_table_that_knows_itself_is_found_here(store: Store) -> None:
    with patch("jamboree.server.table.table.proxy", lambda table: table):
        assert (await left_behind(store))["Table"] == VISITS
