"""Idle, slow and excessive connections, on a real socket."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from jamboree.server.edge import connections, http, open_file_limit, websocket
from jamboree.server.edge.connections import ByteBudget, ConnectionTable, ReadProgress
from jamboree.server.http.sockets import MAX_RECEIVED
from jamboree.server.store.store import Store
from tests.siege.attacks import handshake
from tests.siege.field import Leech

from ..bench.fake_time import until
from ..bench.online import HOST, Online, online

GET = f"GET /live HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
POST = f"POST /api/v1/tables HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n".encode()
FIN, TEXT, CONTINUED = 0x80, 0x01, 0x00


class Guest:
    """A connection that records its eviction in a list."""

    def __init__(self, table: ConnectionTable | None, address: str, sent_away: list["Guest"]) -> None:
        self.table, self.address, self.sent_away = table, address, sent_away

    def evict(self) -> None:
        self.sent_away.append(self)
        if self.table:
            self.table.remove(self)


def test_a_new_connection_evicts_the_longest_idle_one() -> None:
    table, away = ConnectionTable(100, per_address=3), list[Guest]()
    school = [Guest(table, "school", away) for _ in range(5)]
    for guest in school[:3]:
        assert table.admit(guest)
    table.mark_waiting(school[1])
    table.mark_waiting(school[0])
    assert table.admit(school[3]) and away == [school[1]]
    assert table.admit(school[4]) and away == [school[1], school[0]]
    assert not table.admit(Guest(table, "school", away)), "all others are being served"
    assert table.admit(Guest(table, "elsewhere", away)), "which is nobody else's trouble"
    assert (table.total, table.count_by_address["school"]) == (4, 3)


def test_at_the_global_limit_the_longest_idle_connection_is_evicted() -> None:
    table, away = ConnectionTable(2, exempt=lambda address: address == "proxy"), list[Guest]()
    first, second = Guest(table, "proxy", away), Guest(table, "far", away)
    for guest in (first, second):
        assert table.admit(guest)
        table.mark_waiting(guest)
    assert table.admit(Guest(table, "near", away))
    assert away == [first]


def test_connections_of_proxies_are_not_limited_by_address() -> None:
    table = ConnectionTable(100, per_address=1, exempt=lambda address: address == "proxy")
    assert [table.admit(Guest(table, "proxy", [])) for _ in range(5)] == [True] * 5


def test_the_address_with_the_most_unread_bytes_is_evicted() -> None:
    budget, away = ByteBudget(100), list[Guest]()
    modest, old, young = Guest(None, "a", away), Guest(None, "b", away), Guest(None, "b", away)
    budget.hold(modest, 40)
    budget.hold(old, 30)
    budget.hold(young, 20)
    assert away == []
    budget.hold(young, 20)
    assert away == [old]
    budget.release(young)
    assert budget.total == 40


def test_a_slow_reader_must_make_progress() -> None:
    reading = ReadProgress()
    assert not reading.is_stalled(300_000, 0.0)
    assert not reading.is_stalled(290_000, connections.STALL_TIMEOUT), "a moment more"
    assert not reading.is_stalled(280_000, connections.STALL_TIMEOUT + 0.1), "it got on"
    assert reading.is_stalled(279_000, 2 * connections.STALL_TIMEOUT + 1)
    assert not reading.is_stalled(0, 3 * connections.STALL_TIMEOUT)
    assert not reading.is_stalled(5_000, 3 * connections.STALL_TIMEOUT)


def test_the_open_file_limit_is_raised_and_a_low_one_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert open_file_limit.max_connections() > 64
    monkeypatch.setattr(open_file_limit, "_raise_limit", lambda: 1024)
    assert open_file_limit.max_connections() == 1024 - open_file_limit.RESERVED
    assert "limit of open files" in caplog.text


@asynccontextmanager
async def connected(server: Online, first: bytes) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(HOST, server.port)
    writer.write(first)
    yield reader, writer
    writer.transport.abort()


@pytest.mark.parametrize("head", [b"", GET[:-2], POST + b"Content-Length: 9\r\n\r\n", GET])
async def test_idle_connections_do_not_block_new_ones(store: Store, head: bytes) -> None:
    async with online(store) as server:
        leeches = [await asyncio.open_connection(HOST, server.port) for _ in range(300)]
        for _, writer in leeches:
            writer.write(head)
        for _ in range(5):
            async with asyncio.timeout(5):
                assert (await server.get("/live")).status == 200
        for _, writer in leeches:
            writer.transport.abort()


@pytest.mark.parametrize(
    ("deadline", "head", "drip"),
    [
        ("HEAD_TIMEOUT", b"", b""),
        ("HEAD_TIMEOUT", GET[:-2], b"X-A: b\r\n"),
        ("BODY_TIMEOUT", POST + b"Content-Length: 5000\r\n\r\n", b" "),
        ("BODY_TIMEOUT", POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
        ("IDLE_TIMEOUT", GET, b""),
        ("HEAD_TIMEOUT", GET + GET[:-2], b"X-A: b\r\n"),
    ],
)
async def test_a_slow_request_times_out(
    store: Store, monkeypatch: pytest.MonkeyPatch, deadline: str, head: bytes, drip: bytes
) -> None:
    monkeypatch.setattr(http, deadline, 0.3)
    async with online(store) as server:
        leech = await sent(server, head)
        async with asyncio.timeout(8):
            while leech.open:
                leech.drip(drip)
                await asyncio.sleep(0.2)
        assert server.app.state.edge.table.total == 0


async def test_concurrent_requests_do_not_wait_for_each_other(store: Store) -> None:
    async with online(store) as server, connected(server, b""):
        connections = server.app.state.edge.connections
        await until(lambda: len(connections) == 1)
        (line,) = connections
        accepted = line.transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_an_endless_request_head_is_refused(store: Store) -> None:
    async with online(store) as server:
        endless = GET[:-2] + b"".join(b"X-%d: %s\r\n" % (number, b"x" * 1000) for number in range(100))
        async with connected(server, endless) as (reader, _):
            answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 431")


async def test_thousands_of_pipelined_requests_are_answered_one_by_one(store: Store) -> None:
    async with online(store) as server, connected(server, GET * 2000) as (reader, _):
        edge, answer = server.app.state.edge, b""
        while answer.count(b"HTTP/1.1 200") < 2000:
            answer += await reader.read(2**16)
            assert len(edge.tasks) <= 1
            assert edge.unfinished.total <= 2 * connections.READ_SIZE
        assert (await server.get("/live")).status == 200


async def test_the_total_size_of_unfinished_requests_is_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_UNFINISHED", 200_000)
    async with online(store) as server:
        began, rest = POST + b"Content-Length: 60000\r\n\r\n" + b" " * 50_000, b" " * 10_000
        lines = [await asyncio.open_connection(HOST, server.port) for _ in range(20)]
        for _, writer in lines:
            writer.write(began)
        edge = server.app.state.edge
        await until(lambda: len(edge.paused) == 20)
        assert (edge.unfinished.total <= 200_000, edge.unfinished.evicted) == (True, 0)
        for _, writer in lines:
            writer.write(rest)
        for overdue in list(edge.paused)[1:]:
            overdue.evict()
        await until(lambda: not edge.paused and not edge.unfinished.total)  # read on when the others have gone
        answers = await asyncio.gather(*[reader.readline() for reader, _ in lines], return_exceptions=True)
        assert [answer for answer in answers if isinstance(answer, bytes)] == [b"HTTP/1.1 400 Bad Request\r\n"]
        for _, writer in lines:
            writer.transport.abort()


async def test_an_aborted_upload_is_not_logged(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    async with online(store) as server:
        edge = server.app.state.edge
        async with connected(server, POST + b"Content-Length: 5000\r\n\r\n{") as (_, writer):
            await until(lambda: edge.unfinished.total > 0)
            await writer.drain()
        await until(lambda: edge.unfinished.total == 0)
    assert caplog.text == ""


async def test_a_request_is_handled_once_it_is_complete(store: Store) -> None:
    async with online(store) as server:
        edge = server.app.state.edge
        async with connected(server, POST + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{") as (reader, writer):
            assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
            await until(lambda: edge.unfinished.total > 0)
            assert not edge.tasks
            writer.write(b"}")
            assert (await reader.readline()).startswith(b"HTTP/1.1 400")


async def test_the_total_size_of_unread_responses_is_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MAX_UNREAD", 1_000_000)
    schema = f"GET /api/v1/schema/openapi.json HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()
    async with online(store) as server:
        leeches = [await asyncio.open_connection(HOST, server.port, limit=1024) for _ in range(40)]
        for _, writer in leeches:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
        edge = server.app.state.edge

        def ask_on() -> bool:
            for _, writer in leeches:
                if not writer.is_closing():
                    writer.write(schema)
            return bool(edge.unread.evicted)

        await until(ask_on)
        assert edge.unread.total <= 1_000_000
        assert (await server.get("/live")).status == 200
        for _, writer in leeches:
            writer.transport.abort()


async def sent(server: Online, first: bytes) -> Leech:
    leech = Leech(first, reads=True)
    await asyncio.get_running_loop().create_connection(lambda: leech, HOST, server.port)
    return leech


def frame(kind: int, content: bytes) -> bytes:
    size = bytes([0x80 | len(content)]) if len(content) < 126 else b"\xfe" + len(content).to_bytes(2, "big")
    return bytes([kind]) + size + bytes(4) + content


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (frame(TEXT, b"x"), frame(CONTINUED, b"x" * 60_000)),
        (frame(TEXT, b"x"), frame(CONTINUED, b"x" * 100) * 100),
        (frame(TEXT, b"x"), frame(CONTINUED, b"") * 1000),
        (b"", frame(FIN | 0x9, b"ping") * 1000),
        (b"", frame(FIN | 0xA, b"pong") * 1000),
        (b"", frame(FIN | TEXT, b"") * 1000),
    ],
)
async def test_endless_messages_are_cut_off_while_they_arrive(store: Store, first: bytes, then: bytes) -> None:
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        leech = await sent(server, handshake(code))
        await until(lambda: server.app.state.metrics.sockets == 1)
        leech.drip(first)
        for _ in range(30):
            leech.drip(then)
            await asyncio.sleep(0.05)
        assert not leech.open, "it was let go long before"
        assert MAX_RECEIVED < 20_000 and websocket.MAX_FRAMES < 1000


async def test_pings_of_a_peer_that_does_not_read_are_limited(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "MAX_FRAMES", 10**9)
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        async with connected(server, handshake(code)) as (reader, writer):
            await reader.readuntil(b"\r\n\r\n")
            await until(lambda: len(server.app.state.edge.connections) == 1)
            (line,) = server.app.state.edge.connections
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            while not line.transport.is_closing():
                writer.write(frame(FIN | 0x9, b"p" * 125) * 200)
                await asyncio.sleep(0)
                assert line.transport.get_write_buffer_size() < websocket.MAX_UNSENT + 2**17


async def test_a_burst_of_browsers_is_served(store: Store) -> None:
    async with online(store) as server:

        async def browse() -> None:
            for _ in range(6):
                async with connected(server, GET) as (reader, _):
                    await reader.readuntil(b"\r\n\r\n")

        began = time.monotonic()
        await asyncio.gather(*[browse() for _ in range(200)])
        assert time.monotonic() - began < 20


HOST_LINE = f"Host: {HOST}\r\n"


@pytest.mark.parametrize(
    ("version", "hosts", "status"),
    [
        ("1.1", HOST_LINE, 200),
        ("1.1", "", 400),
        ("1.1", HOST_LINE * 2, 400),
        ("1.1", f"{HOST_LINE}hOST: evil.example\r\n", 400),
        ("1.1", f"Host: evil.example\r\n{HOST_LINE}", 400),
        ("1.0", "", 200),
        ("1.0", HOST_LINE * 2, 400),
    ],
)
@pytest.mark.parametrize("upgrade", [False, True])
async def test_a_request_has_exactly_one_host_header(
    store: Store, version: str, hosts: str, status: int, upgrade: bool
) -> None:
    """RFC 9112, 3.2: a proxy and we might each believe another one of two."""
    if upgrade and version == "1.0":
        pytest.skip("a WebSocket wants HTTP/1.1")
    keys = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    more = f"Upgrade: websocket\r\nConnection: upgrade\r\n{keys}" if upgrade else "Connection: close\r\n"
    async with online(store) as server:
        code = (await server.seated())[0]["table"]
        path = f"/api/v1/tables/{code}/socket" if upgrade else "/live"
        reader, writer = await asyncio.open_connection(HOST, server.port)
        writer.write(f"GET {path} HTTP/{version}\r\n{hosts}{more}\r\n".encode())
        first = await asyncio.wait_for(reader.readline(), 20)
        assert int(first.split()[1]) == (101 if upgrade and status == 200 else status)
        writer.close()
        assert (await server.get("/live")).status == 200
